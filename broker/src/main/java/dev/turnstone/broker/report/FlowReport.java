package dev.turnstone.broker.report;

/**
 * How many messages have passed. Immutable.
 *
 * @param enqueued came in
 * @param delivered went to consumers, again included
 * @param redelivered went to consumers although somebody may have seen them before
 * @param settled left for good: consumed, expired, moved or deleted
 * @param deadLettered of these, went to a dead-letter address, or were dropped for want of one, after too many attempts
 *     or a rejection
 * @param expired of these, left because their time was over
 * @param dropped lost to a queue: dropped since it was full, a ring, or had a newer value; expired or failed with no
 *     address to go to; or not taken by a subscription that was full
 * @param creditStalls how often a consumer had no credit left, or as much as it may have, while messages waited
 */
public record FlowReport(
        long enqueued,
        long delivered,
        long redelivered,
        long settled,
        long deadLettered,
        long expired,
        long dropped,
        long creditStalls) {
    /** Nothing. */
    public static final FlowReport NONE = new FlowReport(0, 0, 0, 0, 0, 0, 0, 0);

    /** Both together. */
    public FlowReport plus(FlowReport other) {
        return new FlowReport(
                enqueued + other.enqueued,
                delivered + other.delivered,
                redelivered + other.redelivered,
                settled + other.settled,
                deadLettered + other.deadLettered,
                expired + other.expired,
                dropped + other.dropped,
                creditStalls + other.creditStalls);
    }
}
