package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.transport.stomp.codec.Command;
import dev.turnstone.transport.stomp.codec.FrameEncoder;
import dev.turnstone.transport.stomp.codec.Header;
import dev.turnstone.transport.stomp.codec.Version;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns deliveries into MESSAGE frames; {@code docs/stomp.md} has the table. One for each connection. */
final class MessageWriter {
    private static final int PRIORITY_DEFAULT = 4;

    private final FrameEncoder encoder;
    private final Destinations destinations;

    MessageWriter(FrameEncoder encoder, Destinations destinations) {
        this.encoder = encoder;
        this.destinations = destinations;
    }

    void write(Delivery delivery, Subscription subscription, Version version) {
        Message message = delivery.message();
        encoder.begin(Command.MESSAGE);
        if (subscription.id() != null) {
            encoder.header(Header.SUBSCRIPTION, subscription.id());
        }
        names(delivery, subscription, version);
        encoder.header(Header.DESTINATION, destinations.show(message.address()));
        if (delivery.redelivered()) {
            encoder.header(Header.REDELIVERED, "true");
            encoder.header(Header.DELIVERY_COUNT, delivery.deliveryCount());
        }
        if (delivery.groupFirst()) {
            encoder.header(Header.GROUP_FIRST, "true");
        }
        if (message.retained()) {
            encoder.header(Header.RETAINED, "true");
        }
        fields(message);
        properties(message);
        encoder.end(message.body());
    }

    /** The message's id, and how to acknowledge this delivery of it if that is the client's part. */
    private void names(Delivery delivery, Subscription subscription, Version version) {
        String known = delivery.message().id();
        String id = known != null ? known : "P:" + delivery.position();
        if (subscription.mode() == AckMode.AUTO) {
            encoder.header(Header.MESSAGE_ID, id);
            return;
        }
        AckId ack = new AckId(subscription.consumer(), delivery.number());
        if (version == Version.V1_2) {
            encoder.header(Header.MESSAGE_ID, id);
            encoder.header(Header.ACK, ack.text());
        } else {
            encoder.header(Header.MESSAGE_ID, ack.behind(id));
        }
    }

    private void fields(Message message) {
        encoder.header(Header.PERSISTENT, message.persistent() ? "true" : "false");
        if (message.timestampMs() != 0) {
            encoder.header(Header.TIMESTAMP, message.timestampMs());
        }
        if (message.expiryMs() != 0) {
            encoder.header(Header.EXPIRES, message.expiryMs());
        }
        if (message.priority() != PRIORITY_DEFAULT) {
            encoder.header(Header.PRIORITY, message.priority());
        }
        optional(Header.CORRELATION_ID, correlation(message));
        if (message.replyTo() != null) {
            encoder.header(Header.REPLY_TO, Destinations.text(message.replyTo()));
        }
        optional(Header.TYPE, message.type());
        if (message.group() != null) {
            encoder.header(Header.GROUP_ID, message.group());
        }
        Integer sequence = message.givenSequence();
        if (sequence != null) {
            encoder.header(Header.GROUP_SEQUENCE, sequence);
        }
    }

    private static @Nullable String correlation(Message message) {
        byte[] bytes = message.correlationBytes();
        return bytes == null ? message.correlationId() : HexFormat.of().formatHex(bytes);
    }

    /** Properties as text. One that is null has none, and one that this version cannot carry is left out. */
    private void properties(Message message) {
        boolean typed = false;
        for (Map.Entry<String, @Nullable Object> property : message.properties().entrySet()) {
            String name = property.getKey();
            Object value = property.getValue();
            if (value != null && !ReservedHeaders.contains(name)) {
                typed |= encoder.header(name, value.toString()) && name.equals(Header.CONTENT_TYPE);
            }
        }
        if (!typed) {
            optional(Header.CONTENT_TYPE, contentType(message.bodyKind()));
        }
    }

    /** The type of a body whose sender named none; STOMP takes a body without one for bytes. */
    private static @Nullable String contentType(BodyKind kind) {
        return switch (kind) {
            case NONE, BYTES -> null;
            case TEXT -> ContentType.TEXT;
            case MAP, STREAM, OBJECT ->
                "application/vnd.turnstone." + kind.name().toLowerCase(Locale.ROOT);
        };
    }

    private void optional(String name, @Nullable String value) {
        if (value != null) {
            encoder.header(name, value);
        }
    }
}
