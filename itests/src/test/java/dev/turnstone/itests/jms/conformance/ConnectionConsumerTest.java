package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §11.2: connection consumers, as an application server uses them. */
@EveryClient
final class ConnectionConsumerTest {
    @RegisterExtension
    final Messaging jms;

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private Connection connection;
    private Session sending;
    private Queue queue;

    ConnectionConsumerTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        connection = jms.named(Messaging.unused("client"));
        sending = jms.session();
        queue = jms.queue();
    }

    /** A pool of one session, which a thread runs each time. */
    private ServerSessionPool poolOfOne() throws JMSException {
        BlockingQueue<ServerSession> free = new LinkedBlockingQueue<>();
        Session session = connection.createSession();
        session.setMessageListener(message -> {
            try {
                heard.add(Messaging.textOf(message));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        free.add(new ServerSession() {
            @Override
            public Session getSession() {
                return session;
            }

            @Override
            public void start() {
                new Thread(() -> {
                            session.run();
                            free.add(this);
                        })
                        .start();
            }
        });
        return () -> {
            try {
                return free.take();
            } catch (InterruptedException e) {
                throw new JMSException("interrupted");
            }
        };
    }

    private String next() throws InterruptedException {
        String next = heard.poll(Messaging.SOON_MS, TimeUnit.MILLISECONDS);
        assertThat(next).as("a message").isNotNull();
        return next;
    }

    @Test
    void aQueuesMessagesGoToThePoolsSessionsAndAreAcknowledged() throws Exception {
        ServerSessionPool pool = poolOfOne();
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 1);
        assertThat(consumer.getServerSessionPool()).isSameAs(pool);
        send(sending, queue, "1", "2", "3");
        for (String text : new String[] {"1", "2", "3"}) {
            assertThat(next()).isEqualTo(text);
        }
        await().untilAsserted(() -> assertThat(jms.remaining(queue)).isEmpty());
        consumer.close();
        consumer.close();
        send(sending, queue, "4");
        assertThat(heard.poll(Messaging.A_WHILE_MS, TimeUnit.MILLISECONDS)).isNull();
        assertThat(jms.remaining(queue)).containsExactly("4");
    }

    @Test
    void aSelectorSelects() throws Exception {
        connection.createConnectionConsumer(queue, "n = 1", poolOfOne(), 5);
        send(sending, queue, "unselected");
        var message = sending.createTextMessage("selected");
        message.setIntProperty("n", 1);
        sending.createProducer(queue).send(message);
        assertThat(next()).isEqualTo("selected");
        assertThat(jms.remaining(queue)).containsExactly("unselected");
    }

    @Test
    void aTopicIsConsumedInAllWaysOfSubscribing() throws Exception {
        Topic topic = jms.topic();
        String durable = Messaging.unused("subscription");
        String sharedDurable = Messaging.unused("subscription");
        connection.createConnectionConsumer(topic, null, poolOfOne(), 1);
        connection.createDurableConnectionConsumer(topic, durable, null, poolOfOne(), 1);
        connection.createSharedConnectionConsumer(topic, "s", null, poolOfOne(), 1);
        connection.createSharedDurableConnectionConsumer(topic, sharedDurable, null, poolOfOne(), 1);
        send(sending, topic, "to all");
        for (int i = 0; i < 4; i++) {
            assertThat(next()).isEqualTo("to all");
        }
    }

    @Test
    void nothingIsDeliveredWhileTheConnectionIsStopped() throws Exception {
        connection.stop();
        connection.createConnectionConsumer(queue, null, poolOfOne(), 1);
        send(sending, queue, "1");
        assertThat(heard.poll(Messaging.A_WHILE_MS, TimeUnit.MILLISECONDS)).isNull();
        connection.start();
        assertThat(next()).isEqualTo("1");
    }

    @Test
    void missingDestinationsAndBadSelectorsAreRefused() throws JMSException {
        ServerSessionPool pool = poolOfOne();
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> connection.createConnectionConsumer((Queue) null, null, pool, 1));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> connection.createConnectionConsumer(queue, "n =", pool, 1));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> connection.createConnectionConsumer(queue, null, pool, 0));
    }
}
