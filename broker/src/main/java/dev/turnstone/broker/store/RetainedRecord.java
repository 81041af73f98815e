package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;

/**
 * What a topic retains; of several for one topic the last counts. Version 1: version byte, then the message's encoded
 * form, which names the topic.
 *
 * @param message the message
 */
public record RetainedRecord(Message message) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + message.encodedBytes();
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION);
        message.writeTo(target);
    }

    static RetainedRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.RETAINED);
        byte[] encoded = new byte[source.remaining()];
        source.get(encoded);
        return new RetainedRecord(Message.decode(encoded, 0, encoded.length));
    }
}
