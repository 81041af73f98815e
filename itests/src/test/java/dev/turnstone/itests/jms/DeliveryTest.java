package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static dev.turnstone.itests.jms.Jms.consumer;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.nothing;
import static dev.turnstone.itests.jms.Jms.numbers;
import static dev.turnstone.itests.jms.Jms.producer;
import static dev.turnstone.itests.jms.Jms.send;
import static dev.turnstone.itests.jms.Jms.started;
import static dev.turnstone.itests.jms.Jms.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queues and acknowledgement: cases J03 and J09. */
@ExtendWith(FreshBroker.class)
final class DeliveryTest {
    private Connection connection;

    @BeforeEach
    void connect(ConnectionFactory factory) throws JMSException {
        connection = started(factory);
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    @Test
    void j03RecoverStartsAgainWithTheFirstThatWasNotAcknowledged(ConnectionFactory factory) throws JMSException {
        send(factory, "q", 1, 4);
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session, "q");
        consumer.receive(SOON_MS).acknowledge();
        assertThat(next(consumer, 2)).containsExactly("2", "3");
        session.recover();
        for (String number : List.of("2", "3")) {
            Message message = consumer.receive(SOON_MS);
            assertThat(text(message)).isEqualTo(number);
            assertThat(message.getJMSRedelivered()).isTrue();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message unseen = consumer.receive(SOON_MS);
        assertThat(text(unseen)).isEqualTo("4");
        assertThat(unseen.getJMSRedelivered()).isFalse();
        assertThat(unseen.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        unseen.acknowledge();
        assertThat(nothing(consumer)).isNull();
    }

    @Test
    void j09ClosingAConsumerReturnsWhatItHasPrefetchedUnflaggedAndInOrder(ConnectionFactory factory)
            throws JMSException {
        send(factory, "q", 1, 100);
        Session first = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(first, "q");
        Message tenth = null;
        for (int i = 0; i < 10; i++) {
            tenth = consumer.receive(SOON_MS);
        }
        tenth.acknowledge();
        consumer.close();
        MessageConsumer second = consumer(connection.createSession(Session.CLIENT_ACKNOWLEDGE), "q");
        for (int i = 11; i <= 100; i++) {
            Message message = second.receive(SOON_MS);
            assertThat(text(message)).isEqualTo("" + i);
            assertThat(message.getJMSRedelivered()).isFalse();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        }
        assertThat(nothing(second)).isNull();
        assertThat(nothing(consumer(connection.createSession(), "DLQ"))).isNull();
    }

    @Test
    void j09ClosingTheConnectionReturnsWhatWasNotAcknowledged(ConnectionFactory factory) throws JMSException {
        send(factory, "q", 1, 5);
        try (Connection other = started(factory)) {
            MessageConsumer consumer = consumer(other.createSession(Session.CLIENT_ACKNOWLEDGE), "q");
            assertThat(next(consumer, 2)).containsExactly("1", "2");
        }
        MessageConsumer consumer = consumer(connection.createSession(), "q");
        List<Boolean> redelivered = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            Message message = consumer.receive(SOON_MS);
            assertThat(text(message)).isEqualTo("" + i);
            redelivered.add(message.getJMSRedelivered());
        }
        assertThat(redelivered).containsExactly(true, true, false, false, false);
        assertThat(nothing(consumer(connection.createSession(), "DLQ"))).isNull();
    }

    @Test
    void everyModeConsumesEachMessageOnce(ConnectionFactory factory) throws JMSException {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE}) {
            send(factory, "q" + mode, 1, 50);
            Session session = connection.createSession(mode);
            MessageConsumer consumer = consumer(session, "q" + mode);
            for (int i = 1; i <= 50; i++) {
                Message message = consumer.receive(SOON_MS);
                assertThat(text(message)).isEqualTo("" + i);
                message.acknowledge();
            }
            session.close();
            assertThat(nothing(consumer(connection.createSession(), "q" + mode)))
                    .isNull();
        }
    }

    @Test
    void manyNonPersistentMessagesArriveInOrder() throws Exception {
        MessageConsumer consumer = consumer(connection.createSession(), "q");
        Session session = connection.createSession();
        MessageProducer producer = producer(session, "q");
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        Thread sender = new Thread(() -> {
            try {
                for (int i = 1; i <= 20_000; i++) {
                    producer.send(session.createTextMessage("" + i));
                }
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        sender.start();
        for (int i = 1; i <= 20_000; i++) {
            assertThat(next(consumer)).isEqualTo("" + i);
        }
        sender.join();
        assertThat(nothing(consumer)).isNull();
    }

    @Test
    void listenersOfOneSessionGetOneMessageAtATimeInOrder(ConnectionFactory factory) throws JMSException {
        List<String> heard = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Session session = connection.createSession();
        for (String queue : List.of("a", "b")) {
            consumer(session, queue).setMessageListener(message -> {
                try {
                    threads.add(Thread.currentThread());
                    heard.add(queue + text(message));
                } catch (JMSException e) {
                    throw new AssertionError(e);
                }
            });
        }
        send(factory, "a", 1, 100);
        send(factory, "b", 1, 100);
        await().until(() -> heard.size() == 200);
        assertThat(threads).containsOnly(threads.get(0)).doesNotContain(Thread.currentThread());
        for (String queue : List.of("a", "b")) {
            assertThat(heard.stream().filter(text -> text.startsWith(queue)).map(text -> text.substring(1)))
                    .containsExactlyElementsOf(numbers(1, 100));
        }
    }

    @Test
    void aListenerThatThrowsGetsItsMessageAgain(ConnectionFactory factory) throws JMSException {
        List<String> heard = new CopyOnWriteArrayList<>();
        consumer(connection.createSession(), "q").setMessageListener(message -> {
            try {
                heard.add(text(message) + " " + message.getIntProperty("JMSXDeliveryCount"));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
            if (heard.size() == 1) {
                throw new IllegalArgumentException("told to throw");
            }
        });
        send(factory, "q", 1, 2);
        await().until(() -> heard.size() == 3);
        assertThat(heard).containsExactly("1 1", "1 2", "2 1");
    }

    @Test
    void receiveNoWaitSeesWhatWasSentBefore(ConnectionFactory factory) throws JMSException {
        MessageConsumer consumer = consumer(connection.createSession(), "q");
        assertThat(consumer.receiveNoWait()).isNull();
        send(factory, "q", 1, 3);
        for (int i = 1; i <= 3; i++) {
            assertThat(text(consumer.receiveNoWait())).isEqualTo("" + i);
        }
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void twoConsumersShareAQueue(ConnectionFactory factory) throws JMSException {
        List<String> heard = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 2; i++) {
            consumer(connection.createSession(), "q").setMessageListener(message -> {
                try {
                    heard.add(text(message));
                } catch (JMSException e) {
                    throw new AssertionError(e);
                }
            });
        }
        send(factory, "q", 1, 100);
        await().until(() -> heard.size() >= 100);
        assertThat(heard).containsExactlyInAnyOrderElementsOf(numbers(1, 100));
    }
}
