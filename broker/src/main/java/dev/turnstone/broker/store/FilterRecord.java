package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a durable queue; of several for one topic the last counts. Version 1: version byte, flags byte (1: no
 * local), queue id, position from which it holds, options (longs), then topic, selector, and the topic up to which
 * retained messages are in the queue, as texts.
 *
 * @param queue the queue's id
 * @param since it holds for messages at later positions
 * @param options the edge's
 * @param noLocal true if it leaves out what the queue's client sends
 * @param topic a topic, or a pattern of topics
 * @param selector what it takes, or null for everything
 * @param retainedTo how far the retained messages are in the queue; null if they all are, or none was asked for
 */
public record FilterRecord(
        long queue,
        long since,
        long options,
        boolean noLocal,
        Address topic,
        @Nullable String selector,
        @Nullable String retainedTo)
        implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 2
                + 3 * Long.BYTES
                + Form.size(Form.utf8(topic.name()))
                + Form.size(Form.utf8(selector))
                + Form.size(Form.utf8(retainedTo));
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).put((byte) (noLocal ? 1 : 0));
        target.putLong(queue).putLong(since).putLong(options);
        Form.put(target, Form.utf8(topic.name()));
        Form.put(target, Form.utf8(selector));
        Form.put(target, Form.utf8(retainedTo));
    }

    static FilterRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.FILTER);
        boolean noLocal = source.get() != 0;
        return new FilterRecord(
                source.getLong(),
                source.getLong(),
                source.getLong(),
                noLocal,
                Address.pattern(AddressKind.TOPIC, Form.text(source)),
                Form.optionalText(source),
                Form.optionalText(source));
    }
}
