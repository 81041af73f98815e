package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §4.2, §8.3.1 and §8.3.2: non-durable subscriptions, alone and shared. */
@EveryClient
final class SubscriptionTest {
    @RegisterExtension
    final Messaging jms;

    private Connection connection;
    private Session session;
    private Topic topic;
    private String name;

    SubscriptionTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        connection = jms.started();
        session = connection.createSession();
        topic = jms.topic();
        name = Messaging.unused("subscription");
    }

    @Test
    void aSubscriptionBeginsAndEndsWithItsConsumer() throws JMSException {
        send(session, topic, "before");
        try (MessageConsumer consumer = session.createConsumer(topic)) {
            send(session, topic, "during");
            assertThat(receiveText(consumer)).isEqualTo("during");
        }
        send(session, topic, "between");
        assertNothingFor(session.createConsumer(topic));
    }

    @Test
    void everyConsumerHasASubscriptionOfItsOwn() throws JMSException {
        MessageConsumer one = session.createConsumer(topic);
        MessageConsumer two = jms.session().createConsumer(topic);
        send(session, topic, "1", "2");
        assertThat(receiveTexts(one, 2)).containsExactly("1", "2");
        assertThat(receiveTexts(two, 2)).containsExactly("1", "2");
    }

    @Test
    void noLocalLeavesOutTheOwnConnectionsMessages() throws JMSException {
        MessageConsumer noLocal = session.createConsumer(topic, null, true);
        MessageConsumer local = session.createConsumer(topic, null, false);
        send(connection.createSession(), topic, "own");
        send(jms.session(), topic, "other");
        assertThat(receiveText(noLocal)).isEqualTo("other");
        assertNothingFor(noLocal);
        assertThat(receiveTexts(local, 2)).containsExactly("own", "other");
    }

    @Test
    void noLocalIsIgnoredForAQueue() throws JMSException {
        var queue = jms.queue();
        MessageConsumer consumer = session.createConsumer(queue, null, true);
        send(session, queue, "own");
        assertThat(receiveText(consumer)).isEqualTo("own");
    }

    @Test
    void consumersShareASubscriptionByItsName() throws JMSException {
        MessageConsumer one = session.createSharedConsumer(topic, name);
        MessageConsumer two = jms.session().createSharedConsumer(topic, name);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            send(session, topic, "" + i);
            sent.add("" + i);
        }
        assertThat(allOf(one, two)).containsExactlyInAnyOrderElementsOf(sent);
    }

    private static List<String> allOf(MessageConsumer... consumers) throws JMSException {
        List<String> all = new ArrayList<>();
        for (MessageConsumer consumer : consumers) {
            all.addAll(Messaging.remainingFor(consumer));
        }
        return all;
    }

    @Test
    void aSharedSubscriptionLivesUntilItsLastConsumerCloses() throws JMSException {
        MessageConsumer one = session.createSharedConsumer(topic, name);
        MessageConsumer two = session.createSharedConsumer(topic, name);
        one.close();
        send(session, topic, "kept");
        assertThat(receiveText(two)).isEqualTo("kept");
        send(session, topic, "dropped");
        two.close();
        send(session, topic, "missed");
        assertNothingFor(session.createSharedConsumer(topic, name));
    }

    @Test
    void sharedSubscriptionsOfDifferentNamesOrClientsAreDifferent() throws JMSException {
        MessageConsumer one = session.createSharedConsumer(topic, name);
        MessageConsumer other = session.createSharedConsumer(topic, Messaging.unused("subscription"));
        MessageConsumer ofClient =
                jms.named(Messaging.unused("client")).createSession().createSharedConsumer(topic, name);
        send(session, topic, "to all");
        for (MessageConsumer consumer : List.of(one, other, ofClient)) {
            assertThat(receiveText(consumer)).isEqualTo("to all");
        }
    }

    @Test
    void anActiveSharedSubscriptionKeepsItsTopicAndSelector() throws JMSException {
        session.createSharedConsumer(topic, name, "n = 1");
        Topic otherTopic = jms.topic();
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> session.createSharedConsumer(otherTopic, name, "n = 1"));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> session.createSharedConsumer(topic, name, "n = 2"));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createSharedConsumer(topic, name));
        session.createSharedConsumer(topic, name, "n = 1");
    }

    @Test
    void aSharedSubscriptionTakesWhatItsSelectorMatches() throws JMSException {
        MessageConsumer consumer = session.createSharedConsumer(topic, name, "n = 1");
        for (int i = 0; i < 3; i++) {
            var message = session.createTextMessage("" + i);
            message.setIntProperty("n", i);
            session.createProducer(topic).send(message);
        }
        assertThat(receiveText(consumer)).isEqualTo("1");
        assertNothingFor(consumer);
    }

    @Test
    void aSharedAndADurableSubscriptionMayHaveOneName() throws JMSException {
        MessageConsumer shared = session.createSharedConsumer(topic, name);
        MessageConsumer durable = session.createSharedDurableConsumer(topic, name);
        send(session, topic, "to both");
        assertThat(receiveText(shared)).isEqualTo("to both");
        assertThat(receiveText(durable)).isEqualTo("to both");
        durable.close();
        session.unsubscribe(name);
    }

    @Test
    void missingTopicsAndBadSelectorsAreRefused() {
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createSharedConsumer(null, name));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createSharedConsumer(null, name, "n = 1"));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createSharedConsumer(topic, name, "n ="));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createSharedConsumer(topic, null));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createSharedConsumer(topic, ""));
    }
}
