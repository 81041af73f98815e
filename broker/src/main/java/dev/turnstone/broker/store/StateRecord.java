package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The value of one key of protocol state. Version 1: version byte, then the cell: the length of the path (unsigned
 * short), the path (the namespace in UTF-8, a zero byte, the key in UTF-8), and the value.
 *
 * @param cell path and value in one array, shared with memory and not changed
 */
public record StateRecord(byte[] cell) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + cell.length;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).put(cell);
    }

    static StateRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.STATE);
        byte[] cell = new byte[source.remaining()];
        source.get(cell);
        return new StateRecord(cell);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StateRecord that && Arrays.equals(cell, that.cell);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cell);
    }
}
