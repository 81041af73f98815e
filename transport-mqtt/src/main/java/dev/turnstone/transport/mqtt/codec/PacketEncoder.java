package dev.turnstone.transport.mqtt.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what a server sends, in the client's version. One thread. */
public final class PacketEncoder {
    private static final int SESSION_PRESENT = 1;
    private static final byte[] NOTHING = {};

    private final Output out = new Output();
    /** What is written aside, since its length comes first; null between writes, and in MQTT 3.1.1. */
    private @Nullable Output properties;

    private Version version = Version.V3_1_1;
    private long packetBytesMax = Long.MAX_VALUE;
    private String lastTopic = "";
    private byte[] lastTopicBytes = NOTHING;

    /** From now on packets are of this version, and none is larger than the client takes, in bytes. */
    public void speak(Version agreed, long clientPacketBytesMax) {
        version = agreed;
        packetBytesMax = clientPacketBytesMax;
    }

    /** The version of packets. */
    public Version version() {
        return version;
    }

    /** The bytes written and not taken. */
    public int size() {
        return out.size();
    }

    /** What was written; it is the caller's, and nothing is left. */
    public ByteBuffer take() {
        properties = null;
        return out.take();
    }

    private Output properties() {
        Output aside = properties;
        if (aside == null) {
            aside = new Output();
            properties = aside;
        }
        return aside;
    }

    /** CONNACK; false, and nothing is written, if it is larger than the client takes. */
    public boolean connack(boolean sessionPresent, ReasonCode reason, Properties with) {
        int code = version == Version.V5 ? reason.code() : returnCode(reason);
        if (!begin(PacketType.CONNACK, 2, with)) {
            return false;
        }
        out.oneByte(sessionPresent ? SESSION_PRESENT : 0);
        out.oneByte(code);
        endProperties();
        return true;
    }

    /** What MQTT 3.1.1 has for a reason (§3.2.2.3). */
    private static int returnCode(ReasonCode reason) {
        return switch (reason) {
            case SUCCESS -> 0;
            case UNSUPPORTED_PROTOCOL_VERSION -> 1;
            case CLIENT_IDENTIFIER_NOT_VALID -> 2;
            case BAD_USER_NAME_OR_PASSWORD -> 4;
            case NOT_AUTHORIZED, BANNED, BAD_AUTHENTICATION_METHOD -> 5;
            default -> 3;
        };
    }

    /**
     * PUBLISH; false, and nothing is written, if it is larger than the client takes (MQTT 5 §3.1.2.11.4).
     *
     * @param first the flags: DUP, QoS and RETAIN at their places
     * @param packetId 0 at QoS 0
     */
    public boolean publish(int first, String topic, int packetId, Properties with, ByteBuffer payload) {
        byte[] name = bytes(topic);
        int propertyBytes = prepare(with);
        int length = 2 + name.length + (packetId == 0 ? 0 : 2) + propertyBytes + payload.remaining();
        if (isTooLarge(length)) {
            return false;
        }
        out.oneByte(PacketType.PUBLISH.code() << 4 | first);
        out.variable(length);
        out.binary(name);
        if (packetId != 0) {
            out.twoBytes(packetId);
        }
        endProperties();
        out.raw(payload);
        return true;
    }

    /** PUBACK, PUBREC, PUBREL or PUBCOMP. */
    public void ack(PacketType type, int packetId, ReasonCode reason) {
        boolean plain = version == Version.V3_1_1 || reason == ReasonCode.SUCCESS;
        out.oneByte(type.firstByte());
        out.variable(plain ? 2 : 3);
        out.twoBytes(packetId);
        if (!plain) {
            out.oneByte(reason.code());
        }
    }

    private boolean isTooLarge(int length) {
        return 1L + Output.variableBytes(length) + length > packetBytesMax;
    }

