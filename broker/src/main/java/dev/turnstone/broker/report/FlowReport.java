package dev.turnstone.broker.report;

/**
 * How many messages have passed. Immutable.
 *
 * @param enqueued came in
 * @param delivered went to consumers, again included
 * @param redelivered went to consumers although somebody may have seen them before
 * @param settled left for good: consumed, expired, moved or deleted
 */
public record FlowReport(long enqueued, long delivered, long redelivered, long settled) {
    /** Both together. */
    public FlowReport plus(FlowReport other) {
        return new FlowReport(
                enqueued + other.enqueued,
                delivered + other.delivered,
                redelivered + other.redelivered,
                settled + other.settled);
    }
}
