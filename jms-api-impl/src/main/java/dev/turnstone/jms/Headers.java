package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.DeliveryMode;
import org.jspecify.annotations.Nullable;

/** The header fields of one message (Jakarta Messaging 3.1 §3.4), as the application sees them. One thread. */
final class Headers {
    @Nullable
    String messageId;

    long timestamp;

    @Nullable
    Object correlationId;

    @Nullable
    TurnstoneDestination replyTo;

    @Nullable
    TurnstoneDestination destination;

    int deliveryMode = DeliveryMode.PERSISTENT;
    boolean redelivered;

    @Nullable
    String type;

    long expiration;
    long deliveryTime;
    int priority = 4;

    /** Those of a new message. */
    Headers() {}

    /** Those of a received message. */
    Headers(Message received, boolean redelivered) {
        messageId = received.id();
        timestamp = received.timestampMs();
        correlationId = received.correlationId();
        if (correlationId == null) {
            correlationId = received.correlationBytes();
        }
        Address answers = received.replyTo();
        replyTo = answers == null ? null : TurnstoneDestination.of(answers);
        destination = TurnstoneDestination.of(received.address());
        deliveryMode = received.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
        this.redelivered = redelivered;
        type = received.type();
        expiration = received.expiryMs();
        // Without a delay, a message may be delivered from the moment when it was sent.
        deliveryTime = received.deliveryTimeMs() == 0 ? received.timestampMs() : received.deliveryTimeMs();
        priority = received.priority();
    }

    /** What a client sets; the rest is set by the send. */
    void encode(MessageBuilder target) {
        if (correlationId instanceof String text) {
            target.correlationId(text);
        } else if (correlationId instanceof byte[] bytes) {
            target.correlationBytes(bytes);
        }
        if (replyTo != null) {
            target.replyTo(replyTo.address());
        }
        if (type != null) {
            target.type(type);
        }
    }
}
