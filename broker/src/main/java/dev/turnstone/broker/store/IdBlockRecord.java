package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * Identifiers below this end may have been given out. Version 1: version byte, end (long).
 *
 * @param end the first identifier that was not reserved
 */
record IdBlockRecord(long end) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(end);
    }

    static IdBlockRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.ID_BLOCK);
        return new IdBlockRecord(source.getLong());
    }
}
