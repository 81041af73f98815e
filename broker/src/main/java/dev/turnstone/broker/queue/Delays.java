package dev.turnstone.broker.queue;

import dev.turnstone.broker.queue.TimeHeap.Timing;

/**
 * The entries of all queues whose time of delivery has not come, by that time; those in pages by their runs. Each keeps
 * its place in its queue meanwhile. Owned by the engine thread.
 */
public final class Delays {
    private final TimeHeap waiting = new TimeHeap(Timing.DUE);

    void add(Place place) {
        waiting.add(place);
    }

    /** An entry has left before its time came, or a run. */
    void left(Place place) {
        waiting.remove(place);
    }

    /**
     * Makes ready what is due, at most so many.
     *
     * @return true if only the bound ended it
     */
    public boolean release(long nowMs, int most) {
        for (int left = most; left > 0; left--) {
            Place place = waiting.first();
            if (place == null || place.dueMs() > nowMs) {
                return false;
            }
            waiting.remove(place);
            if (place instanceof Entry entry) {
                entry.queue().due(entry);
            } else if (place instanceof Run run) {
                run.wake();
            }
        }
        return true;
    }

    /** When the next one is due, in milliseconds since the epoch; {@link Long#MAX_VALUE} if none waits. */
    public long dueMs() {
        return waiting.firstMs();
    }
}
