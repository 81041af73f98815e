package dev.turnstone.broker;

import org.jspecify.annotations.Nullable;

/**
 * Closes several things, each whatever becomes of the others: what failed first is thrown in the end, with what failed
 * later suppressed in it. One thread.
 */
public final class Closing {
    private @Nullable Throwable first;

    /** Nothing has failed. */
    public Closing() {}

    /** An exception or error that is no checked one, for which all is closed. */
    public Closing(Throwable fault) {
        first = fault;
    }

    /** Closes one more. */
    public Closing then(Runnable close) {
        try {
            close.run();
        } catch (RuntimeException | Error fault) {
            if (first == null) {
                first = fault;
            } else if (first != fault) {
                first.addSuppressed(fault);
            }
        }
        return this;
    }

    /** All is closed: throws what failed first, if anything did. */
    public void end() {
        if (first != null) {
            throw fault();
        }
    }

    /** All is closed: what failed first, to be thrown. If that is an error, it is thrown here. */
    public RuntimeException fault() {
        if (first instanceof Error error) {
            throw error;
        }
        return first instanceof RuntimeException known ? known : new IllegalStateException(first);
    }
}
