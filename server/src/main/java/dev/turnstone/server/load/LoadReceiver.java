package dev.turnstone.server.load;

import java.io.IOException;
import java.util.function.Consumer;

/** A consumer. */
public interface LoadReceiver extends AutoCloseable {
    /**
     * Receives and acknowledges until it is closed; on a thread that does nothing else.
     *
     * @param received told each body; empty for a message that no load sender has sent
     */
    void run(Consumer<byte[]> received) throws IOException;

    /** Ends it. Any thread. */
    @Override
    void close();
}
