package dev.turnstone.transport.mqtt.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decodes the body of one packet that is there as a whole; used once. One thread. */
final class PacketReader {
    private static final int QOS_MAX = 2;
    private static final Set<ReasonCode> OF_MESSAGES = EnumSet.of(
            ReasonCode.SUCCESS,
            ReasonCode.NO_MATCHING_SUBSCRIBERS,
            ReasonCode.UNSPECIFIED_ERROR,
            ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
            ReasonCode.NOT_AUTHORIZED,
            ReasonCode.TOPIC_NAME_INVALID,
            ReasonCode.PACKET_IDENTIFIER_IN_USE,
            ReasonCode.QUOTA_EXCEEDED,
            ReasonCode.PAYLOAD_FORMAT_INVALID);
    private static final Set<ReasonCode> OF_RELEASES =
            EnumSet.of(ReasonCode.SUCCESS, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
    private static final Set<ReasonCode> OF_DISCONNECT = EnumSet.of(
            ReasonCode.SUCCESS,
            ReasonCode.DISCONNECT_WITH_WILL,
            ReasonCode.UNSPECIFIED_ERROR,
            ReasonCode.MALFORMED_PACKET,
            ReasonCode.PROTOCOL_ERROR,
            ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
            ReasonCode.TOPIC_NAME_INVALID,
            ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
            ReasonCode.TOPIC_ALIAS_INVALID,
            ReasonCode.PACKET_TOO_LARGE,
            ReasonCode.MESSAGE_RATE_TOO_HIGH,
            ReasonCode.QUOTA_EXCEEDED,
            ReasonCode.ADMINISTRATIVE_ACTION,
            ReasonCode.PAYLOAD_FORMAT_INVALID);
    private static final Set<ReasonCode> OF_AUTH =
            EnumSet.of(ReasonCode.SUCCESS, ReasonCode.CONTINUE_AUTHENTICATION, ReasonCode.RE_AUTHENTICATE);

    private final Input in;

    /** For the body that is these bytes. */
    PacketReader(byte[] bytes, int from, int to) {
        in = new Input(bytes, from, to);
    }

    /** The packet of this type, which is not CONNECT. */
    Packet read(PacketType type, int flags, Version version) {
        boolean v5 = version == Version.V5;
        Packet packet = switch (type) {
            case PUBLISH -> publish(flags, v5);
            case PUBACK, PUBREC -> ack(type, v5, OF_MESSAGES);
            case PUBREL, PUBCOMP -> ack(type, v5, OF_RELEASES);
            case SUBSCRIBE -> subscribe(v5);
            case UNSUBSCRIBE -> unsubscribe(v5);
            case PINGREQ -> new Packet.Ping();
            case DISCONNECT -> disconnect(v5);
            case AUTH -> auth(v5);
            case RESERVED -> throw MqttException.malformed("a packet of the reserved type 0");
            default -> throw MqttException.protocolError(type + " is not for a client to send");
        };
        in.end();
        return packet;
    }

    private Packet publish(int flags, boolean v5) {
        int qos = flags >> 1 & 3;
        boolean duplicate = (flags & 8) != 0;
        if (qos > QOS_MAX) {
            throw MqttException.malformed("PUBLISH with QoS 3");
        }
        if (duplicate && qos == 0) {
            throw MqttException.malformed("PUBLISH with DUP at QoS 0");
        }
        String topic = in.text();
        int packetId = qos == 0 ? 0 : packetId();
        Properties properties = v5 ? PropertyReader.read(in, PacketType.PUBLISH) : Properties.NONE;
        if (!properties.subscriptionIds().isEmpty()) {
            throw MqttException.protocolError("a client's PUBLISH with a subscription identifier");
        }
        return new Packet.Publish(topic, qos, duplicate, (flags & 1) != 0, packetId, properties, in.rest());
    }

    private Packet ack(PacketType type, boolean v5, Set<ReasonCode> allowed) {
        int packetId = packetId();
        ReasonCode reason = ReasonCode.SUCCESS;
        if (v5 && in.remaining() > 0) {
            reason = reason(type, allowed);
            if (in.remaining() > 0) {
                PropertyReader.read(in, type);
            }
        }
        return new Packet.Ack(type, packetId, reason);
    }

    private Packet subscribe(boolean v5) {
        int packetId = packetId();
        Properties properties = v5 ? PropertyReader.read(in, PacketType.SUBSCRIBE) : Properties.NONE;
        List<Packet.Filter> filters = new ArrayList<>();
        expectFilter(PacketType.SUBSCRIBE);
        do {
            filters.add(filter(in.text(), in.oneByte(), v5));
        } while (in.remaining() > 0);
        return new Packet.Subscribe(packetId, properties, filters);
    }

    private static Packet.Filter filter(String filter, int options, boolean v5) {
        int qos = options & 3;
        int retainHandling = options >> 4 & 3;
        if ((options & (v5 ? 0xC0 : 0xFC)) != 0) {
            throw MqttException.malformed("SUBSCRIBE with reserved bits");
        }
        if (qos > QOS_MAX) {
            throw MqttException.protocolError("SUBSCRIBE with QoS 3");
        }
        if (retainHandling == 3) {
            throw MqttException.protocolError("SUBSCRIBE with retain handling 3");
        }
        return new Packet.Filter(filter, qos, (options & 4) != 0, (options & 8) != 0, retainHandling);
    }

    private Packet unsubscribe(boolean v5) {
        int packetId = packetId();
        if (v5) {
            PropertyReader.read(in, PacketType.UNSUBSCRIBE);
        }
        List<String> filters = new ArrayList<>();
        expectFilter(PacketType.UNSUBSCRIBE);
        do {
            filters.add(in.text());
        } while (in.remaining() > 0);
        return new Packet.Unsubscribe(packetId, filters);
    }

    /** MQTT-3.8.3-2, MQTT-3.10.3-2. */
    private void expectFilter(PacketType type) {
        if (in.remaining() == 0) {
            throw MqttException.protocolError(type + " without a topic filter");
        }
    }

    private Packet disconnect(boolean v5) {
        if (!v5 || in.remaining() == 0) {
            return new Packet.Disconnect(ReasonCode.SUCCESS, Properties.NONE);
        }
        ReasonCode reason = reason(PacketType.DISCONNECT, OF_DISCONNECT);
        boolean more = in.remaining() > 0;
        return new Packet.Disconnect(reason, more ? PropertyReader.read(in, PacketType.DISCONNECT) : Properties.NONE);
    }

    private Packet auth(boolean v5) {
        if (!v5) {
            throw MqttException.malformed("a packet of the reserved type 15");
        }
        if (in.remaining() == 0) {
            return new Packet.Auth(ReasonCode.SUCCESS, Properties.NONE);
        }
        return new Packet.Auth(reason(PacketType.AUTH, OF_AUTH), PropertyReader.read(in, PacketType.AUTH));
    }

    private int packetId() {
        int packetId = in.twoBytes();
        if (packetId == 0) {
            throw MqttException.protocolError("the packet identifier 0");
        }
        return packetId;
    }

    private ReasonCode reason(PacketType type, Set<ReasonCode> allowed) {
        int code = in.oneByte();
        ReasonCode reason = ReasonCode.of(code);
        if (reason == null || !allowed.contains(reason)) {
            throw MqttException.malformed("reason code " + code + " in " + type);
        }
        return reason;
    }

    /** What the first packet says about its version; null if it is not MQTT. */
    @Nullable
    Version version() {
        String name = in.text();
        int level = in.oneByte();
        if (!name.equals("MQTT") && !name.equals("MQIsdp")) {
            throw MqttException.malformed("the protocol '" + name + "' is not MQTT");
        }
        for (Version version : Version.values()) {
            if (name.equals("MQTT") && level == version.level()) {
                return version;
            }
        }
        return null;
    }

    /** The rest of CONNECT, behind what {@link #version} has read. */
    Packet.Connect connect(Version version) {
        boolean v5 = version == Version.V5;
        int flags = in.oneByte();
        checkFlags(flags, v5);
        int keepAliveS = in.twoBytes();
        Properties properties = v5 ? PropertyReader.read(in, PacketType.CONNECT) : Properties.NONE;
        String clientId = in.text();
        Packet.Will will = (flags & 4) != 0 ? will(flags, v5) : null;
        String user = (flags & 0x80) != 0 ? in.text() : null;
        byte[] password = (flags & 0x40) != 0 ? in.binary() : null;
        in.end();
        return new Packet.Connect(
                version,
                (flags & 2) != 0,
                keepAliveS,
                clientId,
                properties,
                will,
                new Packet.Credentials(user, password));
    }

    private static void checkFlags(int flags, boolean v5) {
        boolean will = (flags & 4) != 0;
        int willQos = flags >> 3 & 3;
        if ((flags & 1) != 0) {
            throw MqttException.malformed("CONNECT with its reserved flag");
        }
        if (willQos > QOS_MAX || !will && (flags & 0x38) != 0) {
            throw MqttException.malformed("CONNECT with flags that contradict each other about the will");
        }
        if (!v5 && (flags & 0xC0) == 0x40) {
            throw MqttException.malformed("CONNECT with a password and no user name"); // MQTT-3.1.2-22
        }
    }

    private Packet.Will will(int flags, boolean v5) {
        Properties properties = v5 ? PropertyReader.read(in, PacketType.RESERVED) : Properties.NONE;
        String topic = in.text();
        ByteBuffer payload = ByteBuffer.wrap(in.binary());
        return new Packet.Will(topic, flags >> 3 & 3, (flags & 0x20) != 0, properties, payload);
    }
}
