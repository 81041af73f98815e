package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A message and who holds it; the record's id is the message's position. Version 1: version byte, target byte (0: one
 * queue, 1: a subscriber set), the id of that queue or set (long), the count of exceptions (int) and for each the index
 * in the set (int) of a subscription that does not get it, then the message's encoded form.
 *
 * @param target the id of the queue, or of the set's record
 * @param toSet true for a subscriber set
 * @param exceptions indices in the set, ascending
 * @param message the message
 */
record MessageRecord(long target, boolean toSet, int[] exceptions, Message message) implements Payload {
    private static final byte VERSION = 1;
    private static final int HEADER = 2 + Long.BYTES + Integer.BYTES;
    private static final int[] NONE = {};

    static MessageRecord toQueue(long queue, Message message) {
        return new MessageRecord(queue, false, NONE, message);
    }

    @Override
    public int sizeBytes() {
        return HEADER + exceptions.length * Integer.BYTES + message.encodedBytes();
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).put((byte) (toSet ? 1 : 0)).putLong(this.target).putInt(exceptions.length);
        for (int exception : exceptions) {
            target.putInt(exception);
        }
        message.writeTo(target);
    }

    static MessageRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.MESSAGE);
        boolean toSet = source.get() != 0;
        long target = source.getLong();
        int[] exceptions = new int[source.getInt()];
        for (int i = 0; i < exceptions.length; i++) {
            exceptions[i] = source.getInt();
        }
        byte[] encoded = new byte[source.remaining()];
        source.get(encoded);
        return new MessageRecord(target, toSet, exceptions, Message.decode(encoded, 0, encoded.length));
    }

    boolean excepts(int index) {
        return exceptions.length != 0 && Arrays.binarySearch(exceptions, index) >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageRecord that
                && target == that.target
                && toSet == that.toSet
                && Arrays.equals(exceptions, that.exceptions)
                && message.equals(that.message);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(target);
    }
}
