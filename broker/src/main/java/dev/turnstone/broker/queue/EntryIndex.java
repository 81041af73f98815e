package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Invariant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All entries of one queue: for each priority a list in the order of positions. Entries are appended, and leave from
 * anywhere, in constant time; one that is delivered or locked keeps its place. Owned by the engine thread.
 */
final class EntryIndex {
    /** Priorities 0 to 9. */
    static final int LANES = 10;

    private final @Nullable Entry[] heads = new @Nullable Entry[LANES];
    private final @Nullable Entry[] tails = new @Nullable Entry[LANES];
    private int used;
    private int size;

    void append(Entry entry) {
        int lane = entry.priority();
        Entry tail = tails[lane];
        entry.previous = tail;
        if (tail == null) {
            heads[lane] = entry;
            used |= 1 << lane;
        } else {
            Invariant.check(tail.position() < entry.position(), "positions grow");
            tail.next = entry;
        }
        tails[lane] = entry;
        size++;
    }

    void remove(Entry entry) {
        int lane = entry.priority();
        Entry before = entry.previous;
        Entry after = entry.next;
        if (before == null) {
            heads[lane] = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tails[lane] = before;
        } else {
            after.previous = before;
        }
        if (before == null && after == null) {
            used &= ~(1 << lane);
        }
        entry.previous = null;
        entry.next = null;
        size--;
    }

    int size() {
        return size;
    }

    /** The first entry of a priority, or null. */
    @Nullable
    Entry head(int lane) {
        return heads[lane];
    }

    /** A bit for each priority that has entries. */
    int lanes() {
        return used;
    }

    /** A position so far behind an entry that at most so many entries, present or future, lie between. */
    long reach(Entry entry, int entries) {
        long reach = entry.position() + entries;
        if (used == 1 << entry.priority()) {
            Entry last = entry;
            for (int i = 1; i < entries && last.next != null; i++) {
                last = last.next;
            }
            return Math.max(reach, last.position());
        }
        return reach;
    }

    /** The lowest positions up to a bound, ascending, at most so many. */
    long[] positionsUpTo(long bound, int most) {
        long[] found = new long[0];
        int count = 0;
        for (Entry head : heads) {
            int ofLane = 0;
            for (Entry e = head; e != null && e.position() <= bound && ofLane < most; e = e.next) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, Math.max(16, 2 * count));
                }
                found[count++] = e.position();
                ofLane++;
            }
        }
        Arrays.sort(found, 0, count);
        return Arrays.copyOf(found, Math.min(count, most));
    }

    /** The highest position; 0 when empty. */
    long lastPosition() {
        long last = 0;
        for (Entry tail : tails) {
            if (tail != null) {
                last = Math.max(last, tail.position());
            }
        }
        return last;
    }

    /** Any entry, or null when empty. */
    @Nullable
    Entry any() {
        return used == 0 ? null : heads[Integer.numberOfTrailingZeros(used)];
    }
}
