package dev.turnstone.spi;

import java.util.concurrent.CompletionStage;

/** A bound listener. Any thread. */
public interface Listener {
    /** The protocol that it serves. */
    String protocol();

    /** The host that it is bound to, as asked for. */
    String host();

    /** The port that it is bound to; never 0. */
    int port();

    /**
     * Reads again, and checks, the files that its settings name, such as certificates. Nothing changes before the
     * result is run: then new connections get what was read, and connections that there are stay as they are.
     *
     * @throws dev.turnstone.port.BrokerException INVALID_CONFIGURATION if a file cannot be used
     */
    default Runnable reread() {
        return () -> {};
    }

    /** Takes no more connections and ends those that it has. Idempotent. */
    CompletionStage<Void> close();
}
