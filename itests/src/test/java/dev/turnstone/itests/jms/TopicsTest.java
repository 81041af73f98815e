package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.nothing;
import static dev.turnstone.itests.jms.Jms.send;
import static dev.turnstone.itests.jms.Jms.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Topics and durable subscriptions. */
@ExtendWith(FreshBroker.class)
final class TopicsTest {
    private static Connection named(ConnectionFactory factory, String clientId) throws JMSException {
        Connection connection = factory.createConnection();
        connection.setClientID(clientId);
        connection.start();
        return connection;
    }

    @Test
    void everySubscriberGetsWhatIsPublishedWhileItSubscribes(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            Topic topic = session.createTopic("t");
            send(session, topic, 0, 0);
            MessageConsumer first = session.createConsumer(topic);
            MessageConsumer second = session.createConsumer(topic);
            send(session, topic, 1, 3);
            assertThat(next(first, 3)).containsExactly("1", "2", "3");
            assertThat(next(second, 3)).containsExactly("1", "2", "3");
            assertThat(nothing(first)).isNull();
        }
    }

    @Test
    void noLocalLeavesOutWhatTheConnectionItselfPublishes(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory);
                Connection other = started(factory)) {
            Session session = connection.createSession();
            Topic topic = session.createTopic("t");
            MessageConsumer consumer = session.createConsumer(topic, null, true);
            send(session, topic, 1, 1);
            send(other.createSession(), topic, 2, 2);
            assertThat(next(consumer)).isEqualTo("2");
            assertThat(nothing(consumer)).isNull();
        }
    }

    @Test
    void aDurableNoLocalLeavesOutWhatItsClientPublishesOverAnyConnection(ConnectionFactory factory)
            throws JMSException {
        try (Connection first = named(factory, "me")) {
            Session session = first.createSession();
            session.createDurableConsumer(session.createTopic("t"), "s", null, true)
                    .close();
        }
        try (Connection second = named(factory, "me");
                Connection other = started(factory)) {
            Session session = second.createSession();
            Topic topic = session.createTopic("t");
            send(session, topic, 1, 1);
            send(other.createSession(), topic, 2, 2);
            MessageConsumer consumer = session.createDurableConsumer(topic, "s", null, true);
            assertThat(next(consumer)).isEqualTo("2");
            assertThat(nothing(consumer)).isNull();
        }
    }

    @Test
    void aDurableSubscriptionKeepsWhatIsPublishedWhileItsConsumerIsAway(ConnectionFactory factory) throws JMSException {
        try (Connection connection = named(factory, "me")) {
            Session session = connection.createSession();
            session.createDurableConsumer(session.createTopic("t"), "s").close();
        }
        try (Connection other = started(factory)) {
            Session session = other.createSession();
            send(session, session.createTopic("t"), 1, 3);
        }
        try (Connection connection = named(factory, "me")) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createDurableSubscriber(session.createTopic("t"), "s");
            assertThat(next(consumer, 3)).containsExactly("1", "2", "3");
            assertThat(nothing(consumer)).isNull();
        }
    }

    @Test
    void aSubscriptionHasOneConsumerAndCannotBeDeletedUnderIt(ConnectionFactory factory) throws JMSException {
        try (Connection connection = named(factory, "me")) {
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            Topic topic = session.createTopic("t");
            MessageConsumer consumer = session.createDurableConsumer(topic, "s");
            assertThatThrownBy(() -> session.createDurableConsumer(topic, "s")).isInstanceOf(JMSException.class);
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
    void aDifferentSelectorReplacesTheSubscription(ConnectionFactory factory) throws JMSException {
        try (Connection connection = named(factory, "me")) {
            Session session = connection.createSession();
            Topic topic = session.createTopic("t");
            session.createDurableConsumer(topic, "s").close();
            send(session, topic, 1, 1);
            MessageConsumer replaced = session.createDurableConsumer(topic, "s", "n IS NULL", false);
            assertThat(nothing(replaced)).isNull();
            send(session, topic, 2, 2);
            assertThat(next(replaced)).isEqualTo("2");
        }
    }

    @Test
    void durableConsumersNeedAClientIdentifierThatNobodyElseHas(ConnectionFactory factory) throws JMSException {
        try (Connection connection = named(factory, "me");
                Connection nameless = factory.createConnection()) {
            Session session = nameless.createSession();
            assertThatThrownBy(() -> session.createDurableConsumer(session.createTopic("t"), "s"))
                    .isInstanceOf(IllegalStateException.class);
            try (Connection late = factory.createConnection()) {
                assertThatThrownBy(() -> late.setClientID("me"))
                        .isInstanceOf(jakarta.jms.InvalidClientIDException.class);
            }
            assertThat(connection.getClientID()).isEqualTo("me");
        }
    }

    @Test
    void aBadSelectorIsRefusedAndTheSessionGoesOn(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            for (String selector : new String[] {"n > 4 AND", "(a='y' AND ( OR ))", "a LIKE 5"}) {
                assertThatThrownBy(() -> session.createConsumer(session.createQueue("q"), selector))
                        .as(selector)
                        .isInstanceOf(jakarta.jms.InvalidSelectorException.class);
            }
            MessageConsumer some = session.createConsumer(session.createQueue("q"), "n = 2");
            for (int n = 1; n <= 3; n++) {
                Message message = session.createTextMessage("" + n);
                message.setIntProperty("n", n);
                Jms.producer(session, "q").send(message);
            }
            assertThat(next(some)).isEqualTo("2");
            assertThat(nothing(some)).isNull();
        }
    }

    @Test
    void aPatternOfTopicsIsSubscribedToAndNeverSentTo(ConnectionFactory factory) throws JMSException {
        try (Connection connection = named(factory, "patterns")) {
            Session session = connection.createSession();
            Topic oneLevel = session.createTopic("prices.*");
            MessageConsumer some = session.createConsumer(oneLevel);
            MessageConsumer all = session.createDurableConsumer(session.createTopic("prices.>"), "all");
            send(session, session.createTopic("prices.gold"), 1, 1);
            send(session, session.createTopic("prices.gold.eur"), 2, 2);
            Message gold = some.receive(SOON_MS);
            assertThat(gold.getJMSDestination()).isEqualTo(session.createTopic("prices.gold"));
            assertThat(nothing(some)).isNull();
            assertThat(next(all, 2)).containsExactly("1", "2");
            assertThatThrownBy(() -> session.createProducer(oneLevel)).isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> session.createQueue("q.*"))
                    .isInstanceOf(InvalidDestinationException.class)
                    .hasMessageContaining("wildcard");
            assertThatThrownBy(() -> session.createTopic("a.>.b")).isInstanceOf(InvalidDestinationException.class);
        }
    }
}
