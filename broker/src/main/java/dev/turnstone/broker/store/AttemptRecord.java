package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * One entry may have been seen, and so many attempts at it count. Version 2: version byte, queue id, position (longs),
 * attempts (int), when it may be delivered again (long), which version 1 does not have.
 *
 * @param queue the queue
 * @param position the message
 * @param attempts the attempts counted so far
 * @param retryMs when it may be delivered again, in milliseconds since the epoch; 0 if it need not wait
 */
public record AttemptRecord(long queue, long position, int attempts, long retryMs) implements Payload {
    private static final byte VERSION = 2;

    @Override
    public int sizeBytes() {
        return 1 + 3 * Long.BYTES + Integer.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(queue).putLong(position).putInt(attempts).putLong(retryMs);
    }

    static AttemptRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, VERSION, RecordType.ATTEMPT);
        return new AttemptRecord(
                source.getLong(), source.getLong(), source.getInt(), version == 1 ? 0 : source.getLong());
    }
}
