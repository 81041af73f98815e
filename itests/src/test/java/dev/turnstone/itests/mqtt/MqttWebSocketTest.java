package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.web.RawDeflate;
import dev.turnstone.testkit.web.WebSocketFrame;
import dev.turnstone.testkit.web.WebSocketPeer;
import dev.turnstone.testkit.web.WebSocketSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The case M18; what belongs to WebSocket alone is tested with STOMP. */
class MqttWebSocketTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String HOST = "127.0.0.1";
    private static final byte[] CONNECT = HexFormat.of().parseHex("100e00044d5154540502000a00000161");
    private static final String MQTT = "Sec-WebSocket-Protocol: mqtt";

    @TempDir
    Path data;

    private EmbeddedBroker broker;
    private int port;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.start(BrokerSettings.in(data));
        port = broker.listen("http", HOST, 0, Map.of("mqtt.keepAliveMaxS", "20"))
                .port();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Socket socket() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private MqttPeer peer() throws IOException {
        WebSocketPeer web = WebSocketPeer.open(socket(), "/mqtt", MQTT);
        assertThat(web.header("Sec-WebSocket-Protocol")).isEqualTo("mqtt");
        return MqttPeer.on(new WebSocketSocket(web, false));
    }

    @Test
    void m18_packetsGoBothWaysAndShareSessionsWithTcp() throws IOException {
        int tcp = broker.listen("mqtt", HOST, 0, Map.of()).port();
        try (MqttPeer web = peer();
                MqttPeer plain = MqttPeer.connect(tcp, MqttLogin.v5("plain"))) {
            assertThat(web.login(MqttLogin.v5("c").keepAlive(0).expiry(100))
                            .variableHeader()
                            .properties()
                            .getProperty(0x13)
                            .value())
                    .as("a setting of this protocol on this listener")
                    .isEqualTo(20);
            web.subscribe("t", 1);
            plain.publish("t", "x", 0, 0);
            assertThat(MqttPeer.text(web.message())).isEqualTo("x");
            try (MqttPeer other = MqttPeer.connect(tcp, MqttLogin.v5("c").keep(100))) {
                assertThat(web.awaitClose()).isEqualTo(0x8E);
                plain.publish("t", "y", 0, 0);
                assertThat(MqttPeer.text(other.message())).isEqualTo("y");
            }
        }
    }

    @Test
    void m18_packetsMayBeSplitAndMerged() throws IOException {
        byte[] all = HexFormat.of().parseHex("100e00044d51545405" + "02000a00000161" + "c000" + "c000");
        try (WebSocketPeer web = WebSocketPeer.open(socket(), "/mqtt", MQTT)) {
            for (int at = 0; at < all.length; at += 3) {
                byte[] part = new byte[Math.min(3, all.length - at)];
                System.arraycopy(all, at, part, 0, part.length);
                web.binary(part);
            }
            int pongs = 0;
            while (pongs < 2) {
                String hex = HexFormat.of().formatHex(web.read(SOON).payload());
                pongs += hex.split("d000", -1).length - 1;
            }
        }
    }

    @Test
    void m18_theSubProtocolIsRequired() throws IOException {
        try (WebSocketPeer none = new WebSocketPeer(socket())) {
            assertThat(none.handshake("/mqtt")).isEqualTo(400);
        }
        try (WebSocketPeer old = WebSocketPeer.open(socket(), "/mqtt", "Sec-WebSocket-Protocol: mqttv3.1")) {
            assertThat(old.header("Sec-WebSocket-Protocol")).isEqualTo("mqttv3.1");
        }
    }

    @Test
    void m18_aTextFrameIsTheEnd() throws IOException {
        try (WebSocketPeer web = WebSocketPeer.open(socket(), "/mqtt", MQTT)) {
            web.text("x");
            assertThat(web.awaitClose(SOON)).isEqualTo(1003);
        }
    }

    /** The packet for whoever speaks MQTT, the status for whoever speaks WebSocket. */
    @ParameterizedTest
    @CsvSource({"0000, 81, 1002", "30ffff7f, 95, 1009", "8205 0001 00 0000, 81, 1002", "e000, -1, 1000"})
    void m18_theStatusSaysWhatTheEndIsAbout(String packet, String reason, int status) throws IOException {
        try (WebSocketPeer web = WebSocketPeer.open(socket(), "/mqtt", MQTT)) {
            web.binary(CONNECT);
            assertThat(web.read(SOON).payload()[0]).isEqualTo((byte) 0x20);
            web.binary(HexFormat.of().parseHex(packet.replace(" ", "")));
            if (!reason.equals("-1")) {
                byte[] last = web.read(SOON).payload();
                assertThat(HexFormat.of().formatHex(last)).startsWith("e0").contains(reason);
            }
            assertThat(web.read(SOON).status()).isEqualTo(status);
            web.awaitEnd(SOON);
        }
    }

    @Test
    void m18_aFrameThatIsTooLargeEndsWith1009() throws IOException {
        int small = broker.listen("http", HOST, 0, Map.of("webSocketMessageBytesMax", "1000"))
                .port();
        try (WebSocketPeer web =
                WebSocketPeer.open(new Socket(InetAddress.getLoopbackAddress(), small), "/mqtt", MQTT)) {
            web.binary(CONNECT);
            assertThat(web.read(SOON).payload()[0]).isEqualTo((byte) 0x20);
            web.binary(new byte[2_000]);
            assertThat(web.awaitClose(SOON)).isEqualTo(1009);
        }
    }

    @Test
    void m18_messagesMayBeDeflatedBothWays() throws IOException {
        String deflate = "Sec-WebSocket-Extensions: permessage-deflate";
        try (WebSocketPeer web = WebSocketPeer.open(socket(), "/mqtt", MQTT, deflate)) {
            assertThat(web.header("Sec-WebSocket-Extensions")).startsWith("permessage-deflate");
            int deflated = WebSocketFrame.FIN | WebSocketFrame.DEFLATED | WebSocketFrame.BINARY;
            web.frame(deflated, RawDeflate.deflated(CONNECT));
            assertThat(web.read(SOON).payload()[0]).isEqualTo((byte) 0x20);
            web.frame(deflated, RawDeflate.deflated(HexFormat.of().parseHex("82070001000001" + "74" + "00")));
            assertThat(web.read(SOON).payload()[0]).isEqualTo((byte) 0x90);
            ByteArrayOutputStream publish = new ByteArrayOutputStream();
            publish.writeBytes(HexFormat.of().parseHex("30a41f00017400"));
            publish.writeBytes(new byte[4_000]);
            web.frame(deflated, RawDeflate.deflated(publish.toByteArray()));
            WebSocketFrame message = web.read(SOON);
            assertThat(message.first()).isEqualTo(deflated);
            assertThat(message.payload().length).isLessThan(200);
            assertThat(RawDeflate.inflated(message.payload())).isEqualTo(publish.toByteArray());
        }
    }

    @Test
    void m18_aPongIsTakenSilently() throws IOException {
        try (WebSocketPeer web = WebSocketPeer.open(socket(), "/mqtt", MQTT)) {
            web.frame(0x8A, new byte[] {1});
            web.binary(CONNECT);
            assertThat(web.read(SOON).payload()[0]).isEqualTo((byte) 0x20);
        }
    }
}
