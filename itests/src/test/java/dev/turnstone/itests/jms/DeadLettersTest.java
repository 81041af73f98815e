package dev.turnstone.itests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of messages that fail or expire, and of queues that are full, seen through JMS. */
class DeadLettersTest {
    @TempDir
    Path data;

    private Connection connection;
    private Session session;

    @BeforeEach
    void connect() throws JMSException {
        connection = Jms.started(new TurnstoneConnectionFactory("vm://?data=" + data
                + "&addresses.queue:orders.maxAttempts=3&addresses.queue:orders.deadLetter=queue:dead"
                + "&addresses.queue:slow.redeliveryDelayMs=300&addresses.queue:slow.maxAttempts=2"
                + "&addresses.queue:small.maxMessages=1&addresses.%3E.expiry=queue:expired"));
        session = connection.createSession();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    @Test
    void aListenerThatThrowsIsDeadLetteredAndItsSessionGoesOn() throws JMSException, InterruptedException {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Jms.consumer(session, "orders").setMessageListener(message -> {
            try {
                String text = Jms.text(message);
                heard.add(text + message.getIntProperty("JMSXDeliveryCount"));
                if (text.equals("1")) {
                    throw new IllegalArgumentException("cannot use it");
                }
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        Jms.send(connection.createSession(), session.createQueue("orders"), 1, 2);

        for (String expected : List.of("11", "12", "13", "21")) {
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(expected);
        }
        Message dead = Jms.consumer(connection.createSession(), "dead").receive(Jms.SOON_MS);
        assertThat(Jms.text(dead)).isEqualTo("1");
        assertThat(dead.getStringProperty("JMS_TURNSTONE_DEAD_REASON")).isEqualTo("attempts");
        assertThat(dead.getStringProperty("JMS_TURNSTONE_ORIGINAL_ADDRESS")).isEqualTo("queue:orders");
        assertThat(dead.getIntProperty("JMS_TURNSTONE_ATTEMPTS")).isEqualTo(3);
        assertThat(dead.getStringProperty("JMS_TURNSTONE_EXCEPTION"))
                .isEqualTo("java.lang.IllegalArgumentException: cannot use it");
        assertThat(dead.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(heard).isEmpty();
    }

    @Test
    void recoverAndRollbackCount() throws JMSException {
        Jms.send(session, session.createQueue("orders"), 1, 1);
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = Jms.consumer(client, "orders");
        assertThat(Jms.next(consumer)).isEqualTo("1");
        client.recover();
        assertThat(Jms.next(consumer)).isEqualTo("1");
        client.close();
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer again = Jms.consumer(transacted, "orders");
        for (int count = 2; count <= 3; count++) {
            assertThat(again.receive(Jms.SOON_MS).getIntProperty("JMSXDeliveryCount"))
                    .isEqualTo(count);
            transacted.rollback();
        }
        assertThat(again.receive(Jms.NEVER_MS)).isNull();
        assertThat(Jms.next(Jms.consumer(session, "dead"))).isEqualTo("1");
    }

    @Test
    void aFailedMessageWaitsForItsDelay() throws JMSException {
        Jms.send(session, session.createQueue("slow"), 1, 2);
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = Jms.consumer(client, "slow");
        assertThat(Jms.next(consumer)).isEqualTo("1");
        long failedNs = System.nanoTime();
        client.recover();
        assertThat(Jms.next(consumer)).isEqualTo("2");
        assertThat(Jms.next(consumer)).isEqualTo("1");
        assertThat(System.nanoTime() - failedNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(250));
    }

    @Test
    void anExpiredMessageGoesToTheExpiryAddressWithoutAConsumer() throws JMSException {
        MessageProducer producer = Jms.producer(session, "orders");
        producer.setTimeToLive(50);
        producer.send(session.createTextMessage("late"));
        Message expired = Jms.consumer(session, "expired").receive(Jms.SOON_MS);
        assertThat(Jms.text(expired)).isEqualTo("late");
        assertThat(expired.getJMSExpiration()).isZero();
        assertThat(expired.getStringProperty("JMS_TURNSTONE_DEAD_REASON")).isEqualTo("expired");
        assertThat(expired.propertyExists("JMS_TURNSTONE_ORIGINAL_EXPIRATION")).isTrue();
    }

    @Test
    void aFullQueueRefusesWithResourceAllocation() throws JMSException {
        Jms.send(session, session.createQueue("small"), 1, 1);
        MessageProducer producer = Jms.producer(session, "small");
        assertThatThrownBy(() -> producer.send(session.createTextMessage("2")))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("maxMessages");
    }

    /** It is sent with what it was received with, soon after the original. */
    @Test
    void aDeadLetterThatIsSentBackIsNoCopyOfWhatWasSentBefore() throws JMSException {
        Message sent = session.createTextMessage("one");
        sent.setStringProperty("JMS_TURNSTONE_DEDUP_ID", "order 1");
        MessageProducer producer = Jms.producer(session, "orders");
        producer.send(sent);
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = Jms.consumer(client, "orders");
        for (int i = 0; i < 3; i++) {
            assertThat(Jms.next(consumer)).isEqualTo("one");
            client.recover();
        }
        Message dead = Jms.consumer(session, "dead").receive(Jms.SOON_MS);
        producer.send(dead);
        assertThat(Jms.next(consumer)).isEqualTo("one");
        assertThat(dead.getStringProperty("JMS_TURNSTONE_ORIGINAL_DEDUP_ID")).isEqualTo("order 1");
        assertThat(dead.propertyExists("JMS_TURNSTONE_DEDUP_ID")).isFalse();
    }
}
