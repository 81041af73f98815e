package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The durable subscriptions that a topic had at some time, named by message records instead of a list in each. Version
 * 2: version byte, the id of the record that this one goes on from (long), count (int), the ids of the subscriptions'
 * queues (longs). In version 1, with which each set begins, that id is missing. The records of a large set have
 * ascending ids; messages name the first.
 *
 * @param begun the id of the record that the set begins with; 0 if this is it
 * @param queues the ids, in the order that the exceptions' indices mean
 */
public record SubscriberSetRecord(long begun, long[] queues) implements Payload {
    private static final byte VERSION = 2;
    private static final byte FIRST = 1;

    /** One that a set begins with. */
    public SubscriberSetRecord(long[] queues) {
        this(0, queues);
    }

    /** How many queues a record of a size can have. */
    static int most(int recordMaxBytes) {
        return (recordMaxBytes - 1 - Long.BYTES - Integer.BYTES) / Long.BYTES;
    }

    @Override
    public int sizeBytes() {
        return 1 + (begun == 0 ? 0 : Long.BYTES) + Integer.BYTES + queues.length * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(begun == 0 ? FIRST : VERSION);
        if (begun != 0) {
            target.putLong(begun);
        }
        target.putInt(queues.length);
        for (long queue : queues) {
            target.putLong(queue);
        }
    }

    static SubscriberSetRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, VERSION, RecordType.SUBSCRIBER_SET);
        long begun = version == FIRST ? 0 : source.getLong();
        long[] queues = new long[source.getInt()];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = source.getLong();
        }
        return new SubscriberSetRecord(begun, queues);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SubscriberSetRecord that && begun == that.begun && Arrays.equals(queues, that.queues);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(queues);
    }
}
