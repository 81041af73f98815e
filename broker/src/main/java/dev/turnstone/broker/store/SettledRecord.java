package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * One subscription has passed a message that others may still hold. Version 1: version byte, queue id, position
 * (longs).
 *
 * @param queue the subscription's queue
 * @param position the message
 */
public record SettledRecord(long queue, long position) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(queue).putLong(position);
    }

    static SettledRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.SETTLED);
        return new SettledRecord(source.getLong(), source.getLong());
    }
}
