package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * The highest number that a producer has sent to an address. Version 1: version byte, the two halves of the
 * fingerprint, the number, the time (longs).
 *
 * @param high the first half of the fingerprint of address and producer
 * @param low the second half
 * @param sequence the number
 * @param usedMs when it was sent, milliseconds since the epoch
 */
public record ProducerRecord(long high, long low, long sequence, long usedMs) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 4 * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(high).putLong(low).putLong(sequence).putLong(usedMs);
    }

    static ProducerRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.PRODUCER);
        return new ProducerRecord(source.getLong(), source.getLong(), source.getLong(), source.getLong());
    }
}
