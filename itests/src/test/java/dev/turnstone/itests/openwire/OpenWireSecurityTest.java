package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.itests.security.OpenWireSecurity;
import dev.turnstone.testkit.tls.TestCertificate;
import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQSslConnectionFactory;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.SessionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class OpenWireSecurityTest {
    /** A name of the broker, to which nobody may send. */
    private static final String RESERVED = "$SYS.x";

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    @Test
    void aClientIdentifierInUseIsRefused() throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory();
        factory.setClientID("one");
        broker.connect(factory);
        Connection second = factory.createConnection();
        try {
            assertThatThrownBy(second::start).isInstanceOf(InvalidClientIDException.class);
        } finally {
            second.close();
        }
    }

    @Test
    void wrongPasswordsAndForbiddenAddressesAreSecurityExceptions(@TempDir Path folder) throws Exception {
        try (OpenWireSecurity secured = new OpenWireSecurity(folder)) {
            String url = "tcp://127.0.0.1:" + secured.port();
            for (String prefix : new String[] {"", "failover:"}) {
                ActiveMQConnectionFactory wrong = new ActiveMQConnectionFactory(
                        "alice", "not hers", prefix + (prefix.isEmpty() ? url : "(" + url + ")"));
                Connection refused = wrong.createConnection();
                assertThatThrownBy(refused::start).isInstanceOf(JMSSecurityException.class);
                refused.close();
            }
            try (Connection connection =
                    new ActiveMQConnectionFactory("alice", secured.password(), url).createConnection()) {
                connection.start();
                Session session = connection.createSession();
                assertThatThrownBy(() -> session.createConsumer(session.createQueue("secret")))
                        .isInstanceOf(JMSSecurityException.class);
                assertThatThrownBy(() -> session.createProducer(session.createQueue("secret"))
                                .send(session.createTextMessage("x")))
                        .isInstanceOf(JMSSecurityException.class);
                session.createProducer(session.createQueue("orders.a")).send(session.createTextMessage("mine"));
                assertThat(ActiveMq.text(session.createConsumer(session.createQueue("orders.a"))))
                        .isEqualTo("mine");
            }
        }
    }

    @Test
    void whatIsRefusedWhileNobodyWaitsReachesTheExceptionListener() throws Exception {
        BlockingQueue<JMSException> heard = new LinkedBlockingQueue<>();
        ActiveMQConnectionFactory factory = broker.factory("?jms.useAsyncSend=true");
        Connection connection = broker.connect(factory);
        connection.setExceptionListener(heard::add);
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(null);
        producer.send(session.createTopic(RESERVED), session.createTextMessage("x"));
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isNotNull();
        producer.send(session.createQueue("a"), session.createTextMessage("goes on"));
        assertThat(ActiveMq.text(session.createConsumer(session.createQueue("a"))))
                .isEqualTo("goes on");
    }

    @Test
    void aPartThatIsRefusedRollsTheTransactionBack() throws JMSException {
        Session session = broker.session(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(null);
        producer.send(session.createQueue("good"), session.createTextMessage("x"));
        producer.send(session.createTopic(RESERVED), session.createTextMessage("x"));
        assertThatThrownBy(session::commit).isInstanceOf(JMSException.class);
        assertThat(broker.next(session.createQueue("good"))).isNull();
    }

    @Test
    void clientsComeOverTls(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "127.0.0.1");
        try (EmbeddedBroker tls = EmbeddedBroker.start(BrokerSettings.in(folder.resolve("data")))) {
            int port = tls.listen(
                            "openwire",
                            "127.0.0.1",
                            0,
                            Map.of(
                                    "tls.certificate", certificate.certificate().toString(),
                                    "tls.key", certificate.key().toString()))
                    .port();
            ActiveMQSslConnectionFactory factory = new ActiveMQSslConnectionFactory(
                    "failover:(ssl://127.0.0.1:" + port + "?socket.verifyHostName=false)");
            factory.setTrustStore(certificate.keystore().toString());
            factory.setTrustStorePassword(
                    Files.readString(certificate.passwordFile()).strip());
            try (Connection connection = factory.createConnection()) {
                connection.start();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue("tls"));
                ActiveMq.send(session, session.createQueue("tls"), "over TLS");
                assertThat(ActiveMq.text(consumer)).isEqualTo("over TLS");
            }
        }
    }

    @Test
    void nobodyEndsTheConnectionOfAnotherUserByItsName(@TempDir Path folder) throws Exception {
        TestCertificate own = TestCertificate.create(folder, "broker");
        TestCertificate robot = TestCertificate.create(folder, "robot");
        TestCertificate clerk = TestCertificate.create(folder, "clerk");
        Path trusted = folder.resolve("trusted.pem");
        Files.writeString(trusted, Files.readString(robot.certificate()) + Files.readString(clerk.certificate()));
        Map<String, String> settings = Map.of(
                "tls.certificate", own.certificate().toString(),
                "tls.key", own.key().toString(),
                "tls.clientAuth", "required",
                "tls.trust", trusted.toString());
        try (OpenWireSecurity secured = new OpenWireSecurity(Files.createDirectory(folder.resolve("secured")))) {
            int port = secured.certified(settings, "robot", "clerk");
            try (WirePeer first = enter(own.clientContext(robot), port);
                    WirePeer second = enter(own.clientContext(clerk), port)) {
                assertThat(first.ask(new SessionInfo(first.session())).isException())
                        .isFalse();
                // Whoever is the same comes back.
                try (WirePeer again = enter(own.clientContext(clerk), port)) {
                    second.awaitEnd();
                    assertThat(again.ask(new SessionInfo(again.session())).isException())
                            .isFalse();
                }
            }
        }
    }

    private static WirePeer enter(SSLContext context, int port) throws IOException {
        WirePeer peer = new WirePeer(
                context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port), "ID:same");
        peer.hello();
        assertThat(peer.ask(new ConnectionInfo(peer.id)).isException()).isFalse();
        return peer;
    }
}
