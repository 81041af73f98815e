package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of one consumer that are not settled, by number. A ring holds the recent ones; what is left behind for
 * long moves to a tree, so that one forgotten delivery does not make the ring grow. Owned by the engine thread.
 */
final class Unsettled {
    private static final int LEAST = 4;
    private static final @Nullable Entry[] NONE = {};

    private @Nullable Entry[] ring = NONE;
    private long first = 1;
    private long next = 1;
    private int inRing;
    /** Null until something is left behind. */
    private @Nullable TreeMap<Long, Entry> behind;

    /** Takes the next delivery; returns its number. */
    long add(Entry entry) {
        if (next - first == ring.length) {
            makeRoom();
        }
        ring[slot(next)] = entry;
        inRing++;
        return next++;
    }

    /** How many recent deliveries it has room for without growing. */
    int room() {
        return ring.length;
    }

    int size() {
        return behind == null ? inRing : inRing + behind.size();
    }

    /** Removes a delivery; null if it is unknown or was settled. */
    @Nullable
    Entry remove(long number) {
        if (number < first) {
            return behind == null || behind.isEmpty() ? null : behind.remove(number);
        }
        if (number >= next) {
            return null;
        }
        int slot = slot(number);
        Entry entry = ring[slot];
        if (entry == null) {
            return null;
        }
        ring[slot] = null;
        inRing--;
        if (number == first) {
            skipSettled();
        }
        return entry;
    }

    /** The deliveries from one number to another, in their order. */
    List<Entry> range(long from, long to) {
        List<Entry> found = new ArrayList<>();
        if (behind != null && from < first && from <= to) {
            found.addAll(
                    behind.subMap(from, true, Math.min(to, first - 1), true).values());
        }
        long last = Math.min(to, next - 1);
        for (long number = Math.max(from, first); number <= last; number++) {
            Entry entry = ring[slot(number)];
            if (entry != null) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Removes the deliveries from one number to another; gives them in their order. */
    List<Entry> remove(long from, long to) {
        List<Entry> removed = range(from, to);
        if (behind != null && from < first && from <= to) {
            behind.subMap(from, true, Math.min(to, first - 1), true).clear();
        }
        long last = Math.min(to, next - 1);
        for (long number = Math.max(from, first); number <= last; number = Math.max(number + 1, first)) {
            remove(number);
        }
        return removed;
    }

    private void skipSettled() {
        while (first < next && ring[slot(first)] == null) {
            first++;
        }
    }

    private void makeRoom() {
        if (ring == NONE) {
            ring = new @Nullable Entry[LEAST];
            return;
        }
        Invariant.check(ring[slot(first)] != null, "the ring starts with an unsettled delivery");
        if (inRing <= ring.length / 2) {
            TreeMap<Long, Entry> left = behind == null ? new TreeMap<>() : behind;
            behind = left;
            long half = first + ring.length / 2;
            for (; first < half; first++) {
                Entry entry = ring[slot(first)];
                if (entry != null) {
                    left.put(first, entry);
                    ring[slot(first)] = null;
                    inRing--;
                }
            }
            skipSettled();
            return;
        }
        @Nullable Entry[] larger = new @Nullable Entry[ring.length * 2];
        for (long n = first; n < next; n++) {
            larger[(int) n & (larger.length - 1)] = ring[slot(n)];
        }
        ring = larger;
    }

    private int slot(long number) {
        return (int) number & (ring.length - 1);
    }
}
