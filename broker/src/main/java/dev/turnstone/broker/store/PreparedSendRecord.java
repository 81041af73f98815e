package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message that a prepared branch will send; they are in the order of their records' ids. Version 1: version byte, the
 * id of the branch's record, the two halves of the fingerprint of the message's identity (longs, 0 and 0 if it has
 * none), the sender's client id as text, then the message's encoded form.
 *
 * @param branch the id of the branch's record
 * @param high the fingerprint's first half
 * @param low its second half
 * @param clientId the sender's client identifier, or null
 * @param message the message
 */
public record PreparedSendRecord(
        long branch, long high, long low, @Nullable String clientId, Message message) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 3 * Long.BYTES + Form.size(Form.utf8(clientId)) + message.encodedBytes();
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(branch).putLong(high).putLong(low);
        Form.put(target, Form.utf8(clientId));
        message.writeTo(target);
    }

    static PreparedSendRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.PREPARED_SEND);
        long branch = source.getLong();
        long high = source.getLong();
        long low = source.getLong();
        String clientId = Form.optionalText(source);
        byte[] encoded = new byte[source.remaining()];
        source.get(encoded);
        return new PreparedSendRecord(branch, high, low, clientId, Message.decode(encoded, 0, encoded.length));
    }
}
