package dev.turnstone.broker.queue;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The entries of all queues whose time of delivery has not come, by that time. Each keeps its place in its queue
 * meanwhile. Owned by the engine thread.
 */
public final class Delays {
    /** So many entries that have left may stay here before they are cleared out. */
    private static final int GONE_LEAST = 1_024;

    private final PriorityQueue<Entry> waiting = new PriorityQueue<>(
            Comparator.comparingLong((Entry entry) -> entry.message().deliveryTimeMs())
                    .thenComparingLong(Entry::position));
    private int gone;

    void add(Entry entry) {
        waiting.add(entry);
    }

    /** A waiting entry has left its queue. */
    void left() {
        gone++;
        if (gone > GONE_LEAST && gone > waiting.size() / 2) {
            waiting.removeIf(entry -> entry.state == EntryState.GONE);
            gone = 0;
        }
    }

    /**
     * Makes ready what is due, at most so many.
     *
     * @return true if only the bound ended it
     */
    public boolean release(long nowMs, int most) {
        for (int left = most; left > 0; left--) {
            if (dueMs() > nowMs) {
                return false;
            }
            Entry entry = waiting.remove();
            if (entry.state == EntryState.GONE) {
                gone--;
            } else {
                entry.queue().due(entry);
            }
        }
        return true;
    }

    /** When the next one is due, in milliseconds since the epoch; {@link Long#MAX_VALUE} if none waits. */
    public long dueMs() {
        Entry first = waiting.peek();
        return first == null ? Long.MAX_VALUE : first.message().deliveryTimeMs();
    }
}
