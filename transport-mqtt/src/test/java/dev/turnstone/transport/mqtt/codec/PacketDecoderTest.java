package dev.turnstone.transport.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The codec's part of the case M10, and decoding that no bytes can break. */
class PacketDecoderTest {
    private static final String CONNECT_5 = "100e00044d51545405 02000a 00 000161";
    private static final String CONNECT_3 = "100d00044d51545404 02000a 000161";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static List<Packet> decode(PacketDecoder decoder, byte[] bytes) {
        decoder.feed(bytes, 0, bytes.length);
        List<Packet> packets = new ArrayList<>();
        for (Packet packet = decoder.next(); packet != null; packet = decoder.next()) {
            packets.add(packet);
        }
        return packets;
    }

    private static PacketDecoder connected(String connect) {
        PacketDecoder decoder = new PacketDecoder(1 << 16, 1 << 10);
        assertThat(decode(decoder, bytes(connect))).singleElement().isInstanceOf(Packet.Connect.class);
        return decoder;
    }

    @ParameterizedTest
    @CsvSource({
        "a property twice,              PROTOCOL_ERROR,     101800044d51545405 02000a 0a 1100000001 1100000002 000161",
        "a property of other packets,   MALFORMED_PACKET,   101200044d51545405 02000a 04 03000161 000161",
        "receive maximum 0,             PROTOCOL_ERROR,     101100044d51545405 02000a 03 210000 000161",
        "maximum packet size 0,         PROTOCOL_ERROR,     101300044d51545405 02000a 05 2700000000 000161",
        "request problem 2,             PROTOCOL_ERROR,     101000044d51545405 02000a 02 1702 000161",
        "the reserved flag,             MALFORMED_PACKET,   100e00044d51545405 03000a 00 000161",
        "will qos 3,                    MALFORMED_PACKET,   101500044d51545405 1e000a 00 000161 00 000162 000163",
        "will qos without will,         MALFORMED_PACKET,   100e00044d51545405 0a000a 00 000161",
        "will retain without will,      MALFORMED_PACKET,   100e00044d51545405 22000a 00 000161",
        "a client id that is not UTF-8, MALFORMED_PACKET,   100e00044d51545405 02000a 00 0001ff",
        "a surrogate as UTF-8,          MALFORMED_PACKET,   101000044d51545405 02000a 00 0003eda080",
        "a byte too many,               MALFORMED_PACKET,   100f00044d51545405 02000a 00 000161 00",
        "a byte too few,                MALFORMED_PACKET,   100d00044d51545405 02000a 00 0001",
        "a password without a user in 3.1.1, MALFORMED_PACKET, 101000044d51545404 42000a 000161 000170",
        "another protocol,              MALFORMED_PACKET,   100e00044d51545205 02000a 00 000161",
        "version 3.1,                   UNSUPPORTED_PROTOCOL_VERSION, 100f00064d514973647003 02000a 000161",
        "version 6,                     UNSUPPORTED_PROTOCOL_VERSION, 100e00044d51545406 02000a 00 000161",
        "PUBLISH before CONNECT,        PROTOCOL_ERROR,     3003000161",
        "a CONNECT that is too large,   PACKET_TOO_LARGE,   10ffff01"
    })
    void aConnectThatIsNotOneIsRefused(String what, ReasonCode reason, String hex) {
        refused(new PacketDecoder(1 << 16, 1 << 10), reason, hex);
    }

    @ParameterizedTest
    @CsvSource({
        "U+0000 in a topic,             MALFORMED_PACKET, 3005 00026100 00",
        "qos 3,                         MALFORMED_PACKET, 3606 000161 0001 00",
        "dup at qos 0,                  MALFORMED_PACKET, 3804 000161 00",
        "packet id 0,                   PROTOCOL_ERROR,   3206 000161 0000 00",
        "a property twice,              PROTOCOL_ERROR,   3008 000161 04 0101 0100",
        "payload format 7,              PROTOCOL_ERROR,   3006 000161 02 0107",
        "an unknown property,           MALFORMED_PACKET, 3006 000161 02 7f01",
        "a property of other packets,   MALFORMED_PACKET, 3009 000161 05 1100000001",
        "properties beyond the packet,  MALFORMED_PACKET, 3006 000161 07 0101",
        "properties cut off,            MALFORMED_PACKET, 3007 000161 02 020000",
        "a subscription id,             PROTOCOL_ERROR,   3006 000161 02 0b01",
        "subscribe with qos 3,          PROTOCOL_ERROR,   8207 0001 00 000161 03",
        "subscribe with reserved bits,  MALFORMED_PACKET, 8207 0001 00 000161 40",
        "subscribe without a filter,    PROTOCOL_ERROR,   8203 0001 00",
        "subscribe retain handling 3,   PROTOCOL_ERROR,   8207 0001 00 000161 30",
        "subscribe with flags 0,        MALFORMED_PACKET, 8007 0001 00 000161 00",
        "subscribe with id 0,           PROTOCOL_ERROR,   8207 0000 00 000161 00",
        "subscription id 0,             PROTOCOL_ERROR,   8209 0001 02 0b00 000161 00",
        "two subscription ids,          PROTOCOL_ERROR,   820b 0001 04 0b010b02 000161 00",
        "unsubscribe without a filter,  PROTOCOL_ERROR,   a203 0001 00",
        "pubrel with flags 0,           MALFORMED_PACKET, 60020001",
        "puback with a wrong reason,    MALFORMED_PACKET, 4003 0001 77",
        "pubrel with puback's reason,   MALFORMED_PACKET, 6203 0001 10",
        "pingreq with a body,           MALFORMED_PACKET, c00100",
        "a length in too many bytes,    MALFORMED_PACKET, 3006 000161 8000 61",
        "a remaining length too long,   MALFORMED_PACKET, c08000",
        "a remaining length of 5 bytes, MALFORMED_PACKET, 30ffffffff7f",
        "disconnect with a wrong reason,MALFORMED_PACKET, e00133",
        "connack,                       PROTOCOL_ERROR,   2003000000",
        "type 0,                        MALFORMED_PACKET, 0000",
        "a second connect,              PROTOCOL_ERROR,   100e00044d51545405 02000a 00 000161",
        "a packet that is too large,    PACKET_TOO_LARGE, 30ffff7f"
    })
    void aPacketThatIsNotOneIsRefused(String what, ReasonCode reason, String hex) {
        refused(connected(CONNECT_5), reason, hex);
    }

