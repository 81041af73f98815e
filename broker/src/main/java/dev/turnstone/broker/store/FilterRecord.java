package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a durable queue; of several for one topic the last that has not ended counts. Version 2: version byte,
 * flags byte (1: no local), queue id, positions from which and up to which it holds, options, the three positions of
 * what it got of retained messages (longs), then topic, selector, and the topic up to which retained messages are in
 * the queue, as texts. Version 1 has neither the end nor the three positions.
 *
 * @param queue the queue's id
 * @param since it holds for messages at later positions
 * @param until it holds for messages at earlier positions; 0 while it has not ended
 * @param options the edge's
 * @param noLocal true if it leaves out what the queue's client sends
 * @param topic a topic, or a pattern of topics
 * @param selector what it takes, or null for everything
 * @param retained what it got of retained messages
 */
public record FilterRecord(
        long queue,
        long since,
        long until,
        long options,
        boolean noLocal,
        Address topic,
        @Nullable String selector,
        FilterRecord.Retained retained)
        implements Payload {
    private static final byte VERSION = 2;
    private static final byte ENDLESS = 1;

    /**
     * How far retained messages have been put into the queue.
     *
     * @param asOf they were retained before this position
     * @param first the position of the first copy in the queue; 0 if there is none
     * @param last the position of the last copy
     * @param to the key of the next; null if they all are there, or none was asked for
     */
    public record Retained(
            long asOf, long first, long last, @Nullable String to) {}

    @Override
    public int sizeBytes() {
        return 2
                + 7 * Long.BYTES
                + Form.size(Form.utf8(topic.name()))
                + Form.size(Form.utf8(selector))
                + Form.size(Form.utf8(retained.to()));
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).put((byte) (noLocal ? 1 : 0));
        target.putLong(queue).putLong(since).putLong(until).putLong(options);
        target.putLong(retained.asOf()).putLong(retained.first()).putLong(retained.last());
        Form.put(target, Form.utf8(topic.name()));
        Form.put(target, Form.utf8(selector));
        Form.put(target, Form.utf8(retained.to()));
    }

    static FilterRecord read(ByteBuffer source) {
        boolean endless = source.get(source.position()) == ENDLESS;
        Form.expectVersion(source, endless ? ENDLESS : VERSION, RecordType.FILTER);
        boolean noLocal = source.get() != 0;
        long queue = source.getLong();
        long since = source.getLong();
        long until = endless ? 0 : source.getLong();
        long options = source.getLong();
        long asOf = endless ? since : source.getLong();
        long first = endless ? 0 : source.getLong();
        long last = endless ? 0 : source.getLong();
        Address topic = Address.pattern(AddressKind.TOPIC, Form.text(source));
        String selector = Form.optionalText(source);
        Retained retained = new Retained(asOf, first, last, Form.optionalText(source));
        return new FilterRecord(queue, since, until, options, noLocal, topic, selector, retained);
    }
}
