package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A durable queue that subscribes by filters; of several with one id the last counts. Version 2: version byte, queue
 * id, idle time, expiry (longs), largest depth (int), then client id, name and owner as texts. Version 1 has no owner.
 *
 * @param queue its id
 * @param expiresMs when it ends, in milliseconds since the epoch; 0 while that is not known, since it has a consumer
 * @param settings what was declared
 * @param owner the name of the user who has declared it; null if that is not known
 */
public record SubscriptionQueueRecord(
        long queue,
        long expiresMs,
        SubscriptionQueue settings,
        @Nullable String owner) implements Payload {
    private static final byte VERSION = 2;

    @Override
    public int sizeBytes() {
        return 1
                + 3 * Long.BYTES
                + Integer.BYTES
                + Form.size(Form.utf8(settings.name().clientId()))
                + Form.size(Form.utf8(settings.name().name()))
                + Form.size(Form.utf8(owner));
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(queue).putLong(settings.idleMs()).putLong(expiresMs);
        target.putInt(settings.depthMax());
        Form.put(target, Form.utf8(settings.name().clientId()));
        Form.put(target, Form.utf8(settings.name().name()));
        Form.put(target, Form.utf8(owner));
    }

    static SubscriptionQueueRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, VERSION, RecordType.SUBSCRIPTION_QUEUE);
        long queue = source.getLong();
        long idleMs = source.getLong();
        long expiresMs = source.getLong();
        int depthMax = source.getInt();
        SubscriptionName name = new SubscriptionName(Form.optionalText(source), Form.text(source));
        String owner = version == 1 ? null : Form.optionalText(source);
        return new SubscriptionQueueRecord(
                queue, expiresMs, new SubscriptionQueue(name, true, idleMs, depthMax), owner);
    }
}
