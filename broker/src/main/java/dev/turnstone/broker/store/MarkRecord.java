package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * Whatever lies up to here in this queue may have been seen: it comes back flagged after a crash. Version 1: version
 * byte, queue id, position (longs).
 *
 * @param queue the queue
 * @param position the last position that the mark covers
 */
public record MarkRecord(long queue, long position) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(queue).putLong(position);
    }

    static MarkRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.MARK);
        return new MarkRecord(source.getLong(), source.getLong());
    }
}
