package dev.turnstone.transport.mqtt.codec;

import static dev.turnstone.transport.mqtt.codec.PacketType.AUTH;
import static dev.turnstone.transport.mqtt.codec.PacketType.CONNACK;
import static dev.turnstone.transport.mqtt.codec.PacketType.CONNECT;
import static dev.turnstone.transport.mqtt.codec.PacketType.DISCONNECT;
import static dev.turnstone.transport.mqtt.codec.PacketType.PUBACK;
import static dev.turnstone.transport.mqtt.codec.PacketType.PUBCOMP;
import static dev.turnstone.transport.mqtt.codec.PacketType.PUBLISH;
import static dev.turnstone.transport.mqtt.codec.PacketType.PUBREC;
import static dev.turnstone.transport.mqtt.codec.PacketType.PUBREL;
import static dev.turnstone.transport.mqtt.codec.PacketType.SUBACK;
import static dev.turnstone.transport.mqtt.codec.PacketType.SUBSCRIBE;
import static dev.turnstone.transport.mqtt.codec.PacketType.UNSUBACK;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The properties of MQTT 5 (§2.2.2.2): number, form, and the packets that may have them. */
public enum Property {
    /** 1 if the payload is UTF-8. */
    PAYLOAD_FORMAT_INDICATOR(0x01, Form.FLAG, PUBLISH, PacketType.RESERVED),
    /** Seconds after which nobody gets the message. */
    MESSAGE_EXPIRY_INTERVAL(0x02, Form.FOUR_BYTES, PUBLISH, PacketType.RESERVED),
    /** What the payload is. */
    CONTENT_TYPE(0x03, Form.TEXT, PUBLISH, PacketType.RESERVED),
    /** Where an answer should go. */
    RESPONSE_TOPIC(0x08, Form.TEXT, PUBLISH, PacketType.RESERVED),
    /** What an answer should carry. */
    CORRELATION_DATA(0x09, Form.BINARY, PUBLISH, PacketType.RESERVED),
    /** The client's number for a subscription. */
    SUBSCRIPTION_IDENTIFIER(0x0B, Form.VARIABLE, PUBLISH, SUBSCRIBE),
    /** Seconds for which the session outlives its connection. */
    SESSION_EXPIRY_INTERVAL(0x11, Form.FOUR_BYTES, CONNECT, CONNACK, DISCONNECT),
    /** The client identifier that the server chose. */
    ASSIGNED_CLIENT_IDENTIFIER(0x12, Form.TEXT, CONNACK),
    /** The keep-alive that the server wants. */
    SERVER_KEEP_ALIVE(0x13, Form.TWO_BYTES, CONNACK),
    /** Enhanced authentication: which. */
    AUTHENTICATION_METHOD(0x15, Form.TEXT, CONNECT, CONNACK, AUTH),
    /** Enhanced authentication: what. */
    AUTHENTICATION_DATA(0x16, Form.BINARY, CONNECT, CONNACK, AUTH),
    /** 0 if the client wants no reason strings. */
    REQUEST_PROBLEM_INFORMATION(0x17, Form.FLAG, CONNECT),
    /** Seconds between the connection's end and the will. */
    WILL_DELAY_INTERVAL(0x18, Form.FOUR_BYTES, PacketType.RESERVED),
    /** 1 if the client wants response information. */
    REQUEST_RESPONSE_INFORMATION(0x19, Form.FLAG, CONNECT),
    /** Where response topics may begin. */
    RESPONSE_INFORMATION(0x1A, Form.TEXT, CONNACK),
    /** Another server. */
    SERVER_REFERENCE(0x1C, Form.TEXT, CONNACK, DISCONNECT),
    /** Why, for people. */
    REASON_STRING(0x1F, Form.TEXT, CONNACK, PUBACK, PUBREC, PUBREL, PUBCOMP, SUBACK, UNSUBACK, DISCONNECT, AUTH),
    /** How many unanswered messages of QoS 1 and 2 are taken. */
    RECEIVE_MAXIMUM(0x21, Form.TWO_BYTES_NOT_ZERO, CONNECT, CONNACK),
    /** How many topic aliases are taken. */
    TOPIC_ALIAS_MAXIMUM(0x22, Form.TWO_BYTES, CONNECT, CONNACK),
    /** A number for the topic. */
    TOPIC_ALIAS(0x23, Form.TWO_BYTES, PUBLISH),
    /** The highest QoS. */
    MAXIMUM_QOS(0x24, Form.FLAG, CONNACK),
    /** 0 if there are no retained messages. */
    RETAIN_AVAILABLE(0x25, Form.FLAG, CONNACK),
    /** A name and a value of the application; may be repeated. */
    USER_PROPERTY(0x26, Form.PAIR, PacketType.values()),
    /** The largest packet, in bytes. */
    MAXIMUM_PACKET_SIZE(0x27, Form.FOUR_BYTES_NOT_ZERO, CONNECT, CONNACK),
    /** 0 if there are no wildcards. */
    WILDCARD_SUBSCRIPTION_AVAILABLE(0x28, Form.FLAG, CONNACK),
    /** 0 if there are no subscription identifiers. */
    SUBSCRIPTION_IDENTIFIER_AVAILABLE(0x29, Form.FLAG, CONNACK),
    /** 0 if there are no shared subscriptions. */
    SHARED_SUBSCRIPTION_AVAILABLE(0x2A, Form.FLAG, CONNACK);

    /** How a value is written. */
    enum Form {
        /** A byte that is 0 or 1. */
        FLAG,
        TWO_BYTES,
        TWO_BYTES_NOT_ZERO,
        FOUR_BYTES,
        FOUR_BYTES_NOT_ZERO,
        VARIABLE,
        TEXT,
        BINARY,
        PAIR
    }

    private static final @Nullable Property[] BY_NUMBER = new @Nullable Property[0x2B];

    static {
        for (Property property : values()) {
            BY_NUMBER[property.number] = property;
        }
    }

    private final int number;
    private final Form form;
    private final int packets;

    Property(int number, Form form, PacketType... packets) {
        this.number = number;
        this.form = form;
        int mask = 0;
        for (PacketType packet : packets) {
            mask |= 1 << packet.code();
        }
        this.packets = mask;
    }

    int number() {
        return number;
    }

    Form form() {
        return form;
    }

    boolean allowedIn(PacketType packet) {
        return (packets & 1 << packet.code()) != 0;
    }

    static @Nullable Property of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /** In words. */
    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
