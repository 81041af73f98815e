package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Message;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What of a message becomes properties of MQTT 5; {@code docs/mqtt.md} has the table. Stateless. */
final class MessageWriter {
    private static final long MS_PER_S = 1_000;

    private MessageWriter() {}

    /** The QoS at which the message was sent: JMS and STOMP have two, persistent and not. */
    static int qos(Message message) {
        if (!message.persistent()) {
            return 0;
        }
        return message.property(Names.QOS) instanceof Integer qos && qos == 1 ? 1 : 2;
    }

    /** The properties of its PUBLISH, but for subscription identifiers; a new object. */
    static Properties properties(Message message, long nowMs) {
        Properties properties = new Properties();
        if (message.bodyKind() == BodyKind.TEXT) {
            properties.set(Property.PAYLOAD_FORMAT_INDICATOR, 1);
        }
        if (message.expiryMs() != 0) {
            // What has begun counts as a whole second: 0 would say that it has expired.
            long leftMs = Math.max(1, message.expiryMs() - nowMs);
            properties.set(
                    Property.MESSAGE_EXPIRY_INTERVAL, Math.min((leftMs + MS_PER_S - 1) / MS_PER_S, 0xffff_ffffL));
        }
        Address replyTo = message.replyTo();
        if (replyTo != null && replyTo.kind() == AddressKind.TOPIC) {
            properties.set(Property.RESPONSE_TOPIC, new Topics().name(replyTo));
        }
        byte[] correlation = correlation(message);
        if (correlation != null) {
            properties.set(Property.CORRELATION_DATA, correlation);
        }
        users(message, properties);
        return properties;
    }

    private static byte @Nullable [] correlation(Message message) {
        String text = message.correlationId();
        return text == null ? message.correlationBytes() : text.getBytes(StandardCharsets.UTF_8);
    }

    private static void users(Message message, Properties properties) {
        Map<String, @Nullable Object> all = message.properties();
        boolean whole = all.get(Names.USER_PROPERTIES) instanceof String list
                && readAll(list, all.containsKey(Names.DEDUP_ID), properties);
        for (Map.Entry<String, @Nullable Object> property : all.entrySet()) {
            String name = property.getKey();
            Object value = property.getValue();
            if (name.equals(Names.CONTENT_TYPE)) {
                if (value != null && fits(value.toString())) {
                    properties.set(Property.CONTENT_TYPE, value.toString());
                }
            } else if (name.equals(Names.PAYLOAD_FORMAT) && message.bodyKind() != BodyKind.TEXT) {
                properties.set(Property.PAYLOAD_FORMAT_INDICATOR, 0);
            } else if (value != null && !whole && !Names.isOwn(name) && !name.equals(Names.GROUP_SEQUENCE)) {
                add(properties, name, value.toString());
            }
        }
        if (!properties.has(Property.CONTENT_TYPE)) {
            contentType(message.bodyKind(), properties);
        }
        if (!whole && message.type() != null) {
            add(properties, Names.TYPE, message.type());
        }
        if (!whole) {
            grouped(message, properties);
        }
    }

    private static void grouped(Message message, Properties properties) {
        if (message.group() != null) {
            add(properties, Names.GROUP_ID, message.group());
        }
        Integer sequence = message.givenSequence();
        if (sequence != null) {
            add(properties, Names.GROUP_SEQUENCE, sequence.toString());
        }
    }

    /** The form of a body that only this broker's clients read. */
    private static void contentType(BodyKind kind, Properties properties) {
        if (kind == BodyKind.MAP || kind == BodyKind.STREAM || kind == BodyKind.OBJECT) {
            properties.set(
                    Property.CONTENT_TYPE,
                    "application/vnd.turnstone." + kind.name().toLowerCase(Locale.ROOT));
        }
    }

    /** MQTT has no text with U+0000, and none of more than 65 535 bytes: such a property is left out. */
    private static void add(Properties properties, String name, @Nullable String value) {
        if (value != null && fits(name) && fits(value)) {
            properties.add(new UserProperty(name, value));
        }
    }

    private static boolean fits(String text) {
        return text.indexOf('\0') < 0
                && (text.length() <= 0xffff / 3 || text.getBytes(StandardCharsets.UTF_8).length <= 0xffff);
    }

    /** An identity that the message has no longer, as a dead letter, is left out. */
    private static boolean readAll(String list, boolean hasIdentity, Properties properties) {
        String[] parts = list.split("\0", -1);
        for (int i = 0; i + 1 < parts.length; i += 2) {
            if (hasIdentity || !parts[i].equals(Names.DEDUP_ID)) {
                properties.add(new UserProperty(parts[i], parts[i + 1]));
            }
        }
        return true;
    }
}
