package dev.turnstone.itests.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.web.WebSocketFrame;
import dev.turnstone.testkit.web.WebSocketPeer;
import dev.turnstone.testkit.web.WebSocketSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StompWebSocketTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String HOST = "127.0.0.1";

    @TempDir
    Path data;

    private EmbeddedBroker broker;
    private int port;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.start(BrokerSettings.in(data));
        port = broker.listen("http", HOST, 0, Map.of("lingerMs", "1000")).port();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private WebSocketPeer peer(String... headers) throws IOException {
        return WebSocketPeer.open(new Socket(InetAddress.getLoopbackAddress(), port), "/stomp", headers);
    }

    private StompClient client(boolean text) throws IOException {
        WebSocketPeer peer = peer("Sec-WebSocket-Protocol: v10.stomp, v11.stomp, v12.stomp");
        assertThat(peer.header("Sec-WebSocket-Protocol")).isEqualTo("v12.stomp");
        return StompClient.connectOn(new WebSocketSocket(peer, text), "1.2");
    }

    @Test
    void aMessageGoesInAndOut() throws IOException {
        try (StompClient client = client(true)) {
            client.subscribe("0", "/queue/a", "client");
            client.sendConfirmed("/queue/a", "grüße");
            StompFrame message = client.message(SOON);
            assertThat(message.text()).isEqualTo("grüße");
            client.ack(message);
            client.disconnect();
        }
    }

    @Test
    void eachFrameIsATextMessageByItselfUnlessItsBodyIsNoText() throws IOException {
        try (WebSocketPeer peer = peer()) {
            peer.text("CONNECT\naccept-version:1.2\nhost:/\n\n\0");
            assertThat(peer.read(SOON).text()).startsWith("CONNECTED\n");
            peer.text("SUBSCRIBE\nid:0\ndestination:/queue/a\nreceipt:s\n\n\0");
            assertThat(peer.read(SOON).text()).startsWith("RECEIPT\n");
            peer.text("SEND\ndestination:/queue/a\n\none\0SEND\ndestination:/queue/a\n\ntwo\0");
            for (String body : new String[] {"one", "two"}) {
                WebSocketFrame message = peer.read(SOON);
                assertThat(message.first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.TEXT);
                assertThat(message.text()).startsWith("MESSAGE\n").endsWith(body + "\0");
            }
            byte[] frame = "SEND\ndestination:/queue/a\ncontent-length:2\n\n??\0".getBytes(StandardCharsets.UTF_8);
            frame[frame.length - 2] = (byte) 0xFF;
            peer.binary(frame);
            assertThat(peer.read(SOON).first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.BINARY);
        }
    }

    @Test
    void aClientThatBeginsWithBinaryGetsNoText() throws IOException {
        try (WebSocketPeer peer = peer()) {
            peer.binary("CONNECT\naccept-version:1.2\nhost:/\n\n\0".getBytes(StandardCharsets.UTF_8));
            WebSocketFrame connected = peer.read(SOON);
            assertThat(connected.first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.BINARY);
            assertThat(connected.text()).startsWith("CONNECTED\n");
        }
    }

    @Test
    void anErrorIsReadBeforeTheEnd() throws IOException {
        try (WebSocketPeer peer = peer()) {
            peer.text("CONNECT\naccept-version:1.2\nhost:/\n\n\0");
            peer.read(SOON);
            peer.text("SUBSCRIBE\nid:0\ndestination:nowhere\nreceipt:s\n\n\0");
            WebSocketFrame error = peer.read(SOON);
            assertThat(error.text()).startsWith("ERROR\n").contains("receipt-id:s\n");
            assertThat(peer.read(SOON).status()).isEqualTo(1002);
            peer.awaitEnd(SOON);
        }
    }

    @Test
    void s14_aLineEndInAMessageOfItsOwnIsAHeartBeatAndWhoSendsNoneIsDropped() throws IOException {
        try (WebSocketPeer peer = peer()) {
            peer.text("CONNECT\naccept-version:1.2\nhost:/\nheart-beat:1000,1000\n\n\0");
            assertThat(peer.read(SOON).text()).contains("heart-beat:1000,1000");
            for (int beats = 0; beats < 4; beats++) {
                WebSocketFrame beat = peer.read(SOON);
                assertThat(beat.first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.TEXT);
                assertThat(beat.text()).isEqualTo("\n");
                peer.text("\n");
            }
            WebSocketFrame frame = peer.read(SOON);
            while (frame.text().equals("\n")) {
                frame = peer.read(SOON);
            }
            assertThat(frame.text()).startsWith("ERROR\n").contains("no heart-beat");
            assertThat(peer.read(SOON).status()).isEqualTo(1002);
        }
    }

    @Test
    void s15_aFrameMayComeInManyMessagesAndManyFramesInOne() throws IOException {
        try (WebSocketPeer peer = peer()) {
            for (char letter : "\nCONNECT\r\naccept-version:1.2\r\nhost:/\r\n\r\n\0".toCharArray()) {
                peer.text(String.valueOf(letter));
            }
            assertThat(peer.read(SOON).text()).startsWith("CONNECTED\n");
            String one = "SEND\ndestination:/queue/a\nreceipt:1\n\none\0";
            peer.text("\n\n" + one + "\n\r\n" + one.replace("receipt:1", "receipt:2") + "\n");
            assertThat(peer.read(SOON).text()).contains("receipt-id:1\n");
            assertThat(peer.read(SOON).text()).contains("receipt-id:2\n");
        }
    }

    @Test
    void s15_aFrameBeyondItsLimitIsAnErrorWhileTheMessageIsNot() throws IOException {
        try (WebSocketPeer peer = peer()) {
            peer.text("CONNECT\naccept-version:1.2\nhost:/\n\n\0");
            peer.read(SOON);
            peer.text(
                    "SEND\ndestination:/queue/a\ncontent-length:1200000\nreceipt:r\n\n" + "x".repeat(1_200_000) + "\0");
            assertThat(peer.read(SOON).text()).startsWith("ERROR\n").contains("body larger than");
            assertThat(peer.read(SOON).status()).isEqualTo(1009);
        }
    }
}
