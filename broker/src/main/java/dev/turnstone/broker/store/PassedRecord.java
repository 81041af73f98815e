package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A subscription has passed every message up to a position but a few: many {@link SettledRecord}s folded into one.
 * Version 1: version byte, queue id, the position (longs), count (int) and the positions of those that it still holds
 * (longs, ascending).
 *
 * @param queue the subscription's queue
 * @param upTo the last position that this record speaks of
 * @param held positions up to there that it has not passed, ascending
 */
public record PassedRecord(long queue, long upTo, long[] held) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES + Integer.BYTES + held.length * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(queue).putLong(upTo).putInt(held.length);
        for (long position : held) {
            target.putLong(position);
        }
    }

    static PassedRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.PASSED);
        long queue = source.getLong();
        long upTo = source.getLong();
        long[] held = new long[source.getInt()];
        for (int i = 0; i < held.length; i++) {
            held[i] = source.getLong();
        }
        return new PassedRecord(queue, upTo, held);
    }

    /** True if the subscription has passed this position. */
    public boolean covers(long position) {
        return position <= upTo && Arrays.binarySearch(held, position) < 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PassedRecord that
                && queue == that.queue
                && upTo == that.upTo
                && Arrays.equals(held, that.held);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(queue) * 31 + Long.hashCode(upTo);
    }
}
