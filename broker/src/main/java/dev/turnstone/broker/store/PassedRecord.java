package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A subscription has passed every message of a stretch of positions but a few: many {@link SettledRecord}s folded into
 * one. Version 2: version byte, queue id, the stretch's bounds (longs), count (int) and the positions of those that it
 * still holds (longs, ascending). In version 1, which is written when the stretch begins at the beginning, its lower
 * bound is missing.
 *
 * @param queue the subscription's queue
 * @param from the position before the first that this record speaks of
 * @param upTo the last position that this record speaks of
 * @param held positions between them that it has not passed, ascending
 */
public record PassedRecord(long queue, long from, long upTo, long[] held) implements Payload {
    private static final byte FROM_START = 1;
    private static final byte STRETCH = 2;

    @Override
    public int sizeBytes() {
        return 1 + (from == 0 ? 2 : 3) * Long.BYTES + Integer.BYTES + held.length * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(from == 0 ? FROM_START : STRETCH).putLong(queue);
        if (from != 0) {
            target.putLong(from);
        }
        target.putLong(upTo);
        PageRecord.putLongs(target, held);
    }

    static PassedRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, STRETCH, RecordType.PASSED);
        long queue = source.getLong();
        long from = version == FROM_START ? 0 : source.getLong();
        return new PassedRecord(queue, from, source.getLong(), PageRecord.longs(source));
    }

    /** True if the subscription has passed this position. */
    public boolean covers(long position) {
        return position > from && position <= upTo && Arrays.binarySearch(held, position) < 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PassedRecord that
                && queue == that.queue
                && from == that.from
                && upTo == that.upTo
                && Arrays.equals(held, that.held);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(queue) * 31 + Long.hashCode(upTo);
    }
}
