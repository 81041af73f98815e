package dev.turnstone.broker.queue;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The entries of all queues that will expire, by when they do. Owned by the engine thread. */
public final class Expiry {
    /** So many entries that have left may stay here before they are cleared out. */
    private static final int GONE_LEAST = 1_024;

    private final PriorityQueue<Entry> waiting = new PriorityQueue<>(
            Comparator.comparingLong((Entry entry) -> entry.message().expiryMs())
                    .thenComparingLong(Entry::position));
    private int gone;

    /** An entry is in memory; nothing happens if it will not expire. */
    void add(Entry entry) {
        if (entry.message().expiryMs() > 0) {
            waiting.add(entry);
        }
    }

    /** An entry has left its queue, or the memory. */
    void left(Entry entry) {
        if (entry.message().expiryMs() == 0) {
            return;
        }
        gone++;
        if (gone > GONE_LEAST && gone > waiting.size() / 2) {
            waiting.removeIf(each -> each.state == EntryState.GONE);
            gone = 0;
        }
    }

    /**
     * Tells the queues of what has expired, at most so many.
     *
     * @return true if only the bound ended it
     */
    public boolean release(long nowMs, int most) {
        for (int left = most; left > 0; left--) {
            if (dueMs() > nowMs) {
                return false;
            }
            Entry entry = waiting.remove();
            entry.queue().returns().expire(entry);
        }
        return true;
    }

    /** When the next one expires, in milliseconds since the epoch; {@link Long#MAX_VALUE} if none will. */
    public long dueMs() {
        Entry first = waiting.peek();
        return first == null ? Long.MAX_VALUE : first.message().expiryMs();
    }
}
