package dev.turnstone.transport.mqtt.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a client sends into packets. A packet that is not allowed is refused by its first bytes, before the rest of
 * it is kept. One thread.
 */
public final class PacketDecoder {
    private static final int HEADER_MAX = 5;
    private static final byte[] NOTHING = {};

    private final int packetBytesMax;
    private final int connectBytesMax;
    private byte[] in = NOTHING;
    private int at;
    private int end;
    private @Nullable Version version;
    private boolean broken;

    /**
     * A decoder that waits for CONNECT.
     *
     * @param packetBytesMax the largest packet, bytes
     * @param connectBytesMax the largest CONNECT, bytes
     */
    public PacketDecoder(int packetBytesMax, int connectBytesMax) {
        this.packetBytesMax = packetBytesMax;
        this.connectBytesMax = connectBytesMax;
    }

    /** The version of CONNECT; null before, and if that was none of ours. */
    public @Nullable Version version() {
        return version;
    }

    /** Takes what was read, which nobody writes into again. */
    public void feed(byte[] bytes, int from, int to) {
        if (at == end) {
            in = bytes;
            at = from;
            end = to;
            return;
        }
        int kept = end - at;
        int needed = kept + to - from;
        // Doubled, so that a packet in many reads is not copied for each; never by what the packet merely announces.
        byte[] joined =
                at == 0 && needed <= in.length ? in : Arrays.copyOfRange(in, at, at + Math.max(needed, 2 * kept));
        System.arraycopy(bytes, from, joined, kept, to - from);
        in = joined;
        at = 0;
        end = needed;
    }

    /** So many bytes it keeps. */
    int keptBytes() {
        return in.length;
    }

    /**
     * The next packet, or null if it is not there yet.
     *
     * @throws MqttException if the client broke the protocol; nothing comes after that
     */
    public @Nullable Packet next() {
        if (broken || end - at < 2) {
            return null;
        }
        try {
            Packet packet = cut();
            if (at == end) {
                // Between packets it keeps nothing: a payload has its own reference.
                in = NOTHING;
                at = 0;
                end = 0;
            }
            return packet;
        } catch (MqttException e) {
            broken = true;
            throw e;
        }
    }

    private @Nullable Packet cut() {
        int first = in[at] & 0xff;
        PacketType type = PacketType.of(first);
        check(type, first & 0xf);
        int length = 0;
        int body = at + 1;
        for (int shift = 0; ; shift += 7) {
            if (body == at + HEADER_MAX) {
                throw MqttException.malformed("a remaining length of more than four bytes");
            }
            if (body == end) {
                return null;
            }
            int next = in[body++];
            length |= (next & 0x7f) << shift;
            if (next >= 0) {
                if (next == 0 && shift > 0) {
                    throw MqttException.malformed("a remaining length in more bytes than it needs"); // MQTT-1.5.5-1
                }
                break;
            }
        }
        checkSize(type, body - at + length);
        if (end - body < length) {
            return null;
        }
        at = body + length;
        return type == PacketType.CONNECT
                ? connect(body)
                : new PacketReader(in, body, at).read(type, first & 0xf, required());
    }

    private void check(PacketType type, int flags) {
        if (version == null && type != PacketType.CONNECT) {
            throw MqttException.protocolError(type + " before CONNECT");
        }
        if (version != null && type == PacketType.CONNECT) {
            throw MqttException.protocolError("a second CONNECT");
        }
        if (type != PacketType.PUBLISH && flags != type.flags()) {
            throw MqttException.malformed(type + " with the flags " + flags);
        }
    }

    private void checkSize(PacketType type, int bytes) {
        int most = type == PacketType.CONNECT ? connectBytesMax : packetBytesMax;
        if (bytes > most) {
            throw new MqttException(
                    ReasonCode.PACKET_TOO_LARGE,
                    type + " of " + bytes + " bytes, more than " + most
                            + (type == PacketType.CONNECT ? " (connectBytesMax)" : " (packetBytesMax)"));
        }
    }

    private Packet connect(int body) {
        PacketReader reader = new PacketReader(in, body, at);
        Version asked = reader.version();
        if (asked == null) {
            throw new MqttException(
                    ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, "neither MQTT 3.1.1 nor 5, which are spoken here");
        }
        version = asked;
        return reader.connect(asked);
    }

    private Version required() {
        Version known = version;
        if (known == null) {
            throw new IllegalStateException("no CONNECT yet");
        }
        return known;
    }
}
