package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.PageRecord.Stretch;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Neighbouring entries of a queue while the marker of their page is made. Owned by the engine thread. */
final class StretchBuilder {
    private static final long[] ALL = {};

    private final Entry start;
    private final long startDueMs;
    private final int first;
    /** The last that it has come to. */
    private Entry last;

    private long lastPosition;
    private long expiryMs;
    private long bytes;
    private int lastSlot;
    private @Nullable BitSet held;

    StretchBuilder(Entry entry, long nowMs) {
        this.start = entry;
        this.startDueMs = due(entry, nowMs);
        this.first = entry.stored().slot();
        this.last = entry;
        this.lastPosition = entry.position();
        this.expiryMs = entry.expiryMs();
        this.bytes = entry.bytes();
        this.lastSlot = first;
    }

    /** After a restart only the message says when it may be delivered. */
    private static long due(Entry entry, long nowMs) {
        long due = entry.message().deliveryTimeMs();
        return due > nowMs ? due : 0;
    }

    /** True if the entry comes next in the queue and is delayed, or not, like the others. */
    boolean takes(Entry entry, long nowMs) {
        long due = due(entry, nowMs);
        return entry.previous == last && (startDueMs == 0 ? due == 0 : due >= startDueMs);
    }

    void take(Entry entry) {
        int slot = entry.stored().slot();
        if (held == null && slot != lastSlot + 1) {
            held = new BitSet(slot - first + 1);
            held.set(0, lastSlot - first + 1);
        }
        if (held != null) {
            held.set(slot - first);
        }
        last = entry;
        lastPosition = entry.position();
        lastSlot = slot;
        bytes += entry.bytes();
        if (entry.expiryMs() != 0 && (expiryMs == 0 || entry.expiryMs() < expiryMs)) {
            expiryMs = entry.expiryMs();
        }
    }

    /** Goes on behind an entry that does not belong to it. */
    void skip(Entry entry) {
        last = entry;
    }

    /** True if it has all slots from its first to its last. */
    boolean dense() {
        return held == null;
    }

    /** The same slots, for whoever holds the same. */
    long key() {
        return (long) first << Integer.SIZE | lastSlot;
    }

    Stretch build(long[] queues) {
        return new Stretch(
                first,
                lastSlot,
                (byte) start.priority(),
                start.position(),
                lastPosition,
                startDueMs,
                expiryMs,
                bytes,
                held == null ? ALL : held.toLongArray(),
                queues);
    }
}
