package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQMessageConsumer;
import org.apache.activemq.ActiveMQSession;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.apache.activemq.transaction.Synchronization;
import org.apache.activemq.transport.DefaultTransportListener;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that lose their connection, or only the broker's answers, and come back. */
@Timeout(60)
final class OpenWireFailoverTest {
    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private Line line;
    private Connection connection;

    @BeforeEach
    void open() throws IOException, JMSException {
        line = new Line(broker);
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(
                "failover:(tcp://127.0.0.1:" + line.port() + ")?initialReconnectDelay=20&maxReconnectDelay=100");
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        connection = factory.createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        line.close();
    }

    @Test
    void aSendWhoseAnswerIsLostIsThereOnce() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("once");
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("first"));
        line.muteAnswers();
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(producer, session, "second"));
        line.awaitMuted();
        line.cut();
        sent.get(30, TimeUnit.SECONDS);
        assertThat(broker.next(queue)).isEqualTo("first");
        assertThat(broker.next(queue)).isEqualTo("second");
        assertThat(broker.next(queue)).isNull();
    }

    private static void send(MessageProducer producer, Session session, String text) {
        try {
            producer.send(session.createTextMessage(text));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aClientThatComesBackBeforeItsEndWasNoticedTakesItsPlace() throws Exception {
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("place");
        ActiveMq.send(session, queue, "1");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        line.abandon();
        Message again = consumer.receive(ActiveMq.SOON_MS);
        assertThat(again.getBody(String.class)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        again.acknowledge();
        session.close();
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void anOpenTransactionGoesOnAfterACut() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue in = session.createQueue("tx.in");
        Queue out = session.createQueue("tx.out");
        ActiveMq.send(broker.session(), in, "1", "2");
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        producer.send(session.createTextMessage("result"));
        cutAndAwaitReturn();
        producer.send(session.createTextMessage("more"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        boolean committed = commit(session);
        session.close();
        // The client may call it rolled back, as it had messages of the older connection; but it is all or nothing.
        assertThat(broker.next(out)).isEqualTo(committed ? "result" : null);
        assertThat(broker.next(out)).isEqualTo(committed ? "more" : null);
        assertThat(broker.next(out)).isNull();
        assertThat(broker.next(in)).isEqualTo(committed ? "2" : "1");
    }

    @Test
    void whatATransactionHasSentBeforeACutIsCommittedBehindIt() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue out = session.createQueue("tx.sent");
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(heard::add);
        MessageProducer producer = session.createProducer(out);
        producer.send(session.createTextMessage("before"));
        cutAndAwaitReturn();
        producer.send(session.createTextMessage("after"));
        session.commit();
        assertThat(broker.next(out)).isEqualTo("before");
        assertThat(broker.next(out)).isEqualTo("after");
        assertThat(broker.next(out)).isNull();
        assertThat(heard).isEmpty();
    }

    private void cutAndAwaitReturn() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        ((ActiveMQConnection) connection).addTransportListener(new DefaultTransportListener() {
            @Override
            public void transportResumed() {
                back.countDown();
            }
        });
        line.cut();
        assertThat(back.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCommitInDoubtThatTheClientCallsRolledBackHasNoSecondEffect() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue in = session.createQueue("doubt.in");
        Queue out = session.createQueue("doubt.out");
        ActiveMq.send(broker.session(), in, "1");
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        producer.send(session.createTextMessage("result"));
        line.muteAnswers();
        CompletableFuture<Boolean> committed = CompletableFuture.supplyAsync(() -> commit(session));
        line.awaitMuted();
        line.cut();
        // The client does not ask: it says "in doubt, forcing rollback", whatever became of it.
        assertThat(committed.get(30, TimeUnit.SECONDS)).isFalse();
        // It gives the application the message again; what comes of that is refused.
        Message again = consumer.receive(1_000);
        if (again != null) {
            producer.send(session.createTextMessage("second result"));
            assertThat(commit(session)).isFalse();
        }
        assertThat(broker.next(out)).isEqualTo("result");
        assertThat(broker.next(out)).isNull();
        assertThat(broker.next(in)).isNull();
        assertThat(broker.next(session.createQueue("DLQ"))).isNull();
    }

    @Test
    void aTransactionWhoseAcknowledgementsTheClientDoesNotRepeatIsNotCommittedWithoutThem() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue in = session.createQueue("acks.in");
        Queue out = session.createQueue("acks.out");
        ActiveMq.send(broker.session(), in, "1");
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        producer.send(session.createTextMessage("result"));
        cutBetweenAcknowledgementAndCommit(session);
        assertThat(commit(session)).isFalse();
        // Whoever gets it again has its one effect.
        connection.close();
        try (Session other = broker.session(Session.SESSION_TRANSACTED)) {
            assertThat(ActiveMq.text(other.createConsumer(in))).isEqualTo("1");
            other.createProducer(out).send(other.createTextMessage("result"));
            other.commit();
        }
        assertThat(broker.next(out)).isEqualTo("result");
        assertThat(broker.next(out)).isNull();
        assertThat(broker.next(in)).isNull();
    }

    @Test
    void afterItsRollbackTheSameClientGoesOn() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue in = session.createQueue("goes.in");
        Queue out = session.createQueue("goes.out");
        ActiveMq.send(broker.session(), in, "1", "2");
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        boolean cut = false;
        for (int moved = 0; moved < 2; ) {
            String text = ActiveMq.text(consumer);
            producer.send(session.createTextMessage(text));
            if (!cut) {
                cutBetweenAcknowledgementAndCommit(session);
                cut = true;
            }
            if (commit(session)) {
                moved++;
            } else {
                session.rollback();
            }
        }
        session.close();
        assertThat(broker.next(out)).isEqualTo("1");
        assertThat(broker.next(out)).isEqualTo("2");
        assertThat(broker.next(out)).isNull();
        assertThat(broker.next(in)).isNull();
    }

    @Test
    void aBranchWhoseAcknowledgementsTheClientDoesNotRepeatRollsBack() throws Exception {
        ActiveMQXAConnectionFactory factory = new ActiveMQXAConnectionFactory(
                "failover:(tcp://127.0.0.1:" + line.port() + ")?initialReconnectDelay=20&maxReconnectDelay=100");
        connection.close();
        XAConnection xa = factory.createXAConnection();
        connection = xa;
        xa.start();
        XASession session = xa.createXASession();
        Queue in = session.createQueue("branch.in");
        Queue out = session.createQueue("branch.out");
        ActiveMq.send(broker.session(), in, "1");
        Xid branch = new OpenWireXaTest.Branch(1);
        session.getXAResource().start(branch, XAResource.TMNOFLAGS);
        assertThat(ActiveMq.text(session.createConsumer(in))).isEqualTo("1");
        session.createProducer(out).send(session.createTextMessage("result"));
        cutBetweenAcknowledgementAndCommit(session);
        assertThatThrownBy(() -> {
                    session.getXAResource().end(branch, XAResource.TMSUCCESS);
                    session.getXAResource().prepare(branch);
                })
                .isInstanceOf(XAException.class);
        session.getXAResource().rollback(branch);
        connection.close();
        assertThat(broker.next(out)).isNull();
        assertThat(broker.next(in)).isEqualTo("1");
    }

    /** The client sends its acknowledgements, then learns of the cut, and sends the commit over a new connection. */
    private void cutBetweenAcknowledgementAndCommit(Session session) throws JMSException {
        ((ActiveMQSession) session).getTransactionContext().addSynchronization(new Synchronization() {
            @Override
            public void beforeEnd() throws Exception {
                cutAndAwaitReturn();
            }
        });
    }

    private static boolean commit(Session session) {
        try {
            session.commit();
            return true;
        } catch (TransactionRolledBackException e) {
            return false;
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatAConsumerThatIsClosedHadAskedForDisturbsNobodyBehindACut() throws Exception {
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(heard::add);
        Session session = connection.createSession();
        Queue queue = session.createQueue("asked?consumer.prefetchSize=0");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receive(10)).isNull();
        consumer.close();
        cutAndAwaitReturn();
        ActiveMq.send(session, session.createQueue("x"), "a round trip");
        assertThat(heard).isEmpty();
    }

    @Test
    void temporaryDestinationsAreThereAgainUnderTheirNames() throws Exception {
        Session session = connection.createSession();
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        Session other = broker.session();
        MessageProducer producer = other.createProducer(null);
        producer.send(queue, other.createTextMessage("before"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("before");
        line.cut();
        session.createProducer(session.createQueue("x")).send(session.createTextMessage("back again"));
        producer.send(queue, other.createTextMessage("after"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("after");
    }

    @Test
    void aTransactionIsReplayedBehindARestart() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue out = session.createQueue("tx.restart");
        MessageProducer producer = session.createProducer(out);
        producer.send(session.createTextMessage("before"));
        broker.stop();
        line.cut();
        broker.start();
        producer.send(session.createTextMessage("after"));
        session.commit();
        assertThat(broker.next(out)).isEqualTo("before");
        assertThat(broker.next(out)).isEqualTo("after");
        assertThat(broker.next(out)).isNull();
    }

    @Test
    void whatTheApplicationNeverSawIsNoDeadLetterHoweverOftenTheConnectionIsLost() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue queue = session.createQueue("unseen");
        ActiveMq.send(broker.session(), queue, "1", "2", "3");
        ActiveMQMessageConsumer consumer = (ActiveMQMessageConsumer) session.createConsumer(queue);
        for (int i = 0; i < 10; i++) {
            Awaitility.await().until(() -> consumer.getMessageSize() == 3);
            cutAndAwaitReturn();
        }
        for (String text : List.of("1", "2", "3")) {
            Message message = consumer.receive(ActiveMq.SOON_MS);
            assertThat(message.getBody(String.class)).isEqualTo(text);
            // It may have been seen, for all that the broker knows, but no attempt was counted.
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        session.commit();
        session.close();
        assertThat(broker.next(queue)).isNull();
        assertThat(broker.next(broker.session().createQueue("DLQ"))).isNull();
    }
}
