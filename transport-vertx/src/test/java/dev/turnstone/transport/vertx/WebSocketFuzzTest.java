package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.web.WebSocketFrame;
import dev.turnstone.testkit.web.WebSocketPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Handshakes and frames that are damaged, cut or made up: each ends its own connection in time, is answered, or is
 * taken, and none disturbs the next. A seed that failed is given by {@code -Dwebsocket.fuzz.seed=}.
 */
final class WebSocketFuzzTest {
    private static final int CLIENTS = 100;
    private static final byte[] REQUEST = """
            GET /talk HTTP/1.1
            Host: localhost
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Protocol: v1.talk
            Sec-WebSocket-Extensions: permessage-deflate

            """.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);

    private final long seed = Long.getLong("websocket.fuzz.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Talks talks = new Talks();

    @AfterEach
    void close() {
        talks.close();
    }

    @Test
    void noHandshakeDisturbsTheListener() throws IOException {
        Listener listener = listen();
        for (int client = 0; client < CLIENTS; client++) {
            talk(listener, damaged(REQUEST));
        }
        healthy(listener);
    }

    @Test
    void noFrameDisturbsTheListener() throws IOException {
        Listener listener = listen();
        for (int client = 0; client < CLIENTS; client++) {
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            said.writeBytes(REQUEST);
            int frames = 1 + random.nextInt(6);
            for (int i = 0; i < frames; i++) {
                said.writeBytes(frame());
            }
            talk(listener, said.toByteArray());
        }
        healthy(listener);
    }

    private Listener listen() {
        return talks.bindHttp(Map.of(
                "loginTimeoutMs",
                "2000",
                "lingerMs",
                "200",
                "webSocketMessageBytesMax",
                "5000",
                "allowedOrigins",
                "*"));
    }

    private byte[] damaged(byte[] bytes) {
        byte[] damaged = bytes.clone();
        int damages = random.nextInt(4);
        for (int i = 0; i < damages; i++) {
            int at = random.nextInt(damaged.length);
            int to = Math.min(damaged.length, at + random.nextInt(8));
            switch (random.nextInt(3)) {
                case 0 -> damaged[at] = (byte) random.nextInt(256);
                case 1 -> Arrays.fill(damaged, at, to, (byte) "\r\n ,:=\0x".charAt(random.nextInt(8)));
                default -> System.arraycopy(damaged, random.nextInt(damaged.length - 8), damaged, at, to - at);
            }
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(damaged, random.nextInt(damaged.length)) : damaged;
    }

    private byte[] frame() {
        byte[] payload = new byte[random.nextInt(4) == 0 ? random.nextInt(6_000) : random.nextInt(130)];
        random.nextBytes(payload);
        int first = random.nextInt(3) == 0 ? random.nextInt(256) : WebSocketFrame.FIN | random.nextInt(3);
        byte[] frame = WebSocketPeer.encoded(first, payload, random.nextInt(10) > 0);
        return random.nextInt(3) == 0 ? damaged(frame.length < 9 ? Arrays.copyOf(frame, 9) : frame) : frame;
    }

    /** Says it, in pieces, and reads to the end. */
    private void talk(Listener listener, byte[] said) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout((int) Talks.SOON.toMillis());
            socket.setTcpNoDelay(true);
            int at = 0;
            while (at < said.length) {
                int length = Math.min(said.length - at, 1 + random.nextInt(said.length));
                socket.getOutputStream().write(said, at, length);
                at += length;
            }
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes().length)
                    .as("seed " + seed)
                    .isLessThan(100_000);
        } catch (java.net.SocketException e) {
            // Reset: it was closed with something unread.
            assertThat(e.getMessage()).as("seed " + seed).containsAnyOf("reset", "Broken pipe");
        }
    }

    private void healthy(Listener listener) throws IOException {
        try (WebSocketPeer peer =
                WebSocketPeer.open(new Socket(InetAddress.getLoopbackAddress(), listener.port()), "/talk")) {
            peer.text("echo");
            assertThat(peer.read(Talks.SOON).text()).as("seed " + seed).isEqualTo("echo");
        }
        await("seed " + seed)
                .atMost(Talks.SOON)
                .until(() -> talks.loops.arrivals().count() == 0);
        await("seed " + seed)
                .atMost(Talks.SOON)
                .until(() -> talks.talks.stream().allMatch(talk -> talk.ends.get() == 1));
    }
}
