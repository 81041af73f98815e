package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.stomp.StompRefusedException;
import dev.turnstone.testkit.tls.TestCertificate;
import dev.turnstone.testkit.web.WebSocketFrame;
import dev.turnstone.testkit.web.WebSocketPeer;
import dev.turnstone.testkit.web.WebSocketSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins and permissions over WebSocket, with and without TLS. */
final class WebSocketSecurityTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private SecuredBroker broker;

    @BeforeEach
    void start() {
        broker = new SecuredBroker(folder);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private static Socket connected(Listener listener) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), listener.port());
    }

    private static StompClient stomp(Socket socket, String... headers) throws IOException {
        return StompClient.connectOn(new WebSocketSocket(WebSocketPeer.open(socket, "/stomp"), true), "1.2", headers);
    }

    @Test
    void s12_whoMayNotSubscribeGetsTheErrorWithItsReceiptAndThenTheEnd() throws IOException {
        Listener listener = broker.http(Map.of());
        try (WebSocketPeer bob =
                WebSocketPeer.open(connected(listener), "/stomp", "Sec-WebSocket-Protocol: v12.stomp")) {
            bob.text("CONNECT\naccept-version:1.2\nhost:/\nlogin:bob\npasscode:" + SecuredBroker.BOB + "\n\n\0");
            assertThat(bob.read(PATIENCE).text()).startsWith("CONNECTED\n");
            bob.text("SUBSCRIBE\nid:0\ndestination:/topic/orders.new\nreceipt:sub-1\n\n\0");
            WebSocketFrame error = bob.read(PATIENCE);
            assertThat(error.text())
                    .startsWith("ERROR\n")
                    .contains("receipt-id:sub-1\n")
                    .contains("user 'bob' may not consume from topic:orders.new");
            assertThat(bob.read(PATIENCE).status()).isEqualTo(1008);
            bob.awaitEnd(PATIENCE);
        }
    }

    @Test
    void nothingButLoginIsReachableWithoutAUser() throws IOException {
        Listener listener = broker.http(Map.of());
        assertThatThrownBy(() -> stomp(connected(listener), "login", "alice", "passcode", "wrong-guess"))
                .isInstanceOfSatisfying(
                        StompRefusedException.class,
                        refused -> assertThat(refused.error().header("message"))
                                .isEqualTo("the user is unknown or the password is wrong"));
        assertThatThrownBy(() -> stomp(connected(listener))).isInstanceOf(StompRefusedException.class);
        for (String frame : new String[] {"SEND\ndestination:/queue/orders.x\n\nhello\0", "DISCONNECT\n\n\0", "\0"}) {
            try (WebSocketPeer stranger = WebSocketPeer.open(connected(listener), "/stomp")) {
                stranger.text(frame);
                assertThat(stranger.read(PATIENCE).text()).startsWith("ERROR\n");
                assertThat(stranger.read(PATIENCE).status()).isEqualTo(1002);
            }
        }
    }

    @Test
    void aUserThatIsRemovedIsToldSo() throws IOException {
        Listener listener = broker.http(Map.of());
        try (StompClient bob = stomp(connected(listener), "login", "bob", "passcode", SecuredBroker.BOB)) {
            broker.users.remove("bob");
            StompFrame error = bob.awaitError(PATIENCE);
            assertThat(error.header("error-code")).isEqualTo("UNAUTHENTICATED");
        }
    }

    @Test
    void aCertificateIsAUserOverTlsAndARenewedOneEndsNoConnection() throws IOException {
        broker.users.add("robot", null, Set.of("clerks"));
        TestCertificate own = TestCertificate.create(folder, "broker");
        TestCertificate robot = TestCertificate.create(folder, "robot");
        Listener listener = broker.http(Map.of(
                "tls.certificate",
                own.certificate().toString(),
                "tls.key",
                own.key().toString(),
                "tls.clientAuth",
                "request",
                "tls.trust",
                robot.certificate().toString()));
        SSLContext robots = own.clientContext(robot);
        SSLContext others = own.clientContext(null);
        try (StompClient client = stomp(tls(robots, listener))) {
            client.subscribe("s", "/queue/orders.x", "auto");
            assertThatThrownBy(() -> stomp(tls(others, listener)))
                    .isInstanceOf(StompRefusedException.class)
                    .hasMessageContaining("a user and a password are needed");
            SSLContext renewed = TestCertificate.create(folder, "broker").clientContext(robot);
            listener.reread().run();
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> stomp(tls(renewed, listener)).close());
            assertThatThrownBy(() -> tls(robots, listener).startHandshake()).isInstanceOf(IOException.class);
            client.sendConfirmed("/queue/orders.x", "still there");
            assertThat(client.message(PATIENCE).text()).isEqualTo("still there");
        }
        assertThat(broker.auditText()).contains("\"user\":\"robot\"");
    }

    private static SSLSocket tls(SSLContext context, Listener listener) throws IOException {
        return (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), listener.port());
    }
}
