package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.nothing;
import static dev.turnstone.itests.jms.Jms.started;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Delivery delay (Jakarta Messaging 3.1 §7.9). */
@ExtendWith(FreshBroker.class)
final class DelayedDeliveryTest {
    private static final long DELAY_MS = 1_500;

    @Test
    void aMessageComesAtItsDeliveryTimeAndLetsOthersPass(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            MessageConsumer consumer = Jms.consumer(session, "q");
            MessageProducer producer = Jms.producer(session, "q");
            producer.setDeliveryDelay(DELAY_MS);
            Message delayed = session.createTextMessage("delayed");
            producer.send(delayed);
            producer.setDeliveryDelay(0);
            producer.send(session.createTextMessage("at once"));
            assertThat(next(consumer)).isEqualTo("at once");
            Message received = consumer.receive(SOON_MS);
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(delayed.getJMSDeliveryTime());
            assertThat(received.getJMSDeliveryTime()).isEqualTo(delayed.getJMSDeliveryTime());
            assertThat(received.getJMSDeliveryTime() - received.getJMSTimestamp())
                    .isEqualTo(DELAY_MS);
            assertThat(received.getJMSRedelivered()).isFalse();
        }
    }

    @Test
    void aTopicsSubscriptionGetsWhatWasSentWhileItExisted(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            Topic topic = session.createTopic("t");
            MessageConsumer before = session.createConsumer(topic);
            MessageProducer producer = session.createProducer(topic);
            producer.setDeliveryDelay(DELAY_MS);
            producer.send(session.createTextMessage("x"));
            MessageConsumer after = session.createConsumer(topic);
            assertThat(next(before)).isEqualTo("x");
            assertThat(nothing(after)).isNull();
        }
    }

    @Test
    void theDelayOfATransactedSendCountsFromTheSend(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = Jms.producer(session, "q");
            producer.setDeliveryDelay(DELAY_MS);
            Message message = session.createTextMessage("x");
            producer.send(message);
            MessageConsumer consumer = Jms.consumer(connection.createSession(), "q");
            assertThat(consumer.receive(DELAY_MS)).isNull();
            session.commit();
            assertThat(next(consumer)).isEqualTo("x");
        }
    }

    @Test
    void aMessageThatExpiresBeforeItsDeliveryTimeIsNeverDelivered(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            MessageProducer producer = Jms.producer(session, "q");
            producer.setDeliveryDelay(DELAY_MS);
            producer.setTimeToLive(DELAY_MS / 2);
            producer.send(session.createTextMessage("too late"));
            producer.setTimeToLive(0);
            producer.send(session.createTextMessage("in time"));
            MessageConsumer consumer = Jms.consumer(session, "q");
            assertThat(next(consumer)).isEqualTo("in time");
            assertThat(nothing(consumer)).isNull();
        }
    }
}
