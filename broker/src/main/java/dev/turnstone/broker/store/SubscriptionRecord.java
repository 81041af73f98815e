package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.SubscriptionName;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A durable subscription; the record's id is its queue's. Version 2: version byte, flags byte (1: no local, 2: shared),
 * then client id, name, topic, selector and owner as texts. Version 1 has no owner.
 *
 * @param name its name
 * @param topic what it subscribes to, or a pattern of that
 * @param selector what it takes, or null for everything
 * @param noLocal true if it leaves out what its own client id sends
 * @param shared true if several consumers may have it at a time
 * @param owner the name of the user who has made it; null if that is not known
 */
public record SubscriptionRecord(
        SubscriptionName name,
        Address topic,
        @Nullable String selector,
        boolean noLocal,
        boolean shared,
        @Nullable String owner)
        implements Payload {
    private static final byte VERSION = 2;
    private static final int NO_LOCAL = 1;
    private static final int SHARED = 2;

    @Override
    public int sizeBytes() {
        return 2
                + Form.size(Form.utf8(name.clientId()))
                + Form.size(Form.utf8(name.name()))
                + Form.size(Form.utf8(topic.name()))
                + Form.size(Form.utf8(selector))
                + Form.size(Form.utf8(owner));
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).put((byte) ((noLocal ? NO_LOCAL : 0) | (shared ? SHARED : 0)));
        Form.put(target, Form.utf8(name.clientId()));
        Form.put(target, Form.utf8(name.name()));
        Form.put(target, Form.utf8(topic.name()));
        Form.put(target, Form.utf8(selector));
        Form.put(target, Form.utf8(owner));
    }

    /** True if it is the same subscription, whoever has made it. */
    public boolean sameAs(SubscriptionRecord other) {
        return new SubscriptionRecord(name, topic, selector, noLocal, shared, other.owner).equals(other);
    }

    static SubscriptionRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, VERSION, RecordType.SUBSCRIPTION);
        byte flags = source.get();
        SubscriptionName name = new SubscriptionName(Form.optionalText(source), Form.text(source));
        return new SubscriptionRecord(
                name,
                Address.pattern(AddressKind.TOPIC, Form.text(source)),
                Form.optionalText(source),
                (flags & NO_LOCAL) != 0,
                (flags & SHARED) != 0,
                version == 1 ? null : Form.optionalText(source));
    }
}
