package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The case M10 on a socket: the right answer, nothing stored, and nobody else notices. The codec's tests have more. */
class MqttMalformedTest {
    @RegisterExtension
    final MqttBroker broker = new MqttBroker(Map.of("loginTimeoutMs", "700", "packetBytesMax", "100000"));

    @ParameterizedTest
    @CsvSource({
        "a property twice,            82, 101800044d51545405 02000a 0a 1100000001 1100000002 000161",
        "a property of other packets, 81, 101200044d51545405 02000a 04 03000161 000161",
        "receive maximum 0,           82, 101100044d51545405 02000a 03 210000 000161",
        "will flag with empty topic,  90, 101300044d51545405 06000a 00 000161 00 0000 0000",
        "a will to the broker's own,  90, 101900044d51545405 06000a 00 000161 00 0006 2453 5953 2f78 0000",
        "an authentication method,    8c, 101200044d51545405 02000a 04 15000161 000161",
        "version 3.1,                 01, 100f00064d514973647003 02000a 000161",
        "a session without client id, 02, 100c00044d51545404 00000a 0000"
    })
    void m10_aConnectGetsItsAnswer(String what, String code, String hex) throws IOException {
        MqttPeer peer = broker.open();
        peer.raw(hex);
        MqttConnAckMessage answer = (MqttConnAckMessage) peer.next();
        assertThat(answer.variableHeader().connectReturnCode().byteValue() & 0xff)
                .isEqualTo(Integer.parseInt(code, 16));
        assertThat(peer.awaitClose()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "topic alias 0,              94, 3008 000174 03 230000 78",
        "topic alias above maximum,  94, 3007 000174 03 230001",
        "a wildcard in PUBLISH,      90, 3208 0003742f23 0001 00",
        "a property twice,           82, 3008 000174 04 0101 0100",
        "a subscription id,          82, 3006 000174 02 0b01",
        "no topic,                   82, 3003 0000 00",
        "subscribe with qos 3,       82, 8207 0001 00 000174 03",
        "subscribe to a#,            81, 8208 0001 00 00026123 00",
        "a second CONNECT,           82, 100e00044d51545405 02000a 00 000161",
        "AUTH,                       82, f000",
        "a packet that is too large, 95, 30ffff7f",
        "SUBSCRIBE without filter,    82, 8203 0001 00",
        "UNSUBSCRIBE without filter,  82, a203 0001 00",
        "an empty filter,             81, 8206 0001 00 0000 00",
        "reserved subscribe options,  81, 8207 0001 00 000174 40",
        "retain handling 3,           82, 8207 0001 00 000174 30",
        "subscription id 0,           82, 8209 0001 02 0b00 000174 00",
        "two subscription ids,        82, 820b 0001 04 0b01 0b02 000174 00",
        "a longer length than needed, 81, c08000",
        "PUBREL with wrong flags,     81, 6002 0001",
        "packet id 0,                 82, 3206 000174 0000 00",
        "QoS 3,                       81, 3606 000174 0001 00",
        "DUP at QoS 0,                81, 3804 000174 00",
        "PINGREQ with a body,         81, c001 00",
        "payload format 2,            82, 3007 000174 02 0102 78",
        "a wildcard response topic,   90, 3009 000174 05 080002232b",
        "a reason of other packets,   81, 4003 0001 92",
        "CONNACK of a client,         82, 2003 00 00 00",
        "type 0,                     81, 0000"
    })
    void m10_aPacketGetsItsAnswer(String what, String code, String hex) throws IOException {
        MqttPeer other = broker.connect(MqttLogin.v5("other"));
        other.subscribe("#", 1);
        MqttPeer peer = broker.connect(MqttLogin.v5("a"));
        peer.raw(hex);
        assertThat(peer.awaitClose()).isEqualTo(Integer.parseInt(code, 16));
        other.publish("alive", "x", 1, 5);
        MqttPeer check = broker.connect(MqttLogin.v5("check"));
        check.disconnect();
        MqttMessage first = other.next();
        MqttMessage second = other.next();
        assertThat(List.of(
                        first.fixedHeader().messageType(), second.fixedHeader().messageType()))
                .as("nothing of the other came")
                .containsExactlyInAnyOrder(MqttMessageType.PUBACK, MqttMessageType.PUBLISH);
    }

    @ParameterizedTest
    @CsvSource({
        "$share/a/,  00, 81",
        "$share/a,   00, 81",
        "$share//t,  00, 81",
        "$share/+/t, 00, 81",
        "$share/#/t, 00, 81",
        "$share/a/t, 05, 82",
        "$share/a/t, 01, 9e"
    })
    void m10_sharedSubscriptionsAreNotThere(String filter, String options, String code) throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("a"));
        String text = HexFormat.of().formatHex(filter.getBytes(StandardCharsets.US_ASCII));
        peer.raw(String.format("82%02x0001 00 %04x", 6 + filter.length(), filter.length()) + text + options);
        assertThat(peer.awaitClose()).isEqualTo(Integer.parseInt(code, 16));
    }

    @Test
    void whoSaysNothingIsDropped() throws IOException {
        MqttPeer peer = broker.open();
        peer.raw("10");
        assertThat(peer.awaitClose()).isEqualTo(-1);
    }

    @Test
    void anythingBeforeConnectIsTheEnd() throws IOException {
        MqttPeer peer = broker.open();
        peer.raw("c000");
        assertThat(peer.awaitClose()).isEqualTo(-1);
        MqttPeer http = broker.open();
        http.raw("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(http.awaitClose()).isEqualTo(-1);
    }

    /**
     * Random packets over sockets, before and after CONNECT; a client beside them goes on. A seed that failed is given
     * by {@code -Dmqtt.fuzz.seed=}.
     */
    @Test
    void noBytesDisturbAnybodyElse() throws IOException {
        MqttPeer steady = broker.connect(MqttLogin.v5("steady"));
        steady.subscribe("steady", 1);
        long seed = Long.getLong("mqtt.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            MqttPeer peer = round % 3 == 0 ? broker.open() : broker.connect(MqttLogin.v5("fuzz" + round % 2));
            byte[] bytes = new byte[1 + random.nextInt(60)];
            random.nextBytes(bytes);
            if (round % 2 == 0) {
                bytes[0] = (byte) (1 + random.nextInt(15) << 4 | 2);
                if (bytes.length > 1) {
                    bytes[1] = (byte) (bytes.length - 2);
                }
            }
            peer.raw(bytes);
            peer.close();
        }
        for (int n = 1; n <= 5; n++) {
            steady.publish("steady", "m" + n, 0, 0);
            assertThat(MqttPeer.text(steady.message())).as("seed " + seed).isEqualTo("m" + n);
        }
        assertThat(steady.silent(Duration.ofMillis(100))).as("seed " + seed).isTrue();
    }
}
