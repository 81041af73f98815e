package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * A queue holds nothing up to a position, neither in pages nor in records: it stands for what the queue would have to
 * say of each page that others hold still. Version 1: version byte, queue, position (longs).
 *
 * @param queue the queue
 * @param position the last that it has passed
 */
public record FloorRecord(long queue, long position) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(queue).putLong(position);
    }

    static FloorRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.FLOOR);
        return new FloorRecord(source.getLong(), source.getLong());
    }
}
