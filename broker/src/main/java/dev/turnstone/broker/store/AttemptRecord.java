package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * One entry may have been seen, and so many attempts at it count. Version 1: version byte, queue id, position (longs),
 * attempts (int).
 *
 * @param queue the queue
 * @param position the message
 * @param attempts the attempts counted so far
 */
public record AttemptRecord(long queue, long position, int attempts) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES + Integer.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(queue).putLong(position).putInt(attempts);
    }

    static AttemptRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.ATTEMPT);
        return new AttemptRecord(source.getLong(), source.getLong(), source.getInt());
    }
}
