package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.nothing;
import static dev.turnstone.itests.jms.Jms.numbers;
import static dev.turnstone.itests.jms.Jms.send;
import static dev.turnstone.itests.jms.Jms.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Shared subscriptions, durable and not (Jakarta Messaging 3.1 §8.3.2, §8.3.4). */
@ExtendWith(FreshBroker.class)
final class SharedSubscriptionsTest {
    private static void collect(MessageConsumer consumer, List<String> texts) throws JMSException {
        consumer.setMessageListener(message -> {
            try {
                texts.add(((TextMessage) message).getText());
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void eachMessageGoesToOneOfTheConsumersAndADurableOneKeepsTheRest(ConnectionFactory factory) throws JMSException {
        List<String> texts = new CopyOnWriteArrayList<>();
        try (Connection one = started(factory);
                Connection two = started(factory)) {
            Session first = one.createSession();
            Topic topic = first.createTopic("t");
            MessageConsumer consumer = first.createSharedDurableConsumer(topic, "s");
            Session second = two.createSession();
            MessageConsumer other = second.createSharedDurableConsumer(topic, "s");
            collect(consumer, texts);
            collect(other, texts);
            send(one.createSession(), topic, 1, 100);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(texts).containsExactlyInAnyOrderElementsOf(numbers(1, 100)));
            consumer.close();
            other.close();
            send(first, topic, 101, 110);
            MessageConsumer again = second.createSharedDurableConsumer(topic, "s");
            assertThat(next(again, 10)).isEqualTo(numbers(101, 110));
            assertThat(nothing(again)).isNull();
        }
    }

    @Test
    void aNonDurableOneEndsWithItsLastConsumer(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            Topic topic = session.createTopic("t");
            MessageConsumer first = session.createSharedConsumer(topic, "s");
            MessageConsumer second = session.createSharedConsumer(topic, "s");
            first.close();
            send(session, topic, 1, 2);
            assertThat(next(second, 2)).containsExactly("1", "2");
            send(session, topic, 3, 3);
            second.close();
            assertThat(nothing(session.createSharedConsumer(topic, "s"))).isNull();
        }
    }

    @Test
    void anotherSelectorIsRefusedWhileThereIsAConsumerAndReplacesTheSubscriptionAfterwards(ConnectionFactory factory)
            throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            Topic topic = session.createTopic("t");
            MessageConsumer consumer = session.createSharedDurableConsumer(topic, "s");
            assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "s", "n = 1"))
                    .isInstanceOf(JMSException.class);
            consumer.close();
            send(session, topic, 1, 1);
            MessageConsumer replaced = session.createSharedDurableConsumer(topic, "s", "n IS NULL");
            assertThat(nothing(replaced)).isNull();
            send(session, topic, 2, 2);
            assertThat(next(replaced)).isEqualTo("2");
        }
    }

    @Test
    void itCannotBeDeletedUnderAConsumerNorUnderADelivery(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            Topic topic = session.createTopic("t");
            MessageConsumer consumer = session.createSharedDurableConsumer(topic, "s");
            assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(JMSException.class);
            send(session, topic, 1, 1);
            Message message = consumer.receive(SOON_MS);
            consumer.close();
            assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(JMSException.class);
            message.acknowledge();
            session.unsubscribe("s");
            assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void theClientIdentifierIsPartOfTheName(ConnectionFactory factory) throws JMSException {
        try (Connection named = factory.createConnection();
                Connection nameless = started(factory)) {
            named.setClientID("me");
            named.start();
            Session mine = named.createSession();
            Session ours = nameless.createSession();
            MessageConsumer my = mine.createSharedConsumer(mine.createTopic("t"), "s");
            MessageConsumer our = ours.createSharedConsumer(ours.createTopic("t"), "s");
            send(ours, ours.createTopic("t"), 1, 1);
            assertThat(next(my)).isEqualTo("1");
            assertThat(next(our)).isEqualTo("1");
            assertThatThrownBy(() -> ours.createSharedConsumer(ours.createTopic("t"), ""))
                    .isInstanceOf(JMSException.class);
        }
    }
}
