package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §7.8, §7.9, §3.4.9 and §3.4.13: time to live and delivery delay. */
@EveryClient
final class DeliveryOptionsTest {
    private static final long DELAY_MS = 1_000;

    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Queue queue;
    private MessageProducer producer;

    DeliveryOptionsTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        queue = jms.queue();
        producer = session.createProducer(queue);
    }

    @Test
    void anExpiredMessageIsNotDelivered() throws JMSException {
        producer.send(session.createTextMessage("short"), DeliveryMode.PERSISTENT, 4, 100);
        producer.send(session.createTextMessage("long"), DeliveryMode.PERSISTENT, 4, 600_000);
        Message shortLived = session.createTextMessage("shorter");
        producer.send(shortLived, DeliveryMode.NON_PERSISTENT, 4, 50);
        producer.send(session.createTextMessage("for ever"));
        await().until(() -> System.currentTimeMillis() > shortLived.getJMSTimestamp() + 200);
        assertThat(jms.remaining(queue)).containsExactly("long", "for ever");
    }

    @Test
    void aMessageThatExpiresInAClientsBufferIsNotDelivered() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "first");
        Message expiring = session.createTextMessage("expiring");
        producer.send(expiring, DeliveryMode.PERSISTENT, 4, 200);
        send(session, queue, "last");
        assertThat(receiveText(consumer)).isEqualTo("first");
        await().until(() -> System.currentTimeMillis() > expiring.getJMSExpiration());
        assertThat(receiveText(consumer)).isEqualTo("last");
    }

    @Test
    void aDurableSubscriptionsMessagesExpireToo() throws JMSException {
        Topic topic = jms.topic();
        Session named = jms.named(Messaging.unused("client")).createSession();
        String name = Messaging.unused("subscription");
        named.createDurableConsumer(topic, name).close();
        Message expiring = session.createTextMessage("expiring");
        session.createProducer(topic).send(expiring, DeliveryMode.PERSISTENT, 4, 100);
        send(session, topic, "lasting");
        await().until(() -> System.currentTimeMillis() > expiring.getJMSExpiration() + 50);
        assertThat(receiveText(named.createDurableConsumer(topic, name))).isEqualTo("lasting");
    }

    @Test
    void aDelayedMessageComesAtItsTimeAndAfterLaterOnes() throws JMSException {
        producer.setDeliveryDelay(DELAY_MS);
        Message delayed = session.createTextMessage("delayed");
        producer.send(delayed);
        assertThat(delayed.getJMSDeliveryTime()).isEqualTo(delayed.getJMSTimestamp() + DELAY_MS);
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("at once"));
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(receiveText(consumer)).isEqualTo("at once");
        Message received = receive(consumer);
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(delayed.getJMSDeliveryTime());
        assertThat(Messaging.textOf(received)).isEqualTo("delayed");
        assertThat(received.getJMSDeliveryTime()).isEqualTo(delayed.getJMSDeliveryTime());
    }

    @Test
    void delaysOfDifferentLengthComeInTheOrderOfTheirTimes() throws JMSException {
        for (int delay : new int[] {900, 300, 600}) {
            producer.setDeliveryDelay(delay);
            producer.send(session.createMessage());
        }
        MessageConsumer consumer = session.createConsumer(queue);
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            times.add(receive(consumer).getJMSDeliveryTime());
        }
        assertThat(times).isSorted();
    }

    @Test
    void aDelayedMessageIsNotBrowsed() throws JMSException {
        producer.setDeliveryDelay(600_000);
        producer.send(session.createTextMessage("far away"));
        assertThat(Messaging.browse(session, queue, null)).isEmpty();
    }

    @Test
    void aDelayIsSeenByNoReceiveWithoutWaiting() throws JMSException {
        producer.setDeliveryDelay(600_000);
        producer.send(session.createTextMessage("far away"), DeliveryMode.NON_PERSISTENT, 4, 0);
        assertNothingFor(session.createConsumer(queue));
    }

    @Test
    void onlySubscriptionsThatExistAtTheSendGetADelayedMessage() throws JMSException {
        Topic topic = jms.topic();
        MessageConsumer before = session.createConsumer(topic);
        MessageProducer publisher = session.createProducer(topic);
        publisher.setDeliveryDelay(DELAY_MS);
        Message delayed = session.createTextMessage("delayed");
        publisher.send(delayed);
        MessageConsumer after = session.createConsumer(topic);
        Message received = receive(before);
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(delayed.getJMSDeliveryTime());
        assertThat(Messaging.textOf(received)).isEqualTo("delayed");
        assertNothingFor(after);
    }

    @Test
    void inATransactionTheDelayCountsFromTheSend() throws JMSException {
        Session transacted = jms.session(Session.SESSION_TRANSACTED);
        MessageProducer delaying = transacted.createProducer(queue);
        delaying.setDeliveryDelay(200);
        Message delayed = transacted.createTextMessage("delayed");
        delaying.send(delayed);
        await().until(() -> System.currentTimeMillis() > delayed.getJMSDeliveryTime());
        transacted.commit();
        assertThat(jms.remaining(queue)).containsExactly("delayed");
    }

    @Test
    void inATransactionTheTimeToLiveCountsFromTheSend() throws JMSException {
        Session transacted = jms.session(Session.SESSION_TRANSACTED);
        Message expiring = transacted.createTextMessage("expiring");
        transacted.createProducer(queue).send(expiring, DeliveryMode.PERSISTENT, 4, 100);
        await().until(() -> System.currentTimeMillis() > expiring.getJMSExpiration());
        transacted.commit();
        assertNothingFor(session.createConsumer(queue));
    }

    @Test
    void aMessageThatExpiresBeforeItsDeliveryIsNeverDelivered() throws JMSException {
        producer.setDeliveryDelay(300);
        producer.setTimeToLive(100);
        Message message = session.createTextMessage("never");
        try {
            producer.send(message);
        } catch (JMSException refused) {
            // Refusing what cannot be delivered is as good.
            return;
        }
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receive(500)).isNull();
    }
}
