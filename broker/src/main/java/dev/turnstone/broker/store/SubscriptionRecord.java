package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.SubscriptionName;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A durable subscription; the record's id is its queue's. Version 1: version byte, flags byte (1: no local, 2: shared),
 * then client id, name, topic and selector as texts.
 *
 * @param name its name
 * @param topic what it subscribes to, or a pattern of that
 * @param selector what it takes, or null for everything
 * @param noLocal true if it leaves out what its own client id sends
 * @param shared true if several consumers may have it at a time
 */
public record SubscriptionRecord(
        SubscriptionName name, Address topic, @Nullable String selector, boolean noLocal, boolean shared)
        implements Payload {
    private static final byte VERSION = 1;
    private static final int NO_LOCAL = 1;
    private static final int SHARED = 2;

    @Override
    public int sizeBytes() {
        return 2
                + Form.size(Form.utf8(name.clientId()))
                + Form.size(Form.utf8(name.name()))
                + Form.size(Form.utf8(topic.name()))
                + Form.size(Form.utf8(selector));
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).put((byte) ((noLocal ? NO_LOCAL : 0) | (shared ? SHARED : 0)));
        Form.put(target, Form.utf8(name.clientId()));
        Form.put(target, Form.utf8(name.name()));
        Form.put(target, Form.utf8(topic.name()));
        Form.put(target, Form.utf8(selector));
    }

    static SubscriptionRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.SUBSCRIPTION);
        byte flags = source.get();
        SubscriptionName name = new SubscriptionName(Form.optionalText(source), Form.text(source));
        return new SubscriptionRecord(
                name,
                Address.pattern(AddressKind.TOPIC, Form.text(source)),
                Form.optionalText(source),
                (flags & NO_LOCAL) != 0,
                (flags & SHARED) != 0);
    }
}
