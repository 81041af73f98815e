package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §8.7, §6.2.13 and §8.8: message listeners. */
@EveryClient
final class MessageListenerTest {
    @RegisterExtension
    final Messaging jms;

    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private Connection connection;
    private Session session;
    private Session sending;
    private Queue queue;

    MessageListenerTest(Client client) {
        jms = new Messaging(client);
    }

    /** What a listener was given. */
    private record Heard(String text, boolean redelivered, int count, Thread thread) {
        static Heard of(Message message) {
            try {
                return new Heard(
                        Messaging.textOf(message),
                        message.getJMSRedelivered(),
                        message.getIntProperty("JMSXDeliveryCount"),
                        Thread.currentThread());
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** What a test does in a listener. */
    private interface Action {
        void on(Heard message) throws JMSException;
    }

    private MessageListener listener(Action action) {
        return message -> {
            Heard now = Heard.of(message);
            heard.add(now);
            try {
                action.on(now);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        };
    }

    private Heard next() throws InterruptedException {
        Heard next = heard.poll(Messaging.SOON_MS, TimeUnit.MILLISECONDS);
        assertThat(next).as("a message for the listener").isNotNull();
        return next;
    }

    @BeforeEach
    void open() throws JMSException {
        connection = jms.started();
        session = connection.createSession();
        sending = jms.session();
        queue = jms.queue();
    }

    @Test
    void messagesComeInOrderAndAreAcknowledged() throws Exception {
        session.createConsumer(queue).setMessageListener(listener(message -> {}));
        send(sending, queue, "1", "2", "3");
        for (String text : List.of("1", "2", "3")) {
            assertThat(next().text()).isEqualTo(text);
        }
        session.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void messagesThatWaitedComeOnceAListenerIsSet() throws Exception {
        send(sending, queue, "1");
        MessageConsumer consumer = session.createConsumer(queue);
        MessageListener listener = listener(message -> {});
        assertThat(consumer.getMessageListener()).isNull();
        consumer.setMessageListener(listener);
        assertThat(consumer.getMessageListener()).isSameAs(listener);
        assertThat(next().text()).isEqualTo("1");
    }

    @Test
    void aSessionsListenersAreCalledOneAtATime() throws Exception {
        connection.stop();
        Queue second = jms.queue();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (Queue each : List.of(queue, second)) {
            session.createConsumer(each).setMessageListener(listener(message -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                // Long enough that a second call would be seen.
                LockSupport.parkNanos(50_000);
                inside.decrementAndGet();
            }));
        }
        for (int i = 0; i < 50; i++) {
            send(sending, queue, "" + i);
            send(sending, second, "" + i);
        }
        connection.start();
        for (int i = 0; i < 100; i++) {
            next();
        }
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void listenersOfTwoSessionsRunSideBySide() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        List<Queue> queues = List.of(queue, jms.queue());
        for (Queue each : queues) {
            connection.createSession().createConsumer(each).setMessageListener(listener(message -> {
                both.countDown();
                awaitQuietly(both);
            }));
        }
        for (Queue each : queues) {
            send(sending, each, "1");
        }
        assertThat(both.await(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anAutomaticSessionRedeliversAtOnceWhatAListenerThrewAt() throws Exception {
        session.createConsumer(queue).setMessageListener(listener(message -> {
            if (message.count() == 1 && message.text().equals("1")) {
                throw new IllegalArgumentException("a fault of the application");
            }
        }));
        send(sending, queue, "1", "2");
        Heard first = next();
        assertThat(first.redelivered()).isFalse();
        Heard again = next();
        assertThat(again.text()).isEqualTo("1");
        assertThat(again.redelivered()).isTrue();
        assertThat(again.count()).isEqualTo(2);
        Heard second = next();
        assertThat(second.text()).isEqualTo("2");
        assertThat(second.redelivered()).isFalse();
        session.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void aManualSessionGoesOnWithTheNextAfterAListenerThrew() throws Exception {
        Session manual = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        manual.createConsumer(queue).setMessageListener(listener(message -> {
            if (message.text().equals("1")) {
                throw new IllegalArgumentException("a fault of the application");
            }
        }));
        send(sending, queue, "1", "2");
        assertThat(next().text()).isEqualTo("1");
        assertThat(next().text()).isEqualTo("2");
        manual.close();
        assertThat(jms.remaining(queue)).containsExactly("1", "2");
    }

    @Test
    void aTransactedSessionGoesOnWithTheNextAfterAListenerThrew() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        transacted.createConsumer(queue).setMessageListener(listener(message -> {
            if (message.text().equals("1")) {
                throw new IllegalArgumentException("a fault of the application");
            }
            transacted.commit();
        }));
        send(sending, queue, "1", "2");
        assertThat(next().text()).isEqualTo("1");
        assertThat(next().text()).isEqualTo("2");
        transacted.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void aListenerMayRollBackAndGetsTheMessageAgain() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        transacted.createConsumer(queue).setMessageListener(listener(message -> {
            if (message.count() < 3) {
                transacted.rollback();
            } else {
                transacted.commit();
            }
        }));
        send(sending, queue, "1");
        for (int count = 1; count <= 3; count++) {
            assertThat(next().count()).isEqualTo(count);
        }
        transacted.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void aListenerMayRecover() throws Exception {
        Session manual = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        manual.createConsumer(queue).setMessageListener(listener(message -> {
            if (message.text().equals("2") && !message.redelivered()) {
                manual.recover();
            }
        }));
        send(sending, queue, "1", "2");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            texts.add(next().text());
        }
        assertThat(texts).containsExactly("1", "2", "1", "2");
    }

    @Test
    void aListenerMayCloseItsOwnConsumer() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(listener(message -> consumer.close()));
        send(sending, queue, "1", "2");
        assertThat(next().text()).isEqualTo("1");
        assertThat(receiveTexts(sending.createConsumer(queue), 1)).containsExactly("2");
    }

    @Test
    void closingAConsumerWaitsForItsListener() throws Exception {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(listener(message -> awaitQuietly(mayGoOn)));
        send(sending, queue, "1");
        next();
        Thread closing = new Thread(() -> {
            try {
                consumer.close();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        closing.start();
        closing.join(Messaging.A_WHILE_MS);
        assertThat(closing.isAlive()).isTrue();
        mayGoOn.countDown();
        closing.join();
        session.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void aConsumerWithAListenerCannotReceive() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(listener(message -> {}));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> consumer.receive(1));
        assertThatExceptionOfType(JMSException.class).isThrownBy(consumer::receiveNoWait);
    }

    @Test
    void aListenerCanBeTakenBack() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(listener(message -> {}));
        consumer.setMessageListener(null);
        assertThat(consumer.getMessageListener()).isNull();
        send(sending, queue, "1");
        assertThat(Messaging.receiveText(consumer)).isEqualTo("1");
    }
}
