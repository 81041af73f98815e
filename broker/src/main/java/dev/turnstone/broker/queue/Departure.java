package dev.turnstone.broker.queue;

import org.jspecify.annotations.Nullable;

/**
 * Why an entry leaves its queue for another address. Immutable.
 *
 * @param text what the consumer said, or null
 */
record Departure(Cause cause, @Nullable String text) {
    /** What has happened. */
    enum Cause {
        /** As many attempts were counted as there may be. */
        ATTEMPTS("attempts"),
        /** A consumer does not want it to be delivered again. */
        REJECTED("rejected"),
        /** Its time is over. */
        EXPIRED("expired");

        private final String word;

        Cause(String word) {
            this.word = word;
        }

        /** As the moved message says it. */
        String word() {
            return word;
        }
    }

    static final Departure EXPIRED = new Departure(Cause.EXPIRED, null);
}
