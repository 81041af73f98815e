package dev.turnstone.broker.queue;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The entries of all queues that will expire, by when they do; those in pages by their runs. Owned by the engine
 * thread.
 */
public final class Expiry {
    /** So many entries that have left may stay here before they are cleared out. */
    private static final int GONE_LEAST = 1_024;

    private final PriorityQueue<Place> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Place::expiryMs).thenComparingLong(Place::position));
    private int gone;

    /** An entry is in memory; nothing happens if it will not expire. */
    void add(Place place) {
        if (place.expiryMs() > 0) {
            waiting.add(place);
        }
    }

    /** An entry has left its queue, or the memory. */
    void left(Place place) {
        if (place.expiryMs() == 0) {
            return;
        }
        gone++;
        if (gone > GONE_LEAST && gone > waiting.size() / 2) {
            waiting.removeIf(Expiry::isGone);
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
            Place place = waiting.remove();
            if (place instanceof Entry entry) {
                entry.queue().returns().expire(entry);
            } else if (place instanceof Run run && !run.gone) {
                // Its entries are told when they are in memory.
                run.want();
            }
        }
        return true;
    }

    /** When the next one expires, in milliseconds since the epoch; {@link Long#MAX_VALUE} if none will. */
    public long dueMs() {
        Place first = waiting.peek();
        return first == null ? Long.MAX_VALUE : first.expiryMs();
    }

    private static boolean isGone(Place place) {
        return place instanceof Run run ? run.gone : ((Entry) place).state == EntryState.GONE;
    }
}
