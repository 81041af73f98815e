package dev.turnstone.server.load;

import java.io.IOException;

/** A producer. One thread, but for {@link #close}. */
public interface LoadSender extends AutoCloseable {
    /**
     * Sends one, or collects it for the next {@link #flush}.
     *
     * @param body is the caller's again when this returns
     * @param confirmed run when the broker has confirmed it, on any thread
     */
    void send(byte[] body, Runnable confirmed) throws IOException;

    /** Lets out what was collected: nothing more is sent before something has been confirmed. */
    void flush() throws IOException;

    /** Ends it; what is not confirmed will not be. Any thread. */
    @Override
    void close();
}
