package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.testkit.stomp.StompClient;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JmsSecurityTest {
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

    private Connection connect(String user, String password) throws JMSException {
        return broker.jms().createConnection(user, password);
    }

    private static void assertForbidden(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        JMSSecurityException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo("FORBIDDEN"))
                .hasMessage(message);
    }

    @Test
    void aWrongPasswordAnUnknownUserAndNoneAreSecurityExceptions() {
        for (String[] login : new String[][] {
            {"alice", SecuredBroker.BOB}, {"mallory", SecuredBroker.ALICE}, {"alice", null}, {null, null}
        }) {
            assertThatThrownBy(() -> connect(login[0], login[1]).start())
                    .isInstanceOfSatisfying(
                            JMSSecurityException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo("UNAUTHENTICATED"))
                    .message()
                    .doesNotContain(SecuredBroker.ALICE, SecuredBroker.BOB);
        }
        assertThatThrownBy(() -> broker.jms().createConnection().start()).isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void whatAJmsClerkSendsAStompClerkReceives() throws JMSException, IOException {
        try (Connection connection = connect("alice", SecuredBroker.ALICE);
                StompClient stomp = broker.stompAs("alice", SecuredBroker.ALICE)) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders.new");
            session.createProducer(queue).send(session.createTextMessage("hello"));
            stomp.subscribe("s", "/queue/orders.new", "auto");
            assertThat(stomp.message(PATIENCE).text()).isEqualTo("hello");
        }
    }

    @Test
    void aForbiddenSendIsASecurityExceptionAndTheSessionGoesOn() throws JMSException {
        try (Connection connection = connect("bob", SecuredBroker.BOB)) {
            connection.start();
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(null);
            Queue orders = session.createQueue("orders.new");
            assertForbidden(
                    () -> producer.send(orders, session.createTextMessage("forged")),
                    "user 'bob' may not send to queue:orders.new");
            Queue inbox = session.createQueue("inbox.bob");
            producer.send(inbox, session.createTextMessage("note"));
            TextMessage received = (TextMessage) session.createConsumer(inbox).receive(PATIENCE.toMillis());
            assertThat(received.getText()).isEqualTo("note");
        }
    }

    @Test
    void aForbiddenConsumerIsASecurityException() throws JMSException {
        try (Connection connection = connect("bob", SecuredBroker.BOB)) {
            Session session = connection.createSession();
            assertForbidden(
                    () -> session.createConsumer(session.createQueue("inbox.alice")),
                    "user 'bob' may not consume from queue:inbox.alice");
            assertForbidden(
                    () -> session.createConsumer(session.createTopic("orders.changed")),
                    "user 'bob' may not consume from topic:orders.changed");
        }
    }

    @Test
    void aDurableSubscriptionNeedsMoreThanConsuming() throws JMSException {
        try (Connection connection = connect("bob", SecuredBroker.BOB)) {
            connection.setClientID("desk");
            Session session = connection.createSession();
            assertForbidden(
                    () -> session.createDurableConsumer(session.createTopic("inbox.bob"), "daily"),
                    "user 'bob' may not create durable subscriptions of topic:inbox.bob");
        }
    }

    @Test
    void aTransactionWithAForbiddenSendDoesNotCommit() throws JMSException {
        try (Connection connection = connect("bob", SecuredBroker.BOB)) {
            connection.start();
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(null);
            Queue inbox = session.createQueue("inbox.bob");
            producer.send(inbox, session.createTextMessage("half"));
            assertThatThrownBy(() -> {
                        producer.send(session.createQueue("orders.new"), session.createTextMessage("forbidden"));
                        session.commit();
                    })
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("user 'bob' may not send to queue:orders.new");
            session.rollback();
            try (MessageConsumer consumer = session.createConsumer(inbox)) {
                assertThat(consumer.receive(300)).isNull();
            }
        }
    }

    @Test
    void aUserThatIsRemovedHearsOfItOverOpenWireToo() throws JMSException {
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        try (Connection connection = broker.activeMq().createConnection("alice", SecuredBroker.ALICE)) {
            connection.setExceptionListener(heard::add);
            connection.start();
            broker.users.remove("alice");
            await().atMost(PATIENCE)
                    .until(() -> heard.stream().anyMatch(one -> one.getMessage().contains("user 'alice' was removed")));
        }
        try (Connection again = broker.activeMq().createConnection("alice", SecuredBroker.ALICE)) {
            assertThatThrownBy(again::start).isInstanceOf(JMSSecurityException.class);
        }
    }

    @Test
    void aUserThatIsRemovedHearsOfItByTheExceptionListener() throws JMSException {
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        try (Connection connection = connect("alice", SecuredBroker.ALICE)) {
            connection.setExceptionListener(heard::add);
            connection.start();
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("orders.new"));
            producer.send(session.createTextMessage("one"));
            broker.users.remove("alice");
            await().atMost(PATIENCE).until(() -> !heard.isEmpty());
            assertThat(heard.get(0)).hasMessageContaining("user 'alice' was removed");
            assertThat(heard.get(0).getErrorCode()).isEqualTo("UNAUTHENTICATED");
            assertThatThrownBy(() -> producer.send(session.createTextMessage("two")))
                    .isInstanceOf(JMSException.class);
        }
        assertThatThrownBy(() -> connect("alice", SecuredBroker.ALICE).start())
                .isInstanceOf(JMSSecurityException.class);
    }
}
