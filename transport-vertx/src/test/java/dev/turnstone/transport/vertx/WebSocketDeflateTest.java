package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.web.RawDeflate;
import dev.turnstone.testkit.web.WebSocketFrame;
import dev.turnstone.testkit.web.WebSocketPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WebSocketDeflateTest {
    private static final Duration SOON = Talks.SOON;
    private static final String DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits";

    private final Talks talks = new Talks();
    private @Nullable Listener listener;

    @AfterEach
    void close() {
        talks.close();
    }

    private WebSocketPeer connect(String... setting) throws IOException {
        if (listener == null) {
            listener = talks.bindHttp(setting.length == 0 ? Map.of() : Map.of(setting[0], setting[1]));
        }
        return new WebSocketPeer(new Socket(InetAddress.getLoopbackAddress(), listener.port()));
    }

    @Test
    void messagesAreDeflatedBothWays() throws IOException {
        try (WebSocketPeer peer = connect()) {
            assertThat(peer.handshake("/talk", DEFLATE)).isEqualTo(101);
            assertThat(peer.header("Sec-WebSocket-Extensions"))
                    .startsWith("permessage-deflate")
                    .contains("server_no_context_takeover")
                    .contains("client_no_context_takeover");
            peer.frame(
                    WebSocketFrame.FIN | WebSocketFrame.DEFLATED | WebSocketFrame.TEXT,
                    RawDeflate.deflated("much 5000".getBytes(StandardCharsets.UTF_8)));
            WebSocketFrame much = peer.read(SOON);
            assertThat(much.first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.DEFLATED | WebSocketFrame.TEXT);
            assertThat(much.payload().length).isLessThan(200);
            assertThat(new String(RawDeflate.inflated(much.payload()), StandardCharsets.UTF_8))
                    .isEqualTo("x".repeat(5_000));
            peer.text("echo");
            assertThat(peer.read(SOON).first()).isEqualTo(WebSocketFrame.FIN | WebSocketFrame.TEXT);
        }
    }

    @Test
    void whatInflatesTooFarEndsWith1009AndWhatCannotBeInflatedWith1007() throws IOException {
        connect("webSocketMessageBytesMax", "10000").close();
        int binary = WebSocketFrame.FIN | WebSocketFrame.DEFLATED | WebSocketFrame.BINARY;
        try (WebSocketPeer peer = connect()) {
            peer.handshake("/talk", DEFLATE);
            peer.frame(binary, RawDeflate.deflated(new byte[9_000_000]));
            assertThat(peer.awaitClose(SOON)).isEqualTo(1009);
            assertThat(talks.first().heard).isEmpty();
        }
        talks.talks.clear();
        try (WebSocketPeer peer = connect()) {
            peer.handshake("/talk", DEFLATE);
            peer.frame(binary, new byte[] {0x07, 0x55, 0x55, 0x55});
            assertThat(peer.awaitClose(SOON)).isEqualTo(1007);
        }
    }

    /** RFC 6455 section 5.2: only the first bit was agreed on, and only for messages. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                WebSocketFrame.FIN | 0x20 | WebSocketFrame.TEXT,
                WebSocketFrame.FIN | 0x10 | WebSocketFrame.BINARY,
                WebSocketFrame.FIN | WebSocketFrame.DEFLATED | WebSocketFrame.PING
            })
    void bitsThatNobodyHasAgreedOnEndWith1002(int first) throws IOException {
        try (WebSocketPeer peer = connect()) {
            peer.handshake("/talk", DEFLATE);
            peer.frame(first, "echo".getBytes(StandardCharsets.UTF_8));
            assertThat(peer.awaitClose(SOON)).isEqualTo(1002);
        }
    }

    /** What was written before the peer's end waits for the socket, and so does the answer to it. */
    @Test
    void aPeerThatEndsAndReadsNothingIsDropped() throws IOException {
        try (WebSocketPeer peer = connect("lingerMs", "100")) {
            peer.handshake("/talk");
            peer.text("much 50000000");
            await().atMost(SOON).until(() -> talks.first().full.get() == 1);
            peer.frame(WebSocketFrame.FIN | WebSocketFrame.CLOSE, new byte[] {0x03, (byte) 0xE8});
            await().atMost(SOON).until(() -> talks.first().ends.get() == 1);
        }
    }

    @Test
    void deflatingCanBeTurnedOff() throws IOException {
        try (WebSocketPeer peer = connect("webSocketCompression", "false")) {
            assertThat(peer.handshake("/talk", DEFLATE)).isEqualTo(101);
            assertThat(peer.header("Sec-WebSocket-Extensions")).isNull();
        }
    }
}
