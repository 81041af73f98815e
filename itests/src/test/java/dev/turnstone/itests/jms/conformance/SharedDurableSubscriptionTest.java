package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §8.3.4: shared durable subscriptions. */
@EveryClient
final class SharedDurableSubscriptionTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Session second;
    private Topic topic;
    private String name;

    SharedDurableSubscriptionTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        second = jms.session();
        topic = jms.topic();
        name = Messaging.unused("subscription");
    }

    @Test
    void consumersOfTwoConnectionsShareItAndItOutlivesThem() throws JMSException {
        MessageConsumer one = session.createSharedDurableConsumer(topic, name);
        MessageConsumer two = second.createSharedDurableConsumer(topic, name);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            send(session, topic, "" + i);
            sent.add("" + i);
        }
        List<String> received = new ArrayList<>();
        for (MessageConsumer consumer : List.of(one, two)) {
            received.addAll(Messaging.remainingFor(consumer));
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
        one.close();
        two.close();
        for (int i = 0; i < 10; i++) {
            send(session, topic, "kept " + i);
        }
        assertThat(receiveTexts(session.createSharedDurableConsumer(topic, name), 10))
                .hasSize(10)
                .startsWith("kept 0");
    }

    @Test
    void aClientIdentifierMakesItAnother() throws JMSException {
        String client = Messaging.unused("client");
        Session named = jms.named(client).createSession();
        MessageConsumer ofClient = named.createSharedDurableConsumer(topic, name);
        MessageConsumer ofNone = session.createSharedDurableConsumer(topic, name);
        send(session, topic, "to both");
        assertThat(receiveText(ofClient)).isEqualTo("to both");
        assertThat(receiveText(ofNone)).isEqualTo("to both");
        ofClient.close();
        ofNone.close();
        named.unsubscribe(name);
        session.unsubscribe(name);
    }

    @Test
    void anActiveOneKeepsItsTopicAndSelector() throws JMSException {
        session.createSharedDurableConsumer(topic, name, "n = 1");
        Topic otherTopic = jms.topic();
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> second.createSharedDurableConsumer(topic, name, "n = 2"));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> second.createSharedDurableConsumer(otherTopic, name, "n = 1"));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> second.createSharedDurableConsumer(topic, name));
        second.createSharedDurableConsumer(topic, name, "n = 1");
    }

    @Test
    void aDifferentSelectorReplacesAnInactiveOne() throws JMSException {
        session.createSharedDurableConsumer(topic, name).close();
        send(session, topic, "dropped");
        MessageConsumer replaced = second.createSharedDurableConsumer(topic, name, "n = 1");
        Message message = session.createTextMessage("1");
        message.setIntProperty("n", 1);
        session.createProducer(topic).send(message);
        assertThat(receiveText(replaced)).isEqualTo("1");
        assertNothingFor(replaced);
    }

    @Test
    void unsubscribingIsRefusedWhileItIsInUse() throws JMSException {
        MessageConsumer one = session.createSharedDurableConsumer(topic, name);
        MessageConsumer two = second.createSharedDurableConsumer(topic, name);
        one.close();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.unsubscribe(name));
        two.close();
        session.unsubscribe(name);
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.unsubscribe(name));
    }

    @Test
    void whatOneConsumerGivesUpTheOtherGets() throws JMSException {
        Session manual = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = manual.createSharedDurableConsumer(topic, name);
        send(session, topic, "1");
        assertThat(receiveText(consumer)).isEqualTo("1");
        MessageConsumer other = second.createSharedDurableConsumer(topic, name);
        manual.close();
        Message again = receive(other);
        assertThat(Messaging.textOf(again)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @Test
    void missingTopicsAndBadSelectorsAreRefused() {
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createSharedDurableConsumer(null, name));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createSharedDurableConsumer(null, name, "n = 1"));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createSharedDurableConsumer(topic, name, "n ="));
    }
}
