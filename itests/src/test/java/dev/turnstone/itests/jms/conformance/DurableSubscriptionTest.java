package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §8.3.3: unshared durable subscriptions. */
@EveryClient
final class DurableSubscriptionTest {
    @RegisterExtension
    final Messaging jms;

    private String clientId;
    private Connection connection;
    private Session session;
    private Session publishing;
    private Topic topic;
    private String name;

    DurableSubscriptionTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        clientId = Messaging.unused("client");
        connection = jms.named(clientId);
        session = connection.createSession();
        publishing = jms.session();
        topic = jms.topic();
        name = Messaging.unused("subscription");
    }

    private void publish(int n) throws JMSException {
        Message message = publishing.createTextMessage("" + n);
        message.setIntProperty("n", n);
        publishing.createProducer(topic).send(message);
    }

    @Test
    void messagesAreKeptWhileNoConsumerIsActive() throws JMSException {
        session.createDurableConsumer(topic, name).close();
        send(publishing, topic, "1", "2");
        MessageConsumer consumer = session.createDurableConsumer(topic, name);
        assertThat(receiveTexts(consumer, 2)).containsExactly("1", "2");
        consumer.close();
        send(publishing, topic, "3");
        assertThat(receiveText(session.createDurableConsumer(topic, name))).isEqualTo("3");
    }

    @Test
    void messagesAreKeptWhileItsConnectionIsClosed() throws JMSException {
        session.createDurableSubscriber(topic, name);
        connection.close();
        send(publishing, topic, "1");
        Session again = jms.named(clientId).createSession();
        assertThat(receiveText(again.createDurableSubscriber(topic, name))).isEqualTo("1");
    }

    @Test
    void whatWasNotAcknowledgedIsRedelivered() throws JMSException {
        Session manual = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = manual.createDurableConsumer(topic, name);
        send(publishing, topic, "1");
        assertThat(receiveText(consumer)).isEqualTo("1");
        manual.close();
        Message again = receive(session.createDurableConsumer(topic, name));
        assertThat(Messaging.textOf(again)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void itHasOneConsumerAtATime() throws JMSException {
        session.createDurableConsumer(topic, name);
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createDurableConsumer(topic, name));
        Session second = connection.createSession();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> second.createDurableSubscriber(topic, name));
        session.createDurableConsumer(topic, Messaging.unused("subscription"));
    }

    @Test
    void itNeedsAClientIdentifier() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> publishing.createDurableConsumer(topic, name));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> publishing.createDurableConsumer(topic, name, "n = 1", false));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> publishing.createDurableSubscriber(topic, name));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> publishing.createDurableSubscriber(topic, name, "n = 1", false));
    }

    @Test
    void twoClientsWithOneNameHaveTwoSubscriptions() throws JMSException {
        MessageConsumer one = session.createDurableConsumer(topic, name);
        MessageConsumer two =
                jms.named(Messaging.unused("client")).createSession().createDurableConsumer(topic, name);
        send(publishing, topic, "to both");
        assertThat(receiveText(one)).isEqualTo("to both");
        assertThat(receiveText(two)).isEqualTo("to both");
    }

    @Test
    void unsubscribingDropsItsMessages() throws JMSException {
        session.createDurableConsumer(topic, name).close();
        send(publishing, topic, "dropped");
        session.unsubscribe(name);
        MessageConsumer anew = session.createDurableConsumer(topic, name);
        assertNothingFor(anew);
        send(publishing, topic, "new");
        assertThat(receiveText(anew)).isEqualTo("new");
    }

    @Test
    void unsubscribingWhatDoesNotExistIsAnInvalidDestination() {
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.unsubscribe(Messaging.unused("never created")));
    }

    @Test
    void unsubscribingWithAnActiveConsumerIsRefusedAndHarmless() throws JMSException {
        MessageConsumer consumer = session.createDurableConsumer(topic, name);
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.unsubscribe(name));
        send(publishing, topic, "still there");
        assertThat(receiveText(consumer)).isEqualTo("still there");
        consumer.close();
        session.unsubscribe(name);
    }

    @Test
    void unsubscribingWithAnUnacknowledgedMessageIsRefused() throws JMSException {
        Session manual = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = manual.createDurableConsumer(topic, name);
        send(publishing, topic, "1");
        Message received = receive(consumer);
        consumer.close();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> manual.unsubscribe(name));
        received.acknowledge();
        manual.unsubscribe(name);
    }

    @Test
    void unsubscribingWithAMessageInATransactionIsRefused() throws JMSException {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = transacted.createDurableConsumer(topic, name);
        send(publishing, topic, "1");
        receive(consumer);
        consumer.close();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> transacted.unsubscribe(name));
        transacted.commit();
        transacted.unsubscribe(name);
    }

    @Test
    void aDifferentSelectorTopicOrNoLocalReplacesAnInactiveOne() throws JMSException {
        session.createDurableConsumer(topic, name, "n = 1", false).close();
        publish(1);
        MessageConsumer other = session.createDurableConsumer(topic, name, "n = 2", false);
        publish(1);
        publish(2);
        assertThat(receiveText(other)).isEqualTo("2");
        assertNothingFor(other);
        other.close();

        publish(2);
        session.createDurableConsumer(topic, name, "n = 2", true).close();
        MessageConsumer noLocal = session.createDurableConsumer(topic, name, "n = 2", true);
        assertNothingFor(noLocal);
        noLocal.close();

        publish(2);
        assertNothingFor(session.createDurableConsumer(jms.topic(), name, "n = 2", true));
    }

    @Test
    void theSameSelectorResumes() throws JMSException {
        session.createDurableConsumer(topic, name, "n > 1", false).close();
        publish(1);
        publish(2);
        publish(3);
        assertThat(receiveTexts(session.createDurableConsumer(topic, name, "n > 1", false), 2))
                .containsExactly("2", "3");
    }

    @Test
    void noLocalLeavesOutTheOwnClientsMessages() throws JMSException {
        MessageConsumer consumer = session.createDurableConsumer(topic, name, null, true);
        send(connection.createSession(), topic, "own");
        send(publishing, topic, "other");
        assertThat(receiveText(consumer)).isEqualTo("other");
        assertNothingFor(consumer);
    }

    @Test
    void aSubscriberTellsItsTopicAndNoLocal() throws JMSException {
        TopicSubscriber subscriber = session.createDurableSubscriber(topic, name, "n = 1", true);
        assertThat(subscriber.getTopic()).isEqualTo(topic);
        assertThat(subscriber.getNoLocal()).isTrue();
        assertThat(subscriber.getMessageSelector()).isEqualTo("n = 1");
    }

    @Test
    void aSharedSubscriptionsNameIsTaken() throws JMSException {
        session.createSharedDurableConsumer(topic, name).close();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createDurableConsumer(topic, name));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createDurableSubscriber(topic, name));
        session.unsubscribe(name);
        session.createDurableConsumer(topic, name).close();
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> session.createSharedDurableConsumer(topic, name));
        session.unsubscribe(name);
    }

    @Test
    void missingTopicsAndBadSelectorsAreRefused() {
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createDurableConsumer(null, name));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createDurableSubscriber(null, name));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createDurableConsumer(topic, name, "n =", false));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createDurableSubscriber(topic, name, "n =", false));
    }

    @Test
    void namesMayHaveAllThatTheSpecificationLists() throws JMSException {
        // §4.2.4: letters, digits, underscore, dot, minus; 128 characters.
        String longest = "aZ09_.-é".repeat(16);
        session.createDurableConsumer(topic, longest).close();
        send(publishing, topic, "1");
        assertThat(receiveText(session.createDurableConsumer(topic, longest))).isEqualTo("1");
        MessageConsumer shared = session.createSharedConsumer(topic, longest);
        send(publishing, topic, "2");
        assertThat(receiveText(shared)).isEqualTo("2");
    }
}
