package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;

/**
 * A queue has passed a message of a page. Version 1: version byte, page and queue (longs), slot (int).
 *
 * @param page the page
 * @param queue the queue
 * @param slot the message's number in the page
 */
public record PageSettledRecord(long page, long queue, int slot) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES + Integer.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(page).putLong(queue).putInt(slot);
    }

    static PageSettledRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.PAGE_SETTLED);
        return new PageSettledRecord(source.getLong(), source.getLong(), source.getInt());
    }
}
