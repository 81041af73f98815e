package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
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

/** Jakarta Messaging 3.1 §6.1.8: closing a connection. */
@EveryClient
final class ClosedConnectionTest {
    @RegisterExtension
    final Messaging jms;

    private Connection connection;
    private Session session;
    private Queue queue;

    ClosedConnectionTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        connection = jms.started();
        session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        queue = jms.queue();
    }

    @Test
    void everyUseOfItIsAnIllegalState() throws JMSException {
        connection.close();
        ClosedCalls.of(connection, jms.topic()).assertRefused();
    }

    @Test
    void everyUseOfItsObjectsIsAnIllegalState() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        TextMessage message = session.createTextMessage("made before");
        connection.close();
        ClosedCalls.of(session, queue, jms.topic()).assertRefused();
        ClosedCalls.of(producer, message).assertRefused();
        ClosedCalls.of(consumer).assertRefused();
    }

    @Test
    void closingAgainIsIgnored() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        connection.close();
        connection.close();
        session.close();
        producer.close();
        consumer.close();
    }

    @Test
    void messagesStayReadableButCannotBeAcknowledged() throws JMSException {
        send(session, queue, "text");
        TextMessage received = (TextMessage) receive(session.createConsumer(queue));
        TextMessage made = session.createTextMessage("made");
        connection.close();
        assertThat(received.getText()).isEqualTo("text");
        assertThat(received.getJMSDestination()).isEqualTo(queue);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(received::acknowledge);
        made.setText("changed");
        assertThat(made.getText()).isEqualTo("changed");
    }

    @Test
    void whatWasNotAcknowledgedIsRedelivered() throws JMSException {
        send(session, queue, "1", "2");
        assertThat(receiveText(session.createConsumer(queue))).isEqualTo("1");
        connection.close();
        MessageConsumer next = jms.session().createConsumer(queue);
        TextMessage first = (TextMessage) receive(next);
        assertThat(first.getText()).isEqualTo("1");
        assertThat(first.getJMSRedelivered()).isTrue();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        // It was prefetched at most: no application has seen it.
        TextMessage second = (TextMessage) receive(next);
        assertThat(second.getText()).isEqualTo("2");
        assertThat(second.getJMSRedelivered()).isFalse();
        assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void itsTransactionsAreRolledBack() throws JMSException {
        Queue incoming = jms.queue();
        send(session, incoming, "in");
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        send(transacted, queue, "out");
        assertThat(receiveText(transacted.createConsumer(incoming))).isEqualTo("in");
        connection.close();
        Session next = jms.session();
        assertThat(jms.remaining(queue)).isEmpty();
        assertThat(receiveText(next.createConsumer(incoming))).isEqualTo("in");
    }

    @Test
    void aBlockedReceiveReturnsNull() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
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
        connection.close();
        receiver.join();
        assertThat(outcome.get()).isNull();
    }

    @Test
    void closingWaitsForARunningListenerWhichMaySend() throws Exception {
        Queue replies = jms.queue();
        CountDownLatch inListener = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Session listening = connection.createSession();
        listening.createConsumer(queue).setMessageListener(message -> {
            inListener.countDown();
            try {
                mayGoOn.await();
                send(listening, replies, "sent while closing");
            } catch (JMSException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        send(jms.session(), queue, "1");
        inListener.await();
        Thread closing = new Thread(() -> {
            try {
                connection.close();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        closing.start();
        closing.join(Messaging.A_WHILE_MS);
        assertThat(closing.isAlive()).isTrue();
        mayGoOn.countDown();
        closing.join();
        assertThat(receiveText(jms.session().createConsumer(replies))).isEqualTo("sent while closing");
        // The listener returned normally, so its message is acknowledged.
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void aListenerClosingItsOwnConnectionIsRefusedOrSucceeds() throws Exception {
        Session listening = connection.createSession();
        AtomicReference<Object> outcome = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        listening.createConsumer(queue).setMessageListener(message -> {
            try {
                connection.close();
                outcome.set("closed");
            } catch (JMSException e) {
                outcome.set(e);
            } finally {
                done.countDown();
            }
        });
        send(jms.session(), queue, "1");
        done.await();
        assertThat(outcome.get())
                .satisfiesAnyOf(
                        got -> assertThat(got).isEqualTo("closed"),
                        got -> assertThat(got).isInstanceOf(IllegalStateException.class));
    }
}
