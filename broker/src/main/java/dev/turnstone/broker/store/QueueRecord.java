package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import java.nio.ByteBuffer;

/**
 * A queue that holds something durable; the record's id is the queue's. Version 1: version byte, the name as text.
 *
 * @param address the queue's address
 */
public record QueueRecord(Address address) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + Form.size(Form.utf8(address.name()));
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION);
        Form.put(target, Form.utf8(address.name()));
    }

    static QueueRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.QUEUE);
        return new QueueRecord(Address.queue(Form.text(source)));
    }
}
