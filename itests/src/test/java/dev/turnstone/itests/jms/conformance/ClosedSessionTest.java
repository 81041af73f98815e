package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §6.2.15 and §8.8: closing a session, a producer, a consumer. */
@EveryClient
final class ClosedSessionTest {
    @RegisterExtension
    final Messaging jms;

    private Connection connection;
    private Session session;
    private Queue queue;

    ClosedSessionTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        connection = jms.started();
        session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        queue = jms.queue();
    }

    @Test
    void everyUseOfASessionAndItsObjectsIsAnIllegalState() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        TextMessage message = session.createTextMessage("made before");
        session.close();
        session.close();
        ClosedCalls.of(session, queue, jms.topic()).assertRefused();
        ClosedCalls.of(producer, message).assertRefused();
        ClosedCalls.of(consumer).assertRefused();
        producer.close();
        consumer.close();
        connection.createSession();
    }

    @Test
    void everyUseOfAProducerIsAnIllegalState() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.close();
        producer.close();
        ClosedCalls.of(producer, session.createTextMessage()).assertRefused();
        MessageProducer anonymous = session.createProducer(null);
        anonymous.close();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> anonymous.send(queue, session.createTextMessage()));
    }

    @Test
    void everyUseOfAConsumerIsAnIllegalState() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.close();
        consumer.close();
        ClosedCalls.of(consumer).assertRefused();
    }

    @Test
    void messagesStayReadableButCannotBeAcknowledged() throws JMSException {
        send(session, queue, "text");
        TextMessage received = (TextMessage) receive(session.createConsumer(queue));
        session.close();
        assertThat(received.getText()).isEqualTo("text");
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(received::acknowledge);
    }

    @Test
    void closingASessionDoesNotAcknowledge() throws JMSException {
        send(session, queue, "1", "2", "3");
        assertThat(receiveTexts(session.createConsumer(queue), 2)).containsExactly("1", "2");
        session.close();
        MessageConsumer next = connection.createSession().createConsumer(queue);
        TextMessage first = (TextMessage) receive(next);
        assertThat(first.getText()).isEqualTo("1");
        assertThat(first.getJMSRedelivered()).isTrue();
        assertThat(receiveTexts(next, 2)).containsExactly("2", "3");
    }

    @Test
    void closingASessionRollsItsTransactionBack() throws JMSException {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        send(transacted, queue, "never");
        transacted.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void closingAConsumerKeepsWhatTheSessionHasNotAcknowledged() throws JMSException {
        send(session, queue, "1", "2", "3");
        MessageConsumer consumer = session.createConsumer(queue);
        TextMessage first = (TextMessage) receive(consumer);
        consumer.close();
        first.acknowledge();
        assertThat(receiveTexts(jms.session().createConsumer(queue), 2)).containsExactly("2", "3");
    }

    @Test
    void recoveringGivesWhatAClosedConsumerReceivedToTheNext() throws JMSException {
        send(session, queue, "1");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(receiveText(consumer)).isEqualTo("1");
        consumer.close();
        session.recover();
        TextMessage again = (TextMessage) receive(session.createConsumer(queue));
        assertThat(again.getText()).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        again.acknowledge();
    }

    @Test
    void aTransactionOutlivesItsConsumer() throws JMSException {
        send(session, queue, "1", "2");
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = transacted.createConsumer(queue);
        assertThat(receiveText(consumer)).isEqualTo("1");
        consumer.close();
        transacted.rollback();
        MessageConsumer second = transacted.createConsumer(queue);
        assertThat(receiveText(second)).isEqualTo("1");
        second.close();
        transacted.commit();
        assertThat(receiveText(jms.session().createConsumer(queue))).isEqualTo("2");
    }

    @Test
    void whatAClosedConsumerHadPrefetchedIsNotFlagged() throws JMSException {
        Session auto = connection.createSession();
        send(auto, queue, "1", "2", "3");
        MessageConsumer first = auto.createConsumer(queue);
        assertThat(receiveText(first)).isEqualTo("1");
        first.close();
        MessageConsumer second = auto.createConsumer(queue);
        for (String text : new String[] {"2", "3"}) {
            TextMessage next = (TextMessage) receive(second);
            assertThat(next.getText()).isEqualTo(text);
            assertThat(next.getJMSRedelivered()).isFalse();
            assertThat(next.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        }
    }

    @Test
    void aBlockedReceiveReturnsNullWhenItsConsumerCloses() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        assertReceiveEndsWithNull(consumer, consumer);
    }

    @Test
    void aBlockedReceiveReturnsNullWhenItsSessionCloses() throws Exception {
        assertReceiveEndsWithNull(session.createConsumer(queue), session);
    }

    private static void assertReceiveEndsWithNull(MessageConsumer consumer, AutoCloseable closed) throws Exception {
        CountDownLatch receiving = new CountDownLatch(1);
        AtomicReference<Object> outcome = new AtomicReference<>("nothing yet");
        Thread receiver = new Thread(() -> {
            receiving.countDown();
            try {
                outcome.set(consumer.receive());
            } catch (JMSException e) {
                outcome.set(e);
            }
        });
        receiver.start();
        receiving.await();
        // Until it waits inside; a receive that begins after the close would be refused instead.
        Awaitility.await().until(() -> receiver.getState() != Thread.State.RUNNABLE);
        closed.close();
        receiver.join();
        assertThat(outcome.get()).isNull();
    }
}
