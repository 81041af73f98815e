package dev.turnstone.port;

/**
 * How a consumer stands beside the others of its queue or subscription, and what it asks for. Immutable.
 *
 * @param exclusive true if it takes everything while it is there: other consumers stand by, and the next exclusive one,
 *     in the order in which they came, takes over when it leaves
 * @param priority −127 to 127: consumers of a higher one are served first, as long as they have credit
 * @param retained true if the subscription, should this consumer be the one for which it is made, begins with what its
 *     topics retain
 */
public record ConsumerOptions(boolean exclusive, int priority, boolean retained) {
    /** The largest priority, and, negative, the smallest. */
    public static final int PRIORITY_MAX = 127;

    /** Neither exclusive nor before others, and without what is retained. */
    public static final ConsumerOptions DEFAULTS = new ConsumerOptions(false, 0, false);

    /** Checks the range. */
    public ConsumerOptions {
        if (priority < -PRIORITY_MAX || priority > PRIORITY_MAX) {
            throw new BrokerException(
                    ErrorCode.UNSUPPORTED,
                    "a consumer's priority is -" + PRIORITY_MAX + " to " + PRIORITY_MAX + ", not " + priority);
        }
    }

    /** The same, exclusive or not. */
    public ConsumerOptions exclusive(boolean other) {
        return new ConsumerOptions(other, priority, retained);
    }

    /** The same, with another priority. */
    public ConsumerOptions priority(int other) {
        return new ConsumerOptions(exclusive, other, retained);
    }

    /** The same, with or without what is retained. */
    public ConsumerOptions retained(boolean other) {
        return new ConsumerOptions(exclusive, priority, other);
    }
}
