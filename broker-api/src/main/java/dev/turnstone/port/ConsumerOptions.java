package dev.turnstone.port;

/**
 * How a consumer stands beside the others of its queue or subscription. Immutable.
 *
 * @param exclusive true if it takes everything while it is there: other consumers stand by, and the next exclusive one,
 *     in the order in which they came, takes over when it leaves
 * @param priority −127 to 127: consumers of a higher one are served first, as long as they have credit
 */
public record ConsumerOptions(boolean exclusive, int priority) {
    /** The largest priority, and, negative, the smallest. */
    public static final int PRIORITY_MAX = 127;

    /** Neither exclusive nor before others. */
    public static final ConsumerOptions DEFAULTS = new ConsumerOptions(false, 0);

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
        return new ConsumerOptions(other, priority);
    }

    /** The same, with another priority. */
    public ConsumerOptions priority(int other) {
        return new ConsumerOptions(exclusive, other);
    }
}
