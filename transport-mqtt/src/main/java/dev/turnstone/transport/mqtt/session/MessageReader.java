package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.mqtt.codec.UserProperty;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Turns what clients publish into messages; {@code docs/mqtt.md} has the table. One for each connection. */
final class MessageReader {
    private static final long MS_PER_S = 1_000;

    private final Topics topics;
    private final String idPrefix =
            "ID:mqtt-" + Long.toHexString(ThreadLocalRandom.current().nextLong() >>> 8) + "-";
    private long messages;

    MessageReader(Topics topics) {
        this.topics = topics;
    }

    /**
     * The message of a PUBLISH.
     *
     * @throws MqttException TOPIC_NAME_INVALID, PAYLOAD_FORMAT_INVALID
     */
    Message read(Packet.Publish publish) {
        return build(publish.topic(), publish.qos(), publish.properties(), publish.payload())
                .retain(publish.retain())
                .build();
    }

    /** The will's message, as if it were published now; refused as {@link #read(Packet.Publish)} says. */
    Message read(Packet.Will will) {
        return build(will.topic(), will.qos(), will.properties(), will.payload())
                .retain(will.retain())
                .build();
    }

    private MessageBuilder build(String topic, int qos, Properties properties, ByteBuffer payload) {
        long nowMs = System.currentTimeMillis();
        boolean text = properties.number(Property.PAYLOAD_FORMAT_INDICATOR, 0) == 1;
        if (text && !isUtf8(payload)) {
            throw new MqttException(ReasonCode.PAYLOAD_FORMAT_INVALID, "the payload is not the UTF-8 that it says");
        }
        MessageBuilder message = MessageBuilder.to(topics.address(topic))
                .id(idPrefix + ++messages)
                .timestampMs(nowMs)
                .persistent(qos > 0)
                .body(text ? BodyKind.TEXT : BodyKind.BYTES, payload);
        if (qos == 1) {
            message.property(Names.QOS, qos);
        }
        if (!properties.isEmpty()) {
            read(properties, nowMs, message);
        }
        return message;
    }

    private void read(Properties properties, long nowMs, MessageBuilder message) {
        if (properties.has(Property.PAYLOAD_FORMAT_INDICATOR)
                && properties.number(Property.PAYLOAD_FORMAT_INDICATOR, 0) == 0) {
            message.property(Names.PAYLOAD_FORMAT, 0);
        }
        if (properties.has(Property.MESSAGE_EXPIRY_INTERVAL)) {
            // An interval of 0 has passed already; an expiry of 0 would mean never.
            message.expiryMs(nowMs + MS_PER_S * properties.number(Property.MESSAGE_EXPIRY_INTERVAL, 0));
        }
        String contentType = properties.text(Property.CONTENT_TYPE);
        if (contentType != null) {
            message.property(Names.CONTENT_TYPE, contentType);
        }
        String responseTopic = properties.text(Property.RESPONSE_TOPIC);
        if (responseTopic != null) {
            message.replyTo(topics.address(responseTopic));
        }
        message.correlationBytes(properties.bytes(Property.CORRELATION_DATA));
        if (!properties.users().isEmpty()) {
            readUsers(properties, message);
        }
    }

    private static void readUsers(Properties properties, MessageBuilder message) {
        Set<String> names = new HashSet<>();
        boolean fits = true;
        for (UserProperty user : properties.users()) {
            boolean first = names.add(user.name());
            fits &= first && isPlain(user.name());
            // Of repeated names the first counts, as in STOMP.
            if (first) {
                readUser(user, properties, message);
            }
        }
        if (!fits) {
            StringBuilder all = new StringBuilder();
            properties
                    .users()
                    .forEach(user -> all.append(user.name())
                            .append('\0')
                            .append(user.value())
                            .append('\0'));
            message.property(Names.USER_PROPERTIES, all.toString());
        }
    }

    private static boolean isPlain(String name) {
        return switch (name) {
            case "", Names.TYPE, Names.GROUP_ID, Names.GROUP_SEQUENCE -> false;
            default -> !Names.isOwn(name);
        };
    }

    private static void readUser(UserProperty user, Properties properties, MessageBuilder message) {
        switch (user.name()) {
            case Names.TYPE -> message.type(user.value());
            case Names.GROUP_ID, Names.GROUP_SEQUENCE ->
                message.grouped(text(properties, Names.GROUP_ID), groupSequence(properties));
            case Names.MANDATORY ->
                message.mandatory(user.value().equals("true")).property(Names.MANDATORY, user.value());
            case "" -> {
                // No name of a property.
            }
            default -> {
                if (!Names.isOwn(user.name())) {
                    message.property(user.name(), user.value());
                }
            }
        }
    }

    private static @Nullable String text(Properties properties, String name) {
        for (UserProperty user : properties.users()) {
            if (user.name().equals(name)) {
                return user.value();
            }
        }
        return null;
    }

    private static @Nullable Integer groupSequence(Properties properties) {
        String text = text(properties, Names.GROUP_SEQUENCE);
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null; // A place in a group that is no number is none.
        }
    }

    private static boolean isUtf8(ByteBuffer payload) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(payload.duplicate());
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
