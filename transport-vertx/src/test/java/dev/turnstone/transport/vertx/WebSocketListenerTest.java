package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.web.WebSocketFrame;
import dev.turnstone.testkit.web.WebSocketPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WebSocketListenerTest {
    private static final Duration SOON = Talks.SOON;

    private final Talks talks = new Talks();
    private @Nullable Listener listener;

    @AfterEach
    void close() {
        talks.close();
    }

    private WebSocketPeer connect(String... settings) throws IOException {
        if (listener == null) {
            Map<String, String> named = new HashMap<>(Map.of("lingerMs", "1000"));
            for (int at = 0; at < settings.length; at += 2) {
                named.put(settings[at], settings[at + 1]);
            }
            listener = talks.bindHttp(named);
        }
        return new WebSocketPeer(new Socket(InetAddress.getLoopbackAddress(), listener.port()));
    }

    private WebSocketPeer talking(String... settings) throws IOException {
        WebSocketPeer peer = connect(settings);
        assertThat(peer.handshake("/talk")).isEqualTo(101);
        return peer;
    }

    private int status(String path, String... headers) throws IOException {
        try (WebSocketPeer peer = connect()) {
            return peer.handshake(path, headers);
        }
    }

    private int requested(String request) throws IOException {
        try (WebSocketPeer peer = connect()) {
            return peer.request(request.replace("\n", "\r\n") + "\r\n");
        }
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theBestSubProtocolThatBothKnowIsTaken() throws IOException {
        try (WebSocketPeer peer = connect()) {
            assertThat(peer.handshake(
                            "/talk", "Sec-WebSocket-Protocol: other, v1.talk", "Sec-WebSocket-Protocol: v2.talk"))
                    .isEqualTo(101);
            assertThat(peer.header("Sec-WebSocket-Protocol")).isEqualTo("v2.talk");
            // The example of RFC 6455 section 1.3.
            assertThat(peer.header("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        }
        try (WebSocketPeer peer = talking()) {
            assertThat(peer.header("Sec-WebSocket-Protocol")).isNull();
        }
        assertThat(status("/talk", "Sec-WebSocket-Protocol: bytes")).isEqualTo(400);
        assertThat(status("/bytes", "Sec-WebSocket-Protocol: bytes")).isEqualTo(101);
        assertThat(status("/bytes")).isEqualTo(400);
    }

    @Test
    void whatIsNoHandshakeIsRefusedWithTheStatusForIt() throws IOException {
        String get = "GET /talk HTTP/1.1\nHost: x\n";
        String key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n";
        String upgrade = "Upgrade: websocket\nConnection: Upgrade\n";
        String version = "Sec-WebSocket-Version: 13\n";
        assertThat(requested(get + upgrade + key + version)).isEqualTo(101);
        assertThat(requested(get)).isEqualTo(426);
        assertThat(requested(get + upgrade + key + "Sec-WebSocket-Version: 8\n"))
                .isEqualTo(426);
        assertThat(requested(get + upgrade + version)).isEqualTo(400);
        assertThat(requested(get + upgrade + version + "Sec-WebSocket-Key: short\n"))
                .isEqualTo(400);
        assertThat(requested(get + upgrade + version + "Sec-WebSocket-Key: !!!\n"))
                .isEqualTo(400);
        assertThat(requested(get + "Upgrade: websocket\n" + key + version)).isEqualTo(400);
        assertThat(requested(get + upgrade + key + version + "Content-Length: 3\n"))
                .isEqualTo(400);
        assertThat(requested("POST /talk HTTP/1.1\nHost: x\n" + upgrade + key + version))
                .isEqualTo(400);
        assertThat(requested("GET /talk HTTP/1.0\nHost: x\n" + upgrade + key + version))
                .isEqualTo(400);
        assertThat(requested("GET /nowhere HTTP/1.1\nHost: x\n" + upgrade + key + version))
                .isEqualTo(404);
        assertThat(requested("GET /talk/more HTTP/1.1\nHost: x\n")).isEqualTo(404);
        assertThat(requested(get + "Header: " + "x".repeat(9_000) + "\n")).isEqualTo(431);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080,101",
        "https://127.0.0.1,101",
        "http://[::1]:80,101",
        "https://shop.example,101",
        "HTTPS://Shop.Example,101",
        "http://shop.example,403",
        "https://shop.example:444,403",
        "https://evil.shop.example,403",
        "http://localhost.evil.example,403",
        "http://localhost:8080.evil.example,403",
        "http://evil.example,403",
        "null,403",
    })
    void onlyPagesOfThisMachineAndOfTheListMayConnect(String origin, int status) throws IOException {
        connect("allowedOrigins", "https://shop.example,https://other.example").close();
        assertThat(status("/talk", "Origin: " + origin)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example,https://shop.example",
        "shop.example:8443,https://shop.example:8443",
        "https://shop.example/,https://shop.example",
        "https://shop.example/cart?x=1,https://shop.example",
        "https://shop.example:443,https://shop.example",
        "HTTP://[::1]:80,HTTP://[::1]",
        "https://,https://shop.example",
        "https://*.shop.example,https://shop.example",
        "two words,https://shop.example",
        "'',https://shop.example",
    })
    void whatNoBrowserSendsIsRefusedWithWhatItSends(String written, String sent) {
        assertThatThrownBy(() -> connect("allowedOrigins", "https://other.example:8443," + written))
                .isInstanceOf(BrokerException.class)
                .hasMessage("http listener: allowedOrigins: no browser sends '" + written + "' as a page's origin; '"
                        + sent + "' is one");
    }

    @Test
    void aStarAllowsEveryPage() throws IOException {
        connect("allowedOrigins", "*").close();
        assertThat(status("/talk", "Origin: null")).isEqualTo(101);
    }

    @Test
    void howBytesAreCutIntoFramesAndMessagesMeansNothing() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.frame(WebSocketFrame.TEXT, octets("a"));
            peer.frame(WebSocketFrame.FIN | WebSocketFrame.PING, octets("p"));
            peer.frame(0, octets(""));
            peer.frame(0, octets("b"));
            peer.frame(WebSocketFrame.FIN, octets("c"));
            peer.binary(octets("d"));
            for (byte octet : WebSocketPeer.encoded(WebSocketFrame.FIN | WebSocketFrame.TEXT, octets("ef"), true)) {
                peer.raw(new byte[] {octet});
            }
            await().atMost(SOON).until(() -> talks.first().heard.toString().equals("abcdef"));
            WebSocketFrame pong = peer.read(SOON);
            assertThat(pong.opcode()).isEqualTo(WebSocketFrame.PONG);
            assertThat(pong.text()).isEqualTo("p");
        }
    }

    @Test
    void whatIsWrittenIsTextIfItCanBe() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.text("echo");
            assertThat(peer.read(SOON).first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.TEXT);
            peer.text("binary");
            assertThat(peer.read(SOON).first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.BINARY);
        }
    }

    @Test
    void textForAProtocolWithoutTextEndsWith1003() throws IOException {
        try (WebSocketPeer peer = connect()) {
            peer.handshake("/bytes", "Sec-WebSocket-Protocol: bytes");
            peer.binary(octets("echo"));
            assertThat(peer.read(SOON).first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.BINARY);
            peer.text("echo");
            ended(peer, 1003);
        }
    }

    private void ended(WebSocketPeer peer, int status) throws IOException {
        assertThat(peer.awaitClose(SOON)).isEqualTo(status);
        // The protocol's side ends at once, whatever the peer still does.
        await().atMost(SOON).until(() -> talks.first().ends.get() == 1);
        peer.awaitEnd(SOON);
    }

    @Test
    void framesThatBreakTheRulesEndWith1002() throws IOException {
        byte[][] broken = {
            WebSocketPeer.encoded(WebSocketFrame.FIN | WebSocketFrame.TEXT, octets("unmasked"), false),
            WebSocketPeer.encoded(WebSocketFrame.FIN | 3, octets("unknown opcode"), true),
            WebSocketPeer.encoded(WebSocketFrame.FIN | 0, octets("continues nothing"), true),
            WebSocketPeer.encoded(WebSocketFrame.PING, octets("a fragmented ping"), true),
            WebSocketPeer.encoded(WebSocketFrame.FIN | WebSocketFrame.PING, new byte[126], true),
            WebSocketPeer.encoded(WebSocketFrame.FIN | WebSocketFrame.DEFLATED | 1, octets("nobody asked"), true),
        };
        for (byte[] frame : broken) {
            talks.talks.clear();
            try (WebSocketPeer peer = talking()) {
                peer.raw(frame);
                ended(peer, 1002);
            }
        }
    }

    @Test
    void textThatIsNotUtf8EndsWith1007() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.frame(WebSocketFrame.FIN | WebSocketFrame.TEXT, new byte[] {'a', (byte) 0xFF});
            ended(peer, 1007);
        }
    }

    @Test
    void aFrameOrMessageThatIsTooLargeEndsWith1009() throws IOException {
        String[] settings = {"webSocketMessageBytesMax", "1000"};
        try (WebSocketPeer peer = talking(settings)) {
            peer.binary(new byte[1_000]);
            peer.binary(new byte[1_001]);
            ended(peer, 1009);
            assertThat(talks.first().heard.length()).isEqualTo(1_000);
        }
        talks.talks.clear();
        try (WebSocketPeer peer = talking(settings)) {
            peer.frame(WebSocketFrame.BINARY, new byte[600]);
            peer.frame(0, new byte[401]);
            ended(peer, 1009);
        }
    }

    @Test
    void beforeTheLoginOnlySoMuchIsTaken() throws IOException {
        String[] settings = {"webSocketLoginBytesMax", "2000"};
        try (WebSocketPeer peer = talking(settings)) {
            peer.binary(new byte[3_000]);
            ended(peer, 1009);
            assertThat(talks.first().heard).isEmpty();
        }
        talks.talks.clear();
        try (WebSocketPeer peer = talking(settings)) {
            peer.text("login");
            peer.text("echo");
            assertThat(peer.read(SOON).text()).isEqualTo("echo");
            peer.binary(new byte[300_000]);
            await().atMost(SOON).until(() -> talks.first().heard.length() > 300_000);
        }
    }

    @Test
    void aCloseIsAnsweredAndEndsTheConnection() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.text("echo");
            peer.frame(WebSocketFrame.FIN | WebSocketFrame.CLOSE, new byte[] {0x03, (byte) 0xE8});
            assertThat(peer.read(SOON).text()).isEqualTo("echo");
            ended(peer, 1000);
        }
    }

    @Test
    void aLastPieceReachesAPeerThatIsStillSendingBeforeTheClose() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.text("login");
            peer.text("finish");
            peer.binary(new byte[300_000]);
            assertThat(peer.read(SOON).text()).isEqualTo("goodbye");
            assertThat(peer.read(SOON).status()).isEqualTo(1000);
            peer.awaitEnd(SOON);
        }
    }

    @Test
    void theStatusSaysWhyTheProtocolHasEndedTheConnection() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.text("finish: fault");
            assertThat(peer.read(SOON).text()).isEqualTo("goodbye");
            assertThat(peer.read(SOON).status()).isEqualTo(1002);
            peer.awaitEnd(SOON);
        }
    }

    @Test
    void whileTheProtocolReadsNothingNothingIsLost() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.text("login");
            peer.text("pause");
            for (int i = 0; i < 20; i++) {
                peer.binary(new byte[10_000]);
            }
            await().atMost(SOON).until(() -> talks.first().heard.length() == 200_000 + "loginpause".length());
        }
    }

    @Test
    void pingsOfWhoDoesNotReadTakeNoMemory() throws IOException {
        try (WebSocketPeer peer = talking("webSocketLoginBytesMax", "100000000")) {
            byte[] ping = WebSocketPeer.encoded(WebSocketFrame.FIN | WebSocketFrame.PING, new byte[125], true);
            ByteArrayOutputStream many = new ByteArrayOutputStream();
            for (int i = 0; i < 5_000; i++) {
                many.writeBytes(ping);
            }
            // 50 MB of pings, none of whose answers is read: all of them are taken, and the peer is still served.
            for (int i = 0; i < 80; i++) {
                peer.raw(many.toByteArray());
            }
            peer.text("echo");
            WebSocketFrame frame = peer.read(SOON);
            int pongs = 0;
            while (frame.opcode() == WebSocketFrame.PONG) {
                pongs++;
                frame = peer.read(SOON);
            }
            assertThat(frame.text()).isEqualTo("echo");
            assertThat(pongs).isLessThan(400_000);
        }
    }

    @Test
    void aLoginThatDoesNotComeEndsAWebSocketAndARequestThatDoesNotComeItsConnection() throws IOException {
        try (WebSocketPeer silent = connect("loginTimeoutMs", "300");
                WebSocketPeer half = connect();
                WebSocketPeer open = connect()) {
            half.raw(octets("GET /talk HT"));
            open.handshake("/talk");
            assertThat(open.read(SOON).text()).isEqualTo("too late");
            silent.awaitEnd(SOON);
            half.awaitEnd(SOON);
        }
    }

    @Test
    void aListenerThatClosesSaysSo() throws IOException {
        try (WebSocketPeer peer = talking()) {
            peer.text("echo");
            assertThat(peer.read(SOON).text()).isEqualTo("echo");
            java.util.Objects.requireNonNull(listener).close();
            assertThat(peer.read(SOON).text()).isEqualTo("stopping");
            assertThat(peer.read(SOON).status()).isEqualTo(1001);
        }
    }

    @Test
    void otherPathsHaveTheHandlersThatWereAdded() throws IOException {
        HttpRoutes routes = HttpRoutes.of(talks.shared);
        routes.add("/health", request -> HttpAnswers.plain(request, 200, "health"));
        routes.add("/health/deep/er", request -> HttpAnswers.plain(request, 202, "deeper"));
        assertThat(requested("GET /health HTTP/1.1\nHost: x\n")).isEqualTo(200);
        assertThat(requested("GET /health/live?x=1 HTTP/1.1\nHost: x\n")).isEqualTo(200);
        assertThat(requested("GET /health/deep/er/yet HTTP/1.1\nHost: x\n")).isEqualTo(202);
        assertThat(requested("GET /healthy HTTP/1.1\nHost: x\n")).isEqualTo(404);
        assertThatThrownBy(() -> routes.add("/health", request -> {})).hasMessageContaining("has a handler");
        assertThatThrownBy(() -> routes.add("/health/", request -> {})).hasMessageContaining("ends with none");
    }

    @Test
    void aConnectionStaysForSeveralRequests() throws IOException {
        HttpRoutes.of(talks.shared).add("/health", request -> request.response().end());
        try (WebSocketPeer peer = connect("loginTimeoutMs", "1500")) {
            for (int i = 0; i < 3; i++) {
                assertThat(peer.request("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"))
                        .isEqualTo(200);
            }
            peer.awaitEnd(SOON);
        }
    }
}