    /** SUBACK, with a reason for each filter; false, and nothing is written, if it is larger than the client takes. */
    public boolean suback(int packetId, List<ReasonCode> reasons) {
        if (!begin(PacketType.SUBACK, 2 + reasons.size(), Properties.NONE)) {
            return false;
        }
        out.twoBytes(packetId);
        endProperties();
        for (ReasonCode reason : reasons) {
            boolean failed = version == Version.V3_1_1 && reason.isError();
            out.oneByte(failed ? ReasonCode.UNSPECIFIED_ERROR.code() : reason.code());
        }
        return true;
    }

    /**
     * UNSUBACK, with a reason for each filter in MQTT 5; false, and nothing is written, if it is larger than the client
     * takes.
     */
    public boolean unsuback(int packetId, List<ReasonCode> reasons) {
        boolean v5 = version == Version.V5;
        if (!begin(PacketType.UNSUBACK, v5 ? 2 + reasons.size() : 2, Properties.NONE)) {
            return false;
        }
        out.twoBytes(packetId);
        endProperties();
        if (v5) {
            reasons.forEach(reason -> out.oneByte(reason.code()));
        }
        return true;
    }

    /** PINGRESP. */
    public void pingresp() {
        out.oneByte(PacketType.PINGRESP.firstByte());
        out.variable(0);
    }

    /** DISCONNECT, if the client takes one: MQTT 3.1.1 has none of the server. */
    public void disconnect(ReasonCode reason, Properties with) {
        if (version == Version.V5 && begin(PacketType.DISCONNECT, 1, with)) {
            out.oneByte(reason.code());
            endProperties();
        }
    }

    /**
     * The fixed header of a packet with properties. What is only for people is left out if it would make the packet too
     * large (MQTT 5 §3.2.2.3.9, §3.2.2.3.10); false, and nothing is written, if it is so without.
     */
    private boolean begin(PacketType type, int length, Properties with) {
        int propertyBytes = prepare(with);
        if (isTooLarge(length + propertyBytes)) {
            propertyBytes = prepare(with.terse());
        }
        if (isTooLarge(length + propertyBytes)) {
            return false;
        }
        out.oneByte(type.firstByte());
        out.variable(length + propertyBytes);
        return true;
    }

    /** Writes the properties aside; returns how much they take with their length, nothing in MQTT 3.1.1. */
    private int prepare(Properties with) {
        if (version != Version.V5) {
            return 0;
        }
        Output aside = properties();
        aside.back(0);
        if (!with.isEmpty()) {
            for (Map.Entry<Property, Object> entry : with.values().entrySet()) {
                write(entry.getKey(), entry.getValue(), aside);
            }
            for (int id : with.subscriptionIds()) {
                aside.variable(Property.SUBSCRIPTION_IDENTIFIER.number());
                aside.variable(id);
            }
            for (UserProperty user : with.users()) {
                aside.variable(Property.USER_PROPERTY.number());
                aside.text(user.name());
                aside.text(user.value());
            }
        }
        return Output.variableBytes(aside.size()) + aside.size();
    }

    private static void write(Property property, Object value, Output aside) {
        aside.variable(property.number());
        if (value instanceof byte[] bytes) {
            aside.binary(bytes);
        } else if (value instanceof String text) {
            aside.text(text);
        } else {
            long number = (Long) value;
            switch (property.form()) {
                case FLAG -> aside.oneByte((int) number);
                case TWO_BYTES, TWO_BYTES_NOT_ZERO -> aside.twoBytes((int) number);
                case FOUR_BYTES, FOUR_BYTES_NOT_ZERO -> aside.fourBytes(number);
                default -> throw new IllegalStateException(property + " is no number");
            }
        }
    }

    /** The properties that were written aside, behind their length. */
    private void endProperties() {
        if (version == Version.V5) {
            Output aside = properties();
            out.variable(aside.size());
            out.raw(aside);
        }
    }

    /** Most clients get one topic again and again. */
    private byte[] bytes(String topic) {
        if (!topic.equals(lastTopic)) {
            lastTopicBytes = topic.getBytes(StandardCharsets.UTF_8);
            lastTopic = topic;
        }
        return lastTopicBytes;
    }
}
