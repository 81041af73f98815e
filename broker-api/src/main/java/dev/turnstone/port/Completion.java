package dev.turnstone.port;

import java.util.function.Consumer;

/**
 * Hears the outcome of one command, once, from within {@link Session#drain} on the session's owner thread. Completions
 * of a session come in the order of its commands, and only when what they confirm, and all that the session asked for
 * earlier, is durable.
 */
public interface Completion {
    /** The command took effect and is durable where durability was asked for. */
    void done();

    /** The command had no effect. */
    void failed(BrokerException cause);

    /** False if {@link #done} need not be called, which spares the broker the confirmation. */
    default boolean wantsDone() {
        return true;
    }

    /** A completion that hears of failure only. */
    static Completion onFailure(Consumer<BrokerException> handler) {
        return new Completion() {
            @Override
            public void done() {
                // Not wanted: see wantsDone.
            }

            @Override
            public void failed(BrokerException cause) {
                handler.accept(cause);
            }

            @Override
            public boolean wantsDone() {
                return false;
            }
        };
    }
}
