package dev.turnstone.broker.queue;

import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.broker.report.FlowReport;

/** Counts what passes through a queue, or through all. Owned by the engine thread. */
public final class Traffic {
    private long enqueued;
    private long delivered;
    private long redelivered;
    private long settled;

    /** Counts a change of a queue here, where all queues are counted, and there, where that queue is. */
    void count(Change change, Traffic ofQueue) {
        if (change instanceof Change.Enqueued) {
            enqueued++;
            ofQueue.enqueued++;
        } else if (change instanceof Change.Settled) {
            settled++;
            ofQueue.settled++;
        } else if (change instanceof Change.Dispatched dispatched) {
            delivered++;
            ofQueue.delivered++;
            if (dispatched.entry().flagged()) {
                redelivered++;
                ofQueue.redelivered++;
            }
        }
    }

    /** What can be said of a queue now. */
    public static AddressReport of(QueueState queue) {
        EntryIndex index = queue.index();
        return new AddressReport(
                queue.address(), index.size(), index.oldestMs(), index.traffic().report());
    }

    /** What was counted up to now. */
    public FlowReport report() {
        return new FlowReport(enqueued, delivered, redelivered, settled);
    }
}
