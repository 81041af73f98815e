package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;

/**
 * The messages of a page as its file has them. Version 1: version byte, count (int), then for each message its position
 * (long), a byte (1 if it is to survive the broker) and the length of its encoded form (int), then the encoded forms.
 * Engine thread.
 */
final class PageContent {
    private static final byte VERSION = 1;
    private static final int HEAD = 1 + Integer.BYTES;
    private static final int ROW = Long.BYTES + 1 + Integer.BYTES;

    private final ByteBuffer bytes;
    private final int[] starts;

    /** What was read of a file. */
    PageContent(ByteBuffer bytes) {
        this.bytes = bytes;
        if (bytes.get(0) != VERSION) {
            throw new BrokerException(
                    ErrorCode.DATA_UNUSABLE,
                    "a page's content has version " + bytes.get(0) + ", this program knows " + VERSION);
        }
        int count = bytes.getInt(1);
        starts = new int[count + 1];
        int at = HEAD + count * ROW;
        for (int slot = 0; slot < count; slot++) {
            starts[slot] = at;
            at += bytes.getInt(HEAD + slot * ROW + Long.BYTES + 1);
        }
        starts[count] = at;
        if (at != bytes.limit()) {
            throw new BrokerException(ErrorCode.DATA_UNUSABLE, "a page's lengths contradict each other");
        }
    }

    int sizeBytes() {
        return bytes.capacity();
    }

    long position(int slot, long base) {
        return base + bytes.getLong(HEAD + slot * ROW);
    }

    /** A message of its own, which keeps nothing of the page in memory. */
    StoredMessage message(int slot, long base) {
        byte[] encoded = new byte[starts[slot + 1] - starts[slot]];
        bytes.get(starts[slot], encoded);
        StoredMessage stored = new StoredMessage(position(slot, base), Message.decode(encoded, 0, encoded.length));
        if (bytes.get(HEAD + slot * ROW + Long.BYTES) != 0) {
            stored.recorded(0, 1, null);
        }
        return stored;
    }

    /** The content of a page to be written; what the messages say is taken now. */
    static Payload of(StoredMessage[] messages) {
        Row[] rows = new Row[messages.length];
        int size = HEAD;
        for (int slot = 0; slot < rows.length; slot++) {
            StoredMessage stored = messages[slot];
            rows[slot] = new Row(stored.position(), stored.recorded(), stored.message());
            size += ROW + stored.message().encodedBytes();
        }
        return new Rows(rows, size);
    }

    private record Row(long position, boolean recorded, Message message) {}

    private record Rows(Row[] rows, int sizeBytes) implements Payload {
        @Override
        public void writeTo(ByteBuffer target) {
            target.put(VERSION).putInt(rows.length);
            for (Row row : rows) {
                target.putLong(row.position()).put((byte) (row.recorded() ? 1 : 0));
                target.putInt(row.message().encodedBytes());
            }
            for (Row row : rows) {
                row.message().writeTo(target);
            }
        }
    }
}
