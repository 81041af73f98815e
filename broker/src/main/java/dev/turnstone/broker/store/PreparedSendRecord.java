package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message that a prepared branch will send; they are in the order of their records' ids. Version 2: version byte, the
 * id of the branch's record, the two halves of the fingerprint of the message's identity (longs, 0 and 0 if it has
 * none), the sender's client id as text, the page that has the message (long), its count of messages, the message's
 * number in it and what it has beside the head (ints), then the encoded form of the head, which has no body. In version
 * 1, which is written if there is no page, its place is missing, and the message is whole.
 *
 * @param branch the id of the branch's record
 * @param high the fingerprint's first half
 * @param low its second half
 * @param clientId the sender's client identifier, or null
 * @param place where the rest of the message is; null if the message is whole
 * @param message the message, or its head
 */
public record PreparedSendRecord(
        long branch,
        long high,
        long low,
        @Nullable String clientId,
        @Nullable Place place,
        Message message) implements Payload {
    private static final byte VERSION = 2;
    private static final byte WHOLE = 1;
    private static final int PLACE_BYTES = Long.BYTES + 3 * Integer.BYTES;

    /**
     * A message in a page that is written, and not marked.
     *
     * @param page the page's id
     * @param slots how many messages the page has
     * @param slot the message's number there
     * @param apartBytes what the page has of it beside the head
     */
    public record Place(long page, int slots, int slot, int apartBytes) {}

    @Override
    public int sizeBytes() {
        return 1
                + 3 * Long.BYTES
                + Form.size(Form.utf8(clientId))
                + (place == null ? 0 : PLACE_BYTES)
                + message.encodedBytes();
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(place == null ? WHOLE : VERSION)
                .putLong(branch)
                .putLong(high)
                .putLong(low);
        Form.put(target, Form.utf8(clientId));
        if (place != null) {
            target.putLong(place.page())
                    .putInt(place.slots())
                    .putInt(place.slot())
                    .putInt(place.apartBytes());
        }
        message.writeTo(target);
    }

    static PreparedSendRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, VERSION, RecordType.PREPARED_SEND);
        long branch = source.getLong();
        long high = source.getLong();
        long low = source.getLong();
        String clientId = Form.optionalText(source);
        Place place = version == WHOLE
                ? null
                : new Place(source.getLong(), source.getInt(), source.getInt(), source.getInt());
        byte[] encoded = new byte[source.remaining()];
        source.get(encoded);
        return new PreparedSendRecord(branch, high, low, clientId, place, Message.decode(encoded, 0, encoded.length));
    }
}
