package dev.turnstone.transport.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.tls.TestCertificate;
import dev.turnstone.testkit.web.WebSocketPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that come through a proxy, which says for whom. */
final class ProxyTest {
    private static final String V1 = "PROXY TCP4 203.0.113.7 192.0.2.1 51820 61613\r\n";
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private final Talks talks = new Talks();

    @AfterEach
    void close() {
        talks.close();
    }

    private Listener listen(String... named) {
        Map<String, String> all = new HashMap<>(Map.of("proxies", "127.0.0.0/8", "lingerMs", "1000"));
        for (int at = 0; at < named.length; at += 2) {
            all.put(named[at], named[at + 1]);
        }
        return talks.bind(
                new ListenRequest(Talks.HOST, 0, Map.of()), WireSettings.read(new ListenSettings("talk", all)));
    }

    private static Socket connect(Listener listener, byte[] header) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout((int) Talks.SOON.toMillis());
        socket.getOutputStream().write(header);
        return socket;
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String answer(Socket socket, String question) throws IOException {
        socket.getOutputStream().write(octets(question));
        byte[] bytes = new byte[1_000];
        int count = socket.getInputStream().read(bytes);
        return new String(bytes, 0, Math.max(0, count), StandardCharsets.UTF_8);
    }

    /** Version 2 with command PROXY over TCP, for addresses of 4 or 16 bytes, or command LOCAL without. */
    private static byte[] v2(byte[] address, int port) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(SIGNATURE);
        header.write(address.length == 0 ? 0x20 : 0x21);
        header.write(address.length == 0 ? 0 : address.length == 4 ? 0x11 : 0x21);
        int length = address.length == 0 ? 0 : 2 * address.length + 4;
        header.write(length >> 8);
        header.write(length);
        if (length > 0) {
            header.writeBytes(address);
            header.writeBytes(new byte[address.length]);
            header.writeBytes(new byte[] {(byte) (port >> 8), (byte) port, 0, 80});
        }
        return header.toByteArray();
    }

    @Test
    void theClientThatIsAnnouncedCounts() throws IOException {
        Listener listener = listen();
        try (Socket socket = connect(listener, octets(V1))) {
            assertThat(answer(socket, "remote")).isEqualTo("203.0.113.7:51820");
        }
        try (Socket socket = connect(listener, octets("PROXY TCP6 2001:db8::7 2001:db8::1 51820 61613\r\n"))) {
            assertThat(answer(socket, "remote")).isEqualTo("[2001:db8::7]:51820");
        }
        try (Socket socket = connect(listener, v2(new byte[] {(byte) 203, 0, 113, 9}, 40_000))) {
            assertThat(answer(socket, "remote")).isEqualTo("203.0.113.9:40000");
        }
        byte[] ipv6 = InetAddress.getByName("2001:db8::9").getAddress();
        try (Socket socket = connect(listener, v2(ipv6, 40_000))) {
            assertThat(answer(socket, "remote")).isEqualTo("[2001:db8::9]:40000");
        }
    }

    /** Somebody on the proxy's machine, who has no address that counts: it is the proxy, and counts as that. */
    @Test
    void aClientWithoutAnAddressCountsAsTheProxy() throws IOException {
        byte[] unix = Arrays.copyOf(SIGNATURE, SIGNATURE.length + 4 + 216);
        unix[12] = 0x21;
        unix[13] = 0x31;
        unix[15] = (byte) 216;
        unix[16] = '/';
        unix[124] = '/';
        Listener listener = listen("connectionsPerAddressMax", "1");
        try (Socket socket = connect(listener, unix)) {
            assertThat(answer(socket, "remote")).startsWith("127.0.0.1:");
            try (Socket second = connect(listener, unix)) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void aProxyThatSpeaksForItselfIsTheClient() throws IOException {
        Listener listener = listen();
        for (byte[] header : List.of(v2(new byte[0], 0), octets("PROXY UNKNOWN\r\n"))) {
            try (Socket socket = connect(listener, header)) {
                assertThat(answer(socket, "remote")).startsWith("127.0.0.1:");
            }
        }
    }

    @Test
    void limitsForAnAddressAreForThatOfTheClient() throws IOException {
        Listener listener = listen("connectionsPerAddressMax", "1");
        try (Socket first = connect(listener, octets(V1));
                Socket other = connect(listener, octets(V1.replace("113.7", "113.8")))) {
            assertThat(answer(first, "echo")).isEqualTo("echo");
            assertThat(answer(other, "echo")).isEqualTo("echo");
            try (Socket second = connect(listener, octets(V1))) {
                refused(second);
            }
        }
    }

    @Test
    void whoIsNoProxyMayNotConnect() throws IOException {
        Listener listener = listen("proxies", "192.0.2.0/24, 2001:db8::1");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout((int) Talks.SOON.toMillis());
            refused(socket);
        }
        assertThat(talks.talks).isEmpty();
    }

    /** Closed, or reset because something was not read. */
    private static void refused(Socket socket) throws IOException {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (java.net.SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "CONNECT\naccept-version:1.2\n\n\0\n\n\r\n",
                "PROXY\r\n",
                "PROXY TCP4\r\n",
                "PROXY TCP4 203.0.113.7 192.0.2.1 51820\r\n",
                "PROXY TCP4 203.0.113.700 192.0.2.1 51820 61613\r\n",
                "PROXY TCP4 shop.example 192.0.2.1 51820 61613\r\n",
                "PROXY TCP4 2001:db8::7 2001:db8::1 51820 61613\r\n",
                "PROXY TCP4 203.0.113.7 192.0.2.1 99999 61613\r\n",
                "PROXY UDP4 203.0.113.7 192.0.2.1 51820 61613\r\n",
                "PROXY TCP4 203.0.113.7 192.0.2.1 51820 61613 and more than there may be of it\r\n",
            })
    void whatIsNoHeaderEndsTheConnection(String header) throws IOException {
        Listener listener = listen();
        try (Socket socket = connect(listener, octets(header))) {
            refused(socket);
        }
        assertThat(talks.talks).isEmpty();
        await().atMost(Talks.SOON).until(() -> talks.loops.arrivals().refused() == 1);
    }

    /** So do proxies that look whether a server is there. */
    @Test
    void whoSaysNothingAndGoesIsNoRefusal() throws IOException {
        Listener listener = listen();
        connect(listener, new byte[0]).close();
        try (Socket socket = connect(listener, octets(V1))) {
            assertThat(answer(socket, "finish")).isEqualTo("goodbye");
        }
        await().atMost(Talks.SOON).until(() -> talks.loops.arrivals().count() == 0);
        assertThat(talks.loops.arrivals().refused()).isZero();
    }

    @Test
    void aHeaderThatDoesNotComeEndsTheConnection() throws IOException {
        Listener listener = listen("loginTimeoutMs", "300");
        try (Socket socket = connect(listener, octets(V1.substring(0, 10)))) {
            refused(socket);
        }
        assertThat(talks.talks).isEmpty();
        await().atMost(Talks.SOON).until(() -> talks.loops.arrivals().refused() == 1);
    }

    @Test
    void headersThatAreCutUpAndDamagedEndTheirConnectionAndNoOther() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Listener listener = listen();
        List<byte[]> good = List.of(octets(V1), v2(new byte[] {1, 2, 3, 4}, 5), v2(new byte[16], 6));
        for (int i = 0; i < 150; i++) {
            byte[] header = good.get(i % good.size()).clone();
            int damages = random.nextInt(3);
            for (int damage = 0; damage < damages; damage++) {
                header[random.nextInt(header.length)] = (byte) random.nextInt(256);
            }
            byte[] sent = Arrays.copyOf(header, random.nextInt(3) == 0 ? random.nextInt(header.length) : header.length);
            try (Socket socket = connect(listener, sent)) {
                socket.getOutputStream().write(octets("finish"));
                socket.shutdownOutput();
                assertThat(read(socket)).as("seed " + seed + ", " + i).isIn("", "goodbye");
            }
        }
        try (Socket socket = connect(listener, octets(V1))) {
            assertThat(answer(socket, "echo")).isEqualTo("echo");
        }
        await().atMost(Talks.SOON).until(() -> talks.loops.arrivals().count() == 0);
    }

    private static String read(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.net.SocketException e) {
            return "";
        }
    }

    @Test
    void theHeaderComesBeforeTlsAndBeforeHttp(@TempDir Path folder) throws IOException {
        TestCertificate own = TestCertificate.create(folder, "server.test");
        Listener tls = listen(
                "tls.certificate",
                own.certificate().toString(),
                "tls.key",
                own.key().toString());
        try (Socket plain = connect(tls, octets(V1));
                Socket socket =
                        own.clientContext(null).getSocketFactory().createSocket(plain, Talks.HOST, tls.port(), true)) {
            assertThat(answer(socket, "remote")).isEqualTo("203.0.113.7:51820");
        }
        Listener http = talks.bindHttp(Map.of("proxies", "127.0.0.1"));
        try (WebSocketPeer peer = WebSocketPeer.open(connect(http, octets(V1)), "/talk")) {
            peer.text("remote");
            assertThat(peer.read(Talks.SOON).text()).isEqualTo("203.0.113.7:51820");
        }
    }

    @Test
    void aHandshakeThatIsNotDoneCountsAndHasItsTime(@TempDir Path folder) throws IOException {
        TestCertificate own = TestCertificate.create(folder, "server.test");
        Listener listener = listen(
                "proxies",
                "",
                "connectionsMax",
                "2",
                "loginTimeoutMs",
                "700",
                "tls.certificate",
                own.certificate().toString(),
                "tls.key",
                own.key().toString());
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            silent.add(connect(listener, new byte[] {22}));
        }
        await().atMost(Talks.SOON).until(() -> talks.loops.arrivals().count() == 2);
        try (Socket third = new Socket()) {
            third.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()));
            third.setSoTimeout((int) Talks.SOON.toMillis());
            refused(third);
        }
        for (Socket socket : silent) {
            refused(socket);
            socket.close();
        }
        await().atMost(Talks.SOON).until(() -> talks.loops.arrivals().count() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0", "10.0.0.0/33", "10.0.0.0/x", "proxy.example", "::1/129", "10.0.0.1/"})
    void whatIsNoAddressIsRefused(String proxies) {
        assertThatThrownBy(() -> listen("proxies", proxies))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("talk listener: proxies must be addresses")
                .hasMessageContaining("'" + proxies + "'");
    }
}
