package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A page file's marker, which stands for the messages in it; the record's id is the page's. It names who holds which of
 * them, so that a start need not read the page. Version 3: version byte, count of messages (int), the positions' base
 * (long), the page that this is a further part of the marker of (long), count of stretches (int), then the stretches.
 * In version 2, which is written when both are 0, base and page are missing; in version 1 the stretches do not say how
 * many bytes they have.
 *
 * @param slots how many messages the page has
 * @param base what is to be added to the positions in the page's file: it was written before these were known
 * @param page the page's id in the further records of a marker that is too large for one; else 0
 * @param stretches who holds what
 */
public record PageRecord(int slots, long base, long page, List<Stretch> stretches) implements Payload {
    private static final byte VERSION = 3;
    private static final byte PLAIN = 2;

    /** A marker in one record, of a page whose file says the positions. */
    public PageRecord(int slots, List<Stretch> stretches) {
        this(slots, 0, 0, stretches);
    }

    private boolean plain() {
        return base == 0 && page == 0;
    }

    /**
     * Messages of a page that stand one after the other in one or more queues. Written as: first and last slot (ints),
     * priority (byte), first and last position, due and expiry time, bytes (longs), count of words (int) and the words
     * of the bitmap (longs), count of queues (int) and their ids (longs).
     *
     * @param first the number of the first in the page
     * @param last the number of the last
     * @param priority that of all of them
     * @param firstPosition the first's position
     * @param lastPosition the last's
     * @param dueMs when the first of them may be delivered, if none may be yet; else 0
     * @param expiryMs when the first of them expires; 0 if none does
     * @param bytes what the messages have together; 0 if that is not known
     * @param held a bit for each slot from the first on that belongs to it; empty if all do
     * @param queues the ids of the durable queues that hold them
     */
    public record Stretch(
            int first,
            int last,
            byte priority,
            long firstPosition,
            long lastPosition,
            long dueMs,
            long expiryMs,
            long bytes,
            long[] held,
            long[] queues) {
        private static final int FIXED = 4 * Integer.BYTES + 1 + 5 * Long.BYTES;

        /** How many messages it has. */
        public int count() {
            return held.length == 0 ? last - first + 1 : BitSet.valueOf(held).cardinality();
        }

        /** The same for some of its queues each, so that none takes more than that. */
        List<Stretch> split(int mostBytes) {
            if (sizeBytes() <= mostBytes) {
                return List.of(this);
            }
            int most = (mostBytes - FIXED) / Long.BYTES - held.length;
            List<Stretch> parts = new ArrayList<>();
            for (int from = 0; from < queues.length; from += most) {
                long[] some = Arrays.copyOfRange(queues, from, Math.min(queues.length, from + most));
                parts.add(new Stretch(
                        first, last, priority, firstPosition, lastPosition, dueMs, expiryMs, bytes, held, some));
            }
            return parts;
        }

        int sizeBytes() {
            return FIXED + (held.length + queues.length) * Long.BYTES;
        }

        void writeTo(ByteBuffer target) {
            target.putInt(first).putInt(last).put(priority);
            target.putLong(firstPosition)
                    .putLong(lastPosition)
                    .putLong(dueMs)
                    .putLong(expiryMs)
                    .putLong(bytes);
            putLongs(target, held);
            putLongs(target, queues);
        }

        static Stretch read(ByteBuffer source, int version) {
            return new Stretch(
                    source.getInt(),
                    source.getInt(),
                    source.get(),
                    source.getLong(),
                    source.getLong(),
                    source.getLong(),
                    source.getLong(),
                    version == 1 ? 0 : source.getLong(),
                    longs(source),
                    longs(source));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Stretch that
                    && first == that.first
                    && last == that.last
                    && priority == that.priority
                    && firstPosition == that.firstPosition
                    && lastPosition == that.lastPosition
                    && dueMs == that.dueMs
                    && expiryMs == that.expiryMs
                    && bytes == that.bytes
                    && Arrays.equals(held, that.held)
                    && Arrays.equals(queues, that.queues);
        }

        @Override
        public int hashCode() {
            return first * 31 + last;
        }
    }

    static void putLongs(ByteBuffer target, long[] values) {
        target.putInt(values.length);
        for (long value : values) {
            target.putLong(value);
        }
    }

    static long[] longs(ByteBuffer source) {
        long[] values = new long[source.getInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = source.getLong();
        }
        return values;
    }

    @Override
    public int sizeBytes() {
        int size = 1 + 2 * Integer.BYTES + (plain() ? 0 : 2 * Long.BYTES);
        for (Stretch stretch : stretches) {
            size += stretch.sizeBytes();
        }
        return size;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(plain() ? PLAIN : VERSION).putInt(slots);
        if (!plain()) {
            target.putLong(base).putLong(page);
        }
        target.putInt(stretches.size());
        for (Stretch stretch : stretches) {
            stretch.writeTo(target);
        }
    }

    static PageRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, VERSION, RecordType.PAGE);
        int slots = source.getInt();
        long base = version < VERSION ? 0 : source.getLong();
        long page = version < VERSION ? 0 : source.getLong();
        int count = source.getInt();
        List<Stretch> stretches = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            stretches.add(Stretch.read(source, version));
        }
        return new PageRecord(slots, base, page, stretches);
    }

    /** The same, in as many records as it takes when none may be larger than that. */
    List<PageRecord> split(long ofPage, int mostBytes) {
        if (sizeBytes() <= mostBytes) {
            return List.of(this);
        }
        List<PageRecord> parts = new ArrayList<>();
        List<Stretch> part = new ArrayList<>();
        int size = 0;
        int room = mostBytes - 1 - 2 * Integer.BYTES - 2 * Long.BYTES;
        for (Stretch stretch : stretches) {
            for (Stretch piece : stretch.split(room)) {
                if (size + piece.sizeBytes() > room) {
                    parts.add(new PageRecord(slots, base, parts.isEmpty() ? 0 : ofPage, part));
                    part = new ArrayList<>();
                    size = 0;
                }
                part.add(piece);
                size += piece.sizeBytes();
            }
        }
        parts.add(new PageRecord(slots, base, parts.isEmpty() ? 0 : ofPage, part));
        return parts;
    }
}
