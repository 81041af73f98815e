package dev.turnstone.broker.queue;

import dev.turnstone.broker.queue.Departure.Cause;
import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.broker.report.FlowReport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Counts what passes through a queue, or through all. Owned by the engine thread. */
public final class Traffic {
    private long enqueued;
    private long delivered;
    private long redelivered;
    private long settled;
    private long deadLettered;
    private long expired;
    private long dropped;
    private long creditStalls;
    private @Nullable Waits waits;

    /**
     * Counts a change of a queue here, where all queues are counted, and there, where that queue is.
     *
     * @param copies true if it holds copies of what another queue holds, where it comes and goes
     */
    void count(Change change, Traffic ofQueue, boolean copies, long nowMs) {
        if (copies && !(change instanceof Change.Dispatched)) {
            return;
        }
        if (change instanceof Change.Enqueued come) {
            enqueued++;
            ofQueue.enqueued++;
            if (waits != null) {
                waits.arrived(come.entry());
            }
        } else if (change instanceof Change.Settled gone) {
            settled++;
            ofQueue.settled++;
            if (gone.dropped()) {
                dropped(ofQueue);
            }
        } else if (change instanceof Change.Dispatched dispatched) {
            delivered++;
            ofQueue.delivered++;
            if (dispatched.entry().flagged()) {
                redelivered++;
                ofQueue.redelivered++;
            }
            if (waits != null) {
                waits.dispatched(dispatched.entry(), nowMs);
            }
        }
    }

    /** Counts a consumer that was given its last for now, if more waits in the queue. */
    void stalled(Change change, Traffic ofQueue, QueueState queue) {
        if (change instanceof Change.Dispatched dispatched && !dispatched.to().wants() && queue.waiting() > 0) {
            creditStalls++;
            ofQueue.creditStalls++;
        }
    }

    /** What was recorded up to this LSN is confirmed now. */
    public void confirmed(long durableLsn, long nowMs) {
        if (waits != null) {
            waits.confirmed(durableLsn, nowMs);
        }
    }

    /**
     * Who is told, of one message in 16, how long after its confirmation it went to a consumer first, in milliseconds.
     */
    public void meter(IntConsumer hearer) {
        waits = new Waits(hearer);
    }

    /** Counts one that leaves for this reason, here and there; that it is settled is counted by itself. */
    void left(Cause cause, Traffic ofQueue) {
        if (cause == Cause.EXPIRED) {
            expired++;
            ofQueue.expired++;
        } else {
            deadLettered++;
            ofQueue.deadLettered++;
        }
    }

    /** A message is lost to a queue: dropped by a limit, or not taken. */
    void dropped(Traffic ofQueue) {
        dropped++;
        ofQueue.dropped++;
    }

    /** One that was in a page is dropped. */
    void droppedFromPage(Traffic ofQueue) {
        settled++;
        ofQueue.settled++;
        dropped(ofQueue);
    }

    /** What can be said of a queue now. */
    public static AddressReport of(QueueState queue) {
        EntryIndex index = queue.index();
        return new AddressReport(queue.address(), index.size(), index.oldestMs(), index.flow());
    }

    /**
     * Makes the next report know how old the first message is, if a page must be read for that and memory has room for
     * it; true if it is read.
     */
    public static boolean askOldest(QueueState queue) {
        return queue.index().askOldest();
    }

    /** What was counted up to now. */
    public FlowReport report() {
        return new FlowReport(enqueued, delivered, redelivered, settled, deadLettered, expired, dropped, creditStalls);
    }
}
