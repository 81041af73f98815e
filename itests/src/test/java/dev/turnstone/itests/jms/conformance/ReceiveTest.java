package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §8.5: receiving synchronously. */
@EveryClient
final class ReceiveTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Session sending;
    private Queue queue;

    ReceiveTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        sending = jms.session();
        queue = jms.queue();
    }

    @Test
    void aTimeoutThatPassesGivesNull() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        long began = System.nanoTime();
        assertThat(consumer.receive(100)).isNull();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isGreaterThanOrEqualTo(100);
    }

    @Test
    void receiveNoWaitGivesAWaitingMessageAtOnceOrNull() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receiveNoWait()).isNull();
        send(sending, queue, "1", "2");
        assertThat(Messaging.textOf(consumer.receiveNoWait())).isEqualTo("1");
        assertThat(Messaging.textOf(consumer.receiveNoWait())).isEqualTo("2");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void aNewConsumersReceiveNoWaitFindsWhatWaits() throws JMSException {
        send(sending, queue, "1");
        assertThat(Messaging.textOf(session.createConsumer(queue).receiveNoWait()))
                .isEqualTo("1");
    }

    @Test
    void receiveWithoutTimeoutWaitsForAMessage() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        CompletableFuture<Message> received = new CompletableFuture<>();
        Thread receiver = new Thread(() -> {
            try {
                received.complete(consumer.receive());
            } catch (JMSException e) {
                received.completeExceptionally(e);
            }
        });
        receiver.start();
        Awaitility.await().until(() -> receiver.getState() != Thread.State.RUNNABLE);
        send(sending, queue, "1");
        assertThat(Messaging.textOf(received.get(Messaging.SOON_MS, TimeUnit.MILLISECONDS)))
                .isEqualTo("1");
    }

    @Test
    void aTimeoutOfZeroWaitsForEver() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        CompletableFuture<Message> received = new CompletableFuture<>();
        Thread receiver = new Thread(() -> {
            try {
                received.complete(consumer.receive(0));
            } catch (JMSException e) {
                received.completeExceptionally(e);
            }
        });
        receiver.start();
        Awaitility.await().until(() -> receiver.getState() != Thread.State.RUNNABLE);
        assertThat(received).isNotDone();
        send(sending, queue, "1");
        assertThat(Messaging.textOf(received.get(Messaging.SOON_MS, TimeUnit.MILLISECONDS)))
                .isEqualTo("1");
    }

    @Test
    void twoConsumersOfASessionAreIndependent() throws JMSException {
        Queue second = jms.queue();
        MessageConsumer one = session.createConsumer(queue);
        MessageConsumer two = session.createConsumer(second);
        send(sending, second, "2");
        send(sending, queue, "1");
        assertThat(receiveText(one)).isEqualTo("1");
        assertThat(receiveText(two)).isEqualTo("2");
    }

    @Test
    void aMessageIsThereForALaterConsumer() throws JMSException {
        send(sending, queue, "1");
        session.createConsumer(queue).close();
        assertThat(receiveText(jms.session().createConsumer(queue))).isEqualTo("1");
    }
}
