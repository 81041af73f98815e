package dev.turnstone.broker.queue;

import dev.turnstone.broker.queue.TimeHeap.Timing;

/**
 * The entries of all queues that will expire, by when they do; those in pages by their runs. Owned by the engine
 * thread.
 */
public final class Expiry {
    private final TimeHeap waiting = new TimeHeap(Timing.EXPIRY);

    /** An entry is in memory, or a run stands for some; nothing happens if none will expire. */
    void add(Place place) {
        if (place.expiryMs() > 0) {
            waiting.add(place);
        }
    }

    /** An entry has left its queue, or the memory; or a run. */
    void left(Place place) {
        waiting.remove(place);
    }

    /**
     * Tells the queues of what has expired, at most so many.
     *
     * @return true if only the bound ended it
     */
    public boolean release(long nowMs, int most) {
        for (int left = most; left > 0; left--) {
            Place place = waiting.first();
            if (place == null || place.expiryMs() > nowMs) {
                return false;
            }
            waiting.remove(place);
            if (place instanceof Entry entry) {
                entry.queue().returns().expire(entry);
            } else if (place instanceof Run run) {
                // Its entries are told when they are in memory.
                run.wantAll();
            }
        }
        return true;
    }

    /** When the next one expires, in milliseconds since the epoch; {@link Long#MAX_VALUE} if none will. */
    public long dueMs() {
        return waiting.firstMs();
    }
}
