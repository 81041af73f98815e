package dev.turnstone.broker.queue;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The entries of all queues whose time of delivery has not come, by that time; those in pages by their runs. Each keeps
 * its place in its queue meanwhile. Owned by the engine thread.
 */
public final class Delays {
    /** So many entries that have left may stay here before they are cleared out. */
    private static final int GONE_LEAST = 1_024;

    private final PriorityQueue<Place> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Place::dueMs).thenComparingLong(Place::position));
    private int gone;

    void add(Place place) {
        waiting.add(place);
    }

    /** An entry has left before its time came. */
    void left() {
        gone++;
        if (gone > GONE_LEAST && gone > waiting.size() / 2) {
            waiting.removeIf(Delays::isGone);
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
            Place place = waiting.remove();
            if (isGone(place)) {
                gone--;
            } else if (place instanceof Entry entry) {
                entry.queue().due(entry);
            } else if (place instanceof Run run) {
                run.want();
            }
        }
        return true;
    }

    /** When the next one is due, in milliseconds since the epoch; {@link Long#MAX_VALUE} if none waits. */
    public long dueMs() {
        Place first = waiting.peek();
        return first == null ? Long.MAX_VALUE : first.dueMs();
    }

    private static boolean isGone(Place place) {
        return place instanceof Run run ? run.gone : ((Entry) place).state != EntryState.DELAYED;
    }
}
