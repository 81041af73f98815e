package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The durable subscriptions that a topic had at some time, named by message records instead of a list in each. Version
 * 1: version byte, count (int), the ids of the subscriptions' queues (longs).
 *
 * @param queues the ids, in the order that the exceptions' indices mean
 */
public record SubscriberSetRecord(long[] queues) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + Integer.BYTES + queues.length * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putInt(queues.length);
        for (long queue : queues) {
            target.putLong(queue);
        }
    }

    static SubscriberSetRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.SUBSCRIBER_SET);
        long[] queues = new long[source.getInt()];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = source.getLong();
        }
        return new SubscriberSetRecord(queues);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SubscriberSetRecord that && Arrays.equals(queues, that.queues);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(queues);
    }
}
