package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PageRecord.Stretch;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Neighbouring entries of one priority that are not in memory: one page keeps them. None of them has been delivered
 * since the broker started. Owned by the engine thread.
 */
final class Run extends Place {
    /** A bitmap's objects, beside its bits. */
    private static final int HELD_OVERHEAD = 40;

    private final Page page;
    private final Pager pager;
    private int first;
    private long firstPosition;
    private int last;
    private long lastPosition;
    private int count;
    private long bytes;
    /** The slots that belong to it, from the first on; null if all up to the last do. */
    private @Nullable BitSet held;

    private final long dueMs;
    private final long expiryMs;
    /** True if all of its entries are asked for, and not only those that somebody comes to first. */
    boolean whole;
    /** True when it has become entries again, or has left. */
    boolean gone;

    /** One entry. */
    Run(Entry entry, Page page, Pager pager) {
        super(entry.queue(), entry.priority());
        this.page = page;
        this.pager = pager;
        this.first = entry.stored().slot();
        this.last = first;
        this.firstPosition = entry.position();
        this.lastPosition = firstPosition;
        this.count = 1;
        this.bytes = entry.bytes();
        this.dueMs = entry.state == EntryState.DELAYED ? entry.dueMs() : 0;
        this.expiryMs = entry.expiryInPageMs();
    }

    private Run(QueueState queue, Page page, Pager pager, Stretch stretch, BitSet held, long dueMs) {
        super(queue, stretch.priority());
        this.page = page;
        this.pager = pager;
        this.first = stretch.first();
        this.last = stretch.last();
        this.firstPosition = stretch.firstPosition();
        this.lastPosition = stretch.lastPosition();
        this.count = held.cardinality();
        this.held = count == last - first + 1 ? null : held;
        this.bytes = stretch.bytes() * count / Math.max(count, stretch.count());
        this.dueMs = dueMs;
        this.expiryMs = stretch.expiryMs();
    }

    /** Recovery: what a page's marker speaks of, but what the queue has passed; null if that is nothing. */
    static @Nullable Run recovered(QueueState queue, Page page, Pager pager, Stretch stretch, long nowMs) {
        BitSet held = BitSet.valueOf(stretch.held());
        if (stretch.held().length == 0) {
            held.set(0, stretch.last() - stretch.first() + 1);
        }
        for (int bit = held.nextSetBit(0); bit >= 0; bit = held.nextSetBit(bit + 1)) {
            if (page.passed(queue.id(), stretch.first() + bit)) {
                held.clear(bit);
            }
        }
        long dueMs = stretch.dueMs() > nowMs ? stretch.dueMs() : 0;
        return held.isEmpty() ? null : new Run(queue, page, pager, stretch, held, dueMs);
    }

    Page page() {
        return page;
    }

    int first() {
        return first;
    }

    int last() {
        return last;
    }

    boolean holds(int slot) {
        BitSet bits = held;
        return slot >= first && slot <= last && (bits == null || bits.get(slot - first));
    }

    /** True if the entry, which comes next in the queue, can be one more of this run. */
    boolean takes(Entry entry) {
        return entry.stored().page() == page
                && entry.stored().slot() > last
                && pins == 0
                && !gone
                && (entry.expiryInPageMs() == 0 || (expiryMs != 0 && entry.expiryInPageMs() >= expiryMs))
                && (sleeps() ? entry.state == EntryState.DELAYED && entry.dueMs() >= dueMs : ready(entry));
    }

    private static boolean ready(Entry entry) {
        return entry.state == EntryState.READY;
    }

    void take(Entry entry) {
        int slot = entry.stored().slot();
        int before = overheadBytes();
        if (held == null && slot != last + 1) {
            held = new BitSet(slot - first + 1);
            held.set(0, last - first + 1);
        }
        if (held != null) {
            held.set(slot - first);
        }
        last = slot;
        lastPosition = entry.position();
        count++;
        bytes += entry.bytes();
        pager.resized(overheadBytes() - before);
    }

    /** What it takes in memory. */
    int overheadBytes() {
        BitSet bits = held;
        return Memory.RUN_OVERHEAD + (bits == null ? 0 : HELD_OVERHEAD + bits.size() / Byte.SIZE);
    }

    /** The first slot that belongs to it. */
    int firstHeld() {
        BitSet bits = held;
        return bits == null ? first : first + bits.nextSetBit(0);
    }

    /** One of several entries leaves; returns how many bytes it had, as far as that is known. */
    long leave(int slot) {
        BitSet bits = held;
        if (bits == null) {
            int before = overheadBytes();
            bits = new BitSet(last - first + 1);
            bits.set(0, last - first + 1);
            held = bits;
            pager.resized(overheadBytes() - before);
        }
        bits.clear(slot - first);
        long fewer = bytes / count;
        bytes -= fewer;
        count--;
        return fewer;
    }

    /** Adds the slots that belong to it. */
    void addTo(BitSet slots) {
        BitSet bits = held;
        if (bits == null) {
            slots.set(first, last + 1);
        } else {
            for (int bit = bits.nextSetBit(0); bit >= 0; bit = bits.nextSetBit(bit + 1)) {
                slots.set(first + bit);
            }
        }
    }

    /**
     * Its first entries are entries again: it begins at a slot that it holds. Returns how many bytes fewer it has, as
     * far as that is known.
     */
    long advance(int slot, long position, int fewer) {
        BitSet bits = held;
        int before = overheadBytes();
        held = bits == null ? null : bits.get(slot - first, last - first + 1);
        pager.resized(overheadBytes() - before);
        first = slot;
        firstPosition = position;
        long less = bytes / count * fewer;
        bytes -= less;
        count -= fewer;
        return less;
    }

    /** Asks for its first entries; soon they stand in its place, or before what is left of it. */
    void want() {
        pager.want(this);
    }

    /** Asks for all of its entries; soon they stand in its place, some after the others. */
    void wantAll() {
        whole = true;
        pager.want(this);
    }

    /**
     * Its time has come: asks for all of it, and of those beside it that sleep in the same page, which would bring that
     * back one after the other.
     */
    void wake() {
        wantAll();
        for (Place place = previous; isHere(place); place = place.previous) {
            wakeIfAsleep(place);
        }
        for (Place place = next; isHere(place); place = place.next) {
            wakeIfAsleep(place);
        }
    }

    private boolean isHere(@Nullable Place place) {
        return place instanceof Run run
                ? run.page == page
                : place instanceof Entry entry && entry.stored().page() == page;
    }

    private static void wakeIfAsleep(Place place) {
        if (place instanceof Run run && run.sleeps()) {
            run.wantAll();
        }
    }

    /** As {@link #want}, if memory has room for its page; false if not. */
    boolean wantIfRoom() {
        return pager.wantIfRoom(this);
    }

    /** True if none of its entries may be delivered yet; then it asks for them by itself in time. */
    boolean sleeps() {
        return dueMs > 0;
    }

    /** True if who looks for the next entry goes by: it sleeps, and is not about to become entries. */
    boolean isPassed() {
        return sleeps() && !wanted;
    }

    @Override
    public long position() {
        return firstPosition;
    }

    @Override
    long lastPosition() {
        return lastPosition;
    }

    @Override
    int count() {
        return count;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    long dueMs() {
        return dueMs;
    }

    @Override
    long expiryMs() {
        return expiryMs;
    }

    @Override
    public String toString() {
        return "run of " + count + " at " + firstPosition + " in " + page;
    }
}