    @ParameterizedTest
    @CsvSource({
        "auth,                         MALFORMED_PACKET, f000",
        "subscribe with options of 5,  MALFORMED_PACKET, 8206 0001 000161 04",
        "puback with a reason,         MALFORMED_PACKET, 4003 0001 00",
        "disconnect with a reason,     MALFORMED_PACKET, e00104"
    })
    void whatOnly5HasIsRefusedIn311(String what, ReasonCode reason, String hex) {
        refused(connected(CONNECT_3), reason, hex);
    }

    private static void refused(PacketDecoder decoder, ReasonCode reason, String hex) {
        byte[] bytes = bytes(hex);
        assertThatThrownBy(() -> decode(decoder, bytes))
                .isInstanceOfSatisfying(
                        MqttException.class, e -> assertThat(e.reason()).isEqualTo(reason));
        decoder.feed(bytes, 0, bytes.length);
        assertThat(decoder.next()).as("nothing comes after a fault").isNull();
    }

    @Test
    void aPacketInManyReadsIsTheSame() {
        String payload = "p".repeat(1000);
        byte[] all = bytes(CONNECT_5 + "30ec07000161 00"
                + HexFormat.of().formatHex(payload.getBytes(StandardCharsets.UTF_8)) + "c000");
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            PacketDecoder decoder = new PacketDecoder(1 << 16, 1 << 10);
            List<Packet> packets = new ArrayList<>();
            for (int at = 0; at < all.length; ) {
                int next = Math.min(all.length, at + 1 + random.nextInt(300));
                byte[] read = new byte[next - at];
                System.arraycopy(all, at, read, 0, read.length);
                packets.addAll(decode(decoder, read));
                at = next;
            }
            assertThat(packets).hasSize(3);
            Packet.Publish publish = (Packet.Publish) packets.get(1);
            assertThat(StandardCharsets.UTF_8
                            .decode(publish.payload().duplicate())
                            .toString())
                    .isEqualTo(payload);
        }
    }

    /**
     * Any bytes are packets, the beginning of one, or refused; never another exception, never an endless loop. A seed
     * that failed is given by {@code -Dmqtt.fuzz.seed=}.
     */
    @Test
    void noBytesBreakTheDecoder() {
        long seed = Long.getLong("mqtt.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        List<byte[]> seeds = List.of(
                bytes("3208 000161 0001 0261"),
                bytes("3011 000161 0d 0101 0200000001 0300017a 61"),
                bytes("8209 0001 02 0b01 000161 2d"),
                bytes("e007 00 05 1100000001"),
                bytes("a206 0001 00 000161"));
        int refused = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            PacketDecoder decoder = connected(round % 2 == 0 ? CONNECT_5 : CONNECT_3);
            try {
                decode(decoder, bytes);
            } catch (MqttException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + HexFormat.of().formatHex(bytes), e);
            }
        }
        assertThat(refused).as("seed " + seed).isGreaterThan(50_000);
    }

    @Test
    void betweenPacketsNothingIsKept() {
        PacketDecoder decoder = new PacketDecoder(1 << 20, 1 << 10);
        byte[] connect = HexFormat.of().parseHex("100d00044d515454040200000001" + "61");
        decoder.feed(connect, 0, connect.length);
        assertThat(decoder.next()).isInstanceOf(Packet.Connect.class);
        byte[] large = Arrays.copyOf(HexFormat.of().parseHex("30a28d06" + "000161"), 4 + 100_002);
        decoder.feed(large, 0, 50_000);
        assertThat(decoder.next()).isNull();
        decoder.feed(large, 50_000, large.length);
        assertThat(decoder.next()).isInstanceOf(Packet.Publish.class);
        assertThat(decoder.keptBytes()).isZero();
    }

    @Test
    void largePropertiesLeaveNoLargeBuffer() {
        Output properties = new Output();
        properties.binary(new byte[60_000]);
        properties.back(0);
        assertThat(properties.keptBytes()).isZero();
        properties.binary(new byte[60]);
        properties.back(0);
        assertThat(properties.keptBytes()).isPositive();
    }
}
