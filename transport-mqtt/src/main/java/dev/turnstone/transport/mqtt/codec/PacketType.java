package dev.turnstone.transport.mqtt.codec;

/** The control packets (MQTT 5 §2.1.2). The ordinal is the number in the packet's first byte. */
public enum PacketType {
    /** Not a packet. In the table of properties it stands for the will inside of CONNECT. */
    RESERVED(0),
    /** Client to server: the first packet. */
    CONNECT(1),
    /** Server to client: the answer to CONNECT. */
    CONNACK(2),
    /** A message. */
    PUBLISH(3),
    /** Ends a PUBLISH of QoS 1. */
    PUBACK(4),
    /** QoS 2, first answer. */
    PUBREC(5),
    /** QoS 2, second packet of the sender. */
    PUBREL(6),
    /** QoS 2, the end. */
    PUBCOMP(7),
    /** Client to server: topic filters. */
    SUBSCRIBE(8),
    /** Server to client: the answer to SUBSCRIBE. */
    SUBACK(9),
    /** Client to server: topic filters that end. */
    UNSUBSCRIBE(10),
    /** Server to client: the answer to UNSUBSCRIBE. */
    UNSUBACK(11),
    /** Client to server: a sign of life. */
    PINGREQ(12),
    /** Server to client: the answer to PINGREQ. */
    PINGRESP(13),
    /** The orderly end. */
    DISCONNECT(14),
    /** Enhanced authentication, MQTT 5. */
    AUTH(15);

    private static final PacketType[] BY_CODE = values();

    private final int code;

    PacketType(int code) {
        this.code = code;
    }

    static PacketType of(int firstByte) {
        return BY_CODE[(firstByte & 0xff) >>> 4];
    }

    int code() {
        return code;
    }

    /** The flags that the first byte must have; PUBLISH has its own (MQTT 5 §2.1.3). */
    int flags() {
        return switch (this) {
            case PUBREL, SUBSCRIBE, UNSUBSCRIBE -> 2;
            default -> 0;
        };
    }

    /** The first byte, of all but PUBLISH. */
    int firstByte() {
        return code << 4 | flags();
    }
}
