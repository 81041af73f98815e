package dev.turnstone.testkit.model;

/**
 * What is set for a queue, as far as it changes what the queue owes. Immutable.
 *
 * @param lastValue true if it keeps the last value of each key
 * @param ring how many messages that wait it keeps; 0 for all
 * @param exclusive true if one consumer at a time gets something
 * @param attemptsMax how often a message may fail before it is a dead letter; 0 for ever
 * @param retryDelayMs how long it waits after it has failed
 * @param most how many messages it has at most; 0 for any number
 * @param refuses true if what would be more is refused, or has to wait, false if what waits longest leaves
 * @param movesExpired true if what expires goes to the expiry address
 */
public record Traits(
        boolean lastValue,
        int ring,
        boolean exclusive,
        int attemptsMax,
        long retryDelayMs,
        int most,
        boolean refuses,
        boolean movesExpired) {
    /** Nothing is set. */
    public static final Traits NONE = new Traits(false, 0, false, 0, 0, 0, false, false);
}
