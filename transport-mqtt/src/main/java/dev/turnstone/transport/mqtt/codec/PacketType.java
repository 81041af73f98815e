package dev.turnstone.transport.mqtt.codec;

/** The control packets (MQTT 5 §2.1.2). The ordinal is the number in the packet's first byte. */
public enum PacketType {
    /** Not a packet. In the table of properties it stands for the will inside of CONNECT. */
    RESERVED,
    /** Client to server: the first packet. */
    CONNECT,
    /** Server to client: the answer to CONNECT. */
    CONNACK,
    /** A message. */
    PUBLISH,
    /** Ends a PUBLISH of QoS 1. */
    PUBACK,
    /** QoS 2, first answer. */
    PUBREC,
    /** QoS 2, second packet of the sender. */
    PUBREL,
    /** QoS 2, the end. */
    PUBCOMP,
    /** Client to server: topic filters. */
    SUBSCRIBE,
    /** Server to client: the answer to SUBSCRIBE. */
    SUBACK,
    /** Client to server: topic filters that end. */
    UNSUBSCRIBE,
    /** Server to client: the answer to UNSUBSCRIBE. */
    UNSUBACK,
    /** Client to server: a sign of life. */
    PINGREQ,
    /** Server to client: the answer to PINGREQ. */
    PINGRESP,
    /** The orderly end. */
    DISCONNECT,
    /** Enhanced authentication, MQTT 5. */
    AUTH;

    private static final PacketType[] BY_CODE = values();

    static PacketType of(int firstByte) {
        return BY_CODE[(firstByte & 0xff) >>> 4];
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
        return ordinal() << 4 | flags();
    }
}
