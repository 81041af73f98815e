package dev.turnstone.transport.mqtt.codec;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why, in MQTT's words (MQTT 5 §2.4). */
public enum ReasonCode {
    /** Done; QoS 0 granted; normal disconnection. */
    SUCCESS(0x00),
    /** QoS 1 granted. */
    GRANTED_QOS_1(0x01),
    /** QoS 2 granted. */
    GRANTED_QOS_2(0x02),
    /** The client wants its will to be published. */
    DISCONNECT_WITH_WILL(0x04),
    /** Accepted, and nobody subscribes. */
    NO_MATCHING_SUBSCRIBERS(0x10),
    /** Nothing to unsubscribe. */
    NO_SUBSCRIPTION_EXISTED(0x11),
    /** Enhanced authentication goes on. */
    CONTINUE_AUTHENTICATION(0x18),
    /** Enhanced authentication starts again. */
    RE_AUTHENTICATE(0x19),
    /** For no reason that the other side is told. */
    UNSPECIFIED_ERROR(0x80),
    /** The packet does not parse. */
    MALFORMED_PACKET(0x81),
    /** The packet parses and must not be as it is, or not now. */
    PROTOCOL_ERROR(0x82),
    /** Valid, but not done here. */
    IMPLEMENTATION_SPECIFIC_ERROR(0x83),
    /** No version in common. */
    UNSUPPORTED_PROTOCOL_VERSION(0x84),
    /** The client identifier is not accepted. */
    CLIENT_IDENTIFIER_NOT_VALID(0x85),
    /** The user is unknown or the password is wrong. */
    BAD_USER_NAME_OR_PASSWORD(0x86),
    /** The user may not. */
    NOT_AUTHORIZED(0x87),
    /** The broker cannot serve now. */
    SERVER_UNAVAILABLE(0x88),
    /** Too much of something. */
    SERVER_BUSY(0x89),
    /** Banned. */
    BANNED(0x8A),
    /** The broker stops. */
    SERVER_SHUTTING_DOWN(0x8B),
    /** No such way to authenticate. */
    BAD_AUTHENTICATION_METHOD(0x8C),
    /** Nothing came for one and a half keep-alives. */
    KEEP_ALIVE_TIMEOUT(0x8D),
    /** Another connection has this client identifier now. */
    SESSION_TAKEN_OVER(0x8E),
    /** The topic filter is not accepted. */
    TOPIC_FILTER_INVALID(0x8F),
    /** The topic name is not accepted. */
    TOPIC_NAME_INVALID(0x90),
    /** The packet identifier is in use. */
    PACKET_IDENTIFIER_IN_USE(0x91),
    /** The packet identifier is unknown. */
    PACKET_IDENTIFIER_NOT_FOUND(0x92),
    /** More unanswered messages than allowed. */
    RECEIVE_MAXIMUM_EXCEEDED(0x93),
    /** A topic alias that was not allowed. */
    TOPIC_ALIAS_INVALID(0x94),
    /** A packet larger than allowed. */
    PACKET_TOO_LARGE(0x95),
    /** Too many messages in a time. */
    MESSAGE_RATE_TOO_HIGH(0x96),
    /** A limit is reached. */
    QUOTA_EXCEEDED(0x97),
    /** Ended by an administrator. */
    ADMINISTRATIVE_ACTION(0x98),
    /** The payload is not what its format says. */
    PAYLOAD_FORMAT_INVALID(0x99),
    /** No retained messages here. */
    RETAIN_NOT_SUPPORTED(0x9A),
    /** A QoS that is not spoken here. */
    QOS_NOT_SUPPORTED(0x9B),
    /** Go elsewhere for a while. */
    USE_ANOTHER_SERVER(0x9C),
    /** Go elsewhere for good. */
    SERVER_MOVED(0x9D),
    /** No shared subscriptions here. */
    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED(0x9E),
    /** Too many connections in a time. */
    CONNECTION_RATE_EXCEEDED(0x9F),
    /** Connected for as long as is allowed. */
    MAXIMUM_CONNECT_TIME(0xA0),
    /** No subscription identifiers here. */
    SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED(0xA1),
    /** No wildcards here. */
    WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED(0xA2);

    private static final @Nullable ReasonCode[] BY_CODE = new @Nullable ReasonCode[256];

    static {
        for (ReasonCode reason : values()) {
            BY_CODE[reason.code] = reason;
        }
    }

    private final int code;

    ReasonCode(int code) {
        this.code = code;
    }

    /** The byte that stands for it. */
    public int code() {
        return code;
    }

    /** True if it says that something was refused. */
    public boolean isError() {
        return code >= 0x80;
    }

    /** The reason with this byte, or null if there is none. */
    static @Nullable ReasonCode of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** In words. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
