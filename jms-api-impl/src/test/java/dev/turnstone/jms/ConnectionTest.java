package dev.turnstone.jms;

import static dev.turnstone.jms.FakeJms.consumer;
import static dev.turnstone.jms.FakeJms.nothing;
import static dev.turnstone.jms.FakeJms.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ConnectionTest {
    private FakeJms jms;

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
    }

    @AfterEach
    void disconnect() throws JMSException {
        jms.close();
    }

    @Test
    void aConnectionHandsOverNothingBeforeItIsStartedAndAfterItIsStopped() throws JMSException {
        jms.send("a", "b");
        Connection connection = jms.broker.factory("").createConnection();
        MessageConsumer consumer = consumer(connection.createSession());
        assertThat(nothing(consumer)).isNull();
        assertThat(jms.broker.depth("queue:q")).as("left for others").isEqualTo(2);
        connection.start();
        assertThat(text(consumer.receive())).isEqualTo("a");
        connection.stop();
        assertThat(nothing(consumer)).isNull();
        connection.start();
        assertThat(text(consumer.receive())).isEqualTo("b");
        connection.close();
    }

    @Test
    void stopWaitsForTheListenerThatIsRunning() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        consumer(jms.session(Session.AUTO_ACKNOWLEDGE)).setMessageListener(message -> {
            running.countDown();
            await().until(() -> mayReturn.getCount() == 0);
        });
        jms.send("a");
        running.await();
        CompletableFuture<Void> stopped = run(jms.connection::stop);
        assertThat(stopped).isNotDone();
        mayReturn.countDown();
        stopped.get();
    }

    private interface Call {
        void run() throws JMSException;
    }

    private static CompletableFuture<Void> run(Call call) {
        return CompletableFuture.runAsync(() -> {
            try {
                call.run();
            } catch (JMSException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    @Test
    void aListenerMustNotStopOrCloseWhatItRunsIn() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
        consumer(session).setMessageListener(message -> {
            for (Call call : List.<Call>of(jms.connection::stop, jms.connection::close, session::close)) {
                try {
                    call.run();
                    outcomes.add("no exception");
                } catch (JMSException e) {
                    outcomes.add(e.getClass().getSimpleName());
                }
            }
        });
        jms.send("a");
        for (int i = 0; i < 3; i++) {
            assertThat(outcomes.take()).isEqualTo("IllegalStateException");
        }
    }

    @Test
    void aListenerMayCloseItsOwnConsumerAndItsMessageIsStillAcknowledged() throws Exception {
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        CountDownLatch closed = new CountDownLatch(1);
        consumer.setMessageListener(message -> {
            try {
                consumer.close();
                closed.countDown();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        jms.send("a", "b");
        closed.await();
        await().until(() -> jms.told("settle").equals(List.of("settle 1 1..1 ACCEPTED")));
        await().until(() -> jms.broker.depth("queue:q") == 1);
    }

    @Test
    void closeEndsAReceiveThatWaits() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageConsumer waiting = consumer(session);
        CompletableFuture<Message> received = receiveIn(waiting);
        waiting.close();
        assertThat(received.get()).isNull();
        CompletableFuture<Message> alsoReceived = receiveIn(consumer(session));
        jms.connection.close();
        assertThat(alsoReceived.get()).isNull();
    }

    @Test
    void anInterruptEndsAReceiveThatWaits() throws Exception {
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        thread.start();
        thread.interrupt();
        assertThat(interrupted.get()).isTrue();
    }

    /** A receive that has begun to wait, on a thread of its own. */
    private static CompletableFuture<Message> receiveIn(MessageConsumer consumer) {
        CompletableFuture<Message> received = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                received.complete(consumer.receive());
            } catch (JMSException e) {
                received.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return received;
    }

    @Test
    void closingAConsumerReturnsWhatItsApplicationHasNotSeen() throws JMSException {
        jms.send("1", "2", "3");
        MessageConsumer first = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        first.receive();
        first.close();
        assertThat(jms.told("unsubscribe")).containsExactly("unsubscribe 1 after 1");
        Message second = consumer(jms.session(Session.AUTO_ACKNOWLEDGE)).receive();
        assertThat(text(second)).isEqualTo("2");
        assertThat(second.getJMSRedelivered()).isFalse();
    }

    @Test
    void aBrokenConnectionIsHeardByItsListenerAndEndsEveryWait() throws Exception {
        CompletableFuture<JMSException> heard = new CompletableFuture<>();
        jms.connection.setExceptionListener(heard::complete);
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        CompletableFuture<Message> received = receiveIn(consumer(session));
        jms.broker.fail("the disk is gone");
        assertThat(heard.get()).hasMessageContaining("the disk is gone");
        assertThat(heard.get().getErrorCode()).isEqualTo("STOPPED");
        assertThatThrownBy(received::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(JMSException.class);
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        assertThatThrownBy(() -> producer.send(session.createMessage())).isInstanceOf(JMSException.class);
    }

    @Test
    void aClientIdentifierIsSetFirstOrNotAtAll() throws JMSException {
        TurnstoneConnectionFactory factory = jms.broker.factory("");
        Connection connection = factory.createConnection();
        connection.setClientID("me");
        assertThat(connection.getClientID()).isEqualTo("me");
        assertThatThrownBy(() -> connection.setClientID("you")).isInstanceOf(IllegalStateException.class);
        Connection other = factory.createConnection();
        assertThatThrownBy(() -> other.setClientID("me")).isInstanceOf(InvalidClientIDException.class);
        other.createSession();
        assertThatThrownBy(() -> other.setClientID("you")).isInstanceOf(IllegalStateException.class);
        connection.close();
        factory.setClientID("me");
        Connection third = factory.createConnection();
        assertThat(third.getClientID()).isEqualTo("me");
        assertThatThrownBy(() -> third.setClientID("me")).isInstanceOf(IllegalStateException.class);
        third.close();
        other.close();
        assertThat(jms.broker.connections()).isEqualTo(1);
    }

    @Test
    void aClientIdentifierMayStandInTheUrlAndThatOfTheFactoryGoesBefore() throws JMSException {
        TurnstoneConnectionFactory factory = jms.broker.factory("?clientID=url");
        try (Connection connection = factory.createConnection()) {
            assertThat(connection.getClientID()).isEqualTo("url");
            assertThatThrownBy(() -> connection.setClientID("you")).isInstanceOf(IllegalStateException.class);
        }
        factory.setClientID("factory");
        try (Connection connection = factory.createConnection()) {
            assertThat(connection.getClientID()).isEqualTo("factory");
        }
    }

    @Test
    void aWrongPasswordIsASecurityException() {
        TurnstoneConnectionFactory factory = jms.broker.factory("");
        assertThatThrownBy(() -> factory.createConnection("me", "wrong"))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("me");
    }

    @Test
    void aClosedConnectionRefusesEverythingButClose() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        MessageProducer producer = session.createProducer(null);
        Connection connection = jms.connection;
        connection.close();
        connection.close();
        session.close();
        consumer.close();
        producer.close();
        for (Call call : List.<Call>of(
                connection::start,
                connection::stop,
                connection::createSession,
                connection::getClientID,
                connection::getMetaData,
                session::createMessage,
                session::recover,
                session::getAcknowledgeMode,
                consumer::receive,
                consumer::getMessageSelector,
                producer::getPriority)) {
            assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void eachDomainRefusesTheOthersMethods() throws JMSException {
        TurnstoneConnectionFactory factory = jms.broker.factory("");
        QueueConnection queues = factory.createQueueConnection();
        QueueSession queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicConnection topics = factory.createTopicConnection();
        TopicSession topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        for (Call call : List.<Call>of(
                () -> queueSession.createTopic("t"),
                queueSession::createTemporaryTopic,
                () -> queueSession.unsubscribe("s"),
                () -> queueSession.createDurableSubscriber(null, "s"),
                () -> queueSession.createSharedConsumer(null, "s"),
                () -> topicSession.createQueue("q"),
                () -> topicSession.createBrowser(null),
                topicSession::createTemporaryQueue,
                () -> queues.createDurableConnectionConsumer(null, "s", null, null, 1))) {
            assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class);
        }
        queues.close();
        topics.close();
    }

    @Test
    void wrongArgumentsGetTheExceptionThatTheApiNames() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer unidentified = session.createProducer(null);
        MessageProducer identified = session.createProducer(session.createQueue("q"));
        assertThatThrownBy(() -> session.createConsumer(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createQueue(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createQueue("a.*")).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createConsumer(session.createQueue("q"), "bad"))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> unidentified.send(null, session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> unidentified.send(session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> identified.send(session.createQueue("q"), session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> identified.send(null)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> identified.setPriority(10)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> identified.setDeliveryMode(3)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> identified.setTimeToLive(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> jms.connection.createSession(7)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(session.createTopic("t"), "s"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.unsubscribe("unknown")).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void metadataIsThatOfVersionThreePointOne() throws JMSException {
        assertThat(jms.connection.getMetaData().getJMSVersion()).isEqualTo("3.1");
        assertThat(jms.connection.getMetaData().getJMSMajorVersion()).isEqualTo(3);
        assertThat(jms.connection.getMetaData().getJMSMinorVersion()).isEqualTo(1);
        assertThat(jms.connection.getMetaData().getJMSProviderName()).isEqualTo("Turnstone");
    }

    private BlockingQueue<String> reports() throws JMSException {
        BlockingQueue<String> reports = new LinkedBlockingQueue<>();
        jms.connection.setExceptionListener(
                failure -> reports.add(failure.getClass().getSimpleName() + ": " + failure.getMessage()));
        return reports;
    }

    private static void assertReported(BlockingQueue<String> reports, int times) {
        await().until(() -> reports.size() >= times);
        assertThat(reports).hasSize(times).containsOnly("JMSSecurityException: no longer yours");
    }

    @Test
    void thatTheBrokerHasEndedTheConsumerOfAListenerIsReportedOnce() throws Exception {
        BlockingQueue<String> reports = reports();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageConsumer ended = consumer(session);
        ended.setMessageListener(message -> heard.add("ended"));
        jms.broker.endConsumers("no longer yours");
        assertReported(reports, 1);
        MessageConsumer other = consumer(session);
        other.setMessageListener(message -> heard.add("other"));
        jms.send("a", "b");
        assertThat(heard.take() + heard.take()).isEqualTo("otherother");
        assertReported(reports, 1);
    }

    @Test
    void thatTheBrokerHasEndedAConsumerIsReportedToTheListenerThatItIsGivenThen() throws Exception {
        BlockingQueue<String> reports = reports();
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        jms.broker.endConsumers("no longer yours");
        assertThatThrownBy(consumer::receive).isInstanceOf(JMSSecurityException.class);
        assertThat(reports).isEmpty();
        consumer.setMessageListener(message -> {});
        assertReported(reports, 1);
    }

    @Test
    void thatTheBrokerHasEndedAConnectionConsumerIsReportedOnce() throws Exception {
        BlockingQueue<String> reports = reports();
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        ConnectionConsumer consumer = jms.connection.createConnectionConsumer(
                session.createQueue("q"),
                null,
                () -> {
                    throw new JMSException("nobody needs a server session");
                },
                1);
        jms.broker.endConsumers("no longer yours");
        assertReported(reports, 1);
        consumer.close();
    }

    @Test
    @SuppressWarnings("JdkObsolete") // the API has Enumerations
    void aBrowserThatTheBrokerHasEndedDoesNotLookLikeTheEndOfTheQueue() throws Exception {
        jms.send("a");
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        Enumeration<?> shown = session.createBrowser(session.createQueue("q")).getEnumeration();
        jms.broker.endConsumers("no longer yours");
        assertThatThrownBy(shown::hasMoreElements).isInstanceOf(JMSSecurityRuntimeException.class);
    }
}
