package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.itests.security.SecuredConnector;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTopic;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
final class OpenWireDestinationsTest {
    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    @Test
    void answersComeToATemporaryQueueOfAnotherConnection() throws JMSException {
        Session asking = broker.session();
        Session answering = broker.session();
        Queue questions = asking.createQueue("questions");
        MessageConsumer service = answering.createConsumer(questions);
        TemporaryQueue answers = asking.createTemporaryQueue();
        MessageConsumer answer = asking.createConsumer(answers);
        TextMessage question = asking.createTextMessage("?");
        question.setJMSReplyTo(answers);
        asking.createProducer(questions).send(question);

        Message asked = service.receive(ActiveMq.SOON_MS);
        assertThat(asked.getJMSReplyTo()).isInstanceOf(TemporaryQueue.class).isEqualTo(answers);
        answering.createProducer(asked.getJMSReplyTo()).send(answering.createTextMessage("!"));
        assertThat(ActiveMq.text(answer)).isEqualTo("!");
    }

    @Test
    void aTemporaryDestinationIsKnownToOthersWhoAreTheObjectAloneAndEndsWithItsConnection() throws Exception {
        Connection owner = broker.connect();
        Session owning = owner.createSession();
        TemporaryTopic topic = owning.createTemporaryTopic();
        MessageConsumer consumer = owning.createConsumer(topic);
        Session other = broker.session();
        MessageProducer producer = other.createProducer(null);
        producer.send(topic, other.createTextMessage("known"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("known");
        owner.close();
        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(() -> producer.send(topic, other.createTextMessage("gone")))
                        .isInstanceOf(JMSException.class));
    }

    @Test
    void aMessageMayNameATemporaryQueueThatHasEnded() throws JMSException {
        Session session = broker.session();
        TemporaryQueue answers = session.createTemporaryQueue();
        Queue queue = session.createQueue("late");
        TextMessage late = session.createTextMessage("late");
        late.setJMSReplyTo(answers);
        answers.delete();
        session.createProducer(queue).send(late);
        Message got = broker.session().createConsumer(queue).receive(ActiveMq.SOON_MS);
        assertThat(got.getJMSReplyTo()).isEqualTo(answers);
        Session other = broker.session();
        assertThatThrownBy(() -> other.createProducer(got.getJMSReplyTo()).send(other.createTextMessage("!")))
                .isInstanceOf(JMSException.class);
    }

    @Test
    void aTemporaryQueueInUseIsNotDeleted() throws JMSException {
        Session session = broker.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
        consumer.close();
        queue.delete();
    }

    @Test
    void aServiceOverOpenWireAnswersAnApplicationInTheBrokersProcess() throws JMSException {
        SecuredConnector.serve(broker.data(), broker.broker().broker());
        try (Connection local =
                new TurnstoneConnectionFactory(SecuredConnector.url(broker.data())).createConnection()) {
            local.start();
            Session asking = local.createSession();
            TemporaryQueue answers = asking.createTemporaryQueue();
            MessageConsumer answer = asking.createConsumer(answers);
            Session answering = broker.session();
            MessageConsumer service = answering.createConsumer(answering.createQueue("questions"));
            TextMessage question = asking.createTextMessage("?");
            question.setJMSReplyTo(answers);
            asking.createProducer(asking.createQueue("questions")).send(question);
            Message asked = service.receive(ActiveMq.SOON_MS);
            answering.createProducer(asked.getJMSReplyTo()).send(answering.createTextMessage("!"));
            assertThat(ActiveMq.text(answer)).isEqualTo("!");
        }
    }

    @Test
    void selectorsChooseAndBadOnesAreRefused() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("selected");
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 4; i++) {
            TextMessage message = session.createTextMessage(String.valueOf(i));
            message.setIntProperty("n", i);
            producer.send(message);
        }
        MessageConsumer odd = session.createConsumer(queue, "n IN (1, 3)".replace("IN (1, 3)", "= 1 OR n = 3"));
        assertThat(ActiveMq.text(odd)).isEqualTo("1");
        assertThat(ActiveMq.text(odd)).isEqualTo("3");
        assertThat(ActiveMq.text(odd, ActiveMq.A_WHILE_MS)).isNull();
        assertThatThrownBy(() -> session.createConsumer(queue, "n = = 1")).isInstanceOf(InvalidSelectorException.class);
        assertThat(ActiveMq.text(session.createConsumer(queue))).isEqualTo("0");
    }

    @Test
    void aBrowserShowsWhatWaitsAndTakesNothing() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("browsed");
        for (int i = 0; i < 1_200; i++) {
            ActiveMq.send(session, queue, String.valueOf(i));
        }
        assertThat(browsed(session.createBrowser(queue))).hasSize(1_200).startsWith("0", "1");
        assertThat(browsed(session.createBrowser(queue, "JMSPriority = 9"))).isEmpty();
        assertThat(browsed(session.createBrowser(session.createQueue("empty")))).isEmpty();
        assertThat(broker.next(queue)).isEqualTo("0");
    }

    private static List<String> browsed(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            texts.add(((TextMessage) messages.nextElement()).getText());
        }
        browser.close();
        return texts;
    }

    @Test
    void aDurableSubscriptionKeepsMessagesUntilItIsRemoved() throws JMSException {
        Session publisher = broker.session();
        Topic topic = publisher.createTopic("durable.topic");
        Connection first = named("subscriber");
        Session session = first.createSession();
        MessageConsumer active = session.createDurableSubscriber(topic, "name");
        assertThatThrownBy(() -> session.unsubscribe("name")).isInstanceOf(JMSException.class);
        active.close();
        first.close();

        MessageProducer producer = publisher.createProducer(topic);
        producer.send(publisher.createTextMessage("kept"));
        Connection second = named("subscriber");
        Session again = second.createSession();
        MessageConsumer consumer = again.createDurableSubscriber(topic, "name");
        assertThat(ActiveMq.text(consumer)).isEqualTo("kept");
        consumer.close();
        again.unsubscribe("name");
        producer.send(publisher.createTextMessage("gone"));
        assertThat(ActiveMq.text(again.createDurableSubscriber(topic, "name"), ActiveMq.A_WHILE_MS))
                .isNull();
        assertThatThrownBy(() -> again.unsubscribe("unknown")).isInstanceOf(InvalidDestinationException.class);
    }

    private Connection named(String clientId) throws JMSException {
        var factory = broker.factory();
        factory.setClientID(clientId);
        return broker.connect(factory);
    }

    @Test
    void noLocalLeavesOutWhatTheConnectionSends() throws JMSException {
        Session session = broker.session();
        Topic topic = session.createTopic("local");
        MessageConsumer consumer = session.createConsumer(topic, null, true);
        session.createProducer(topic).send(session.createTextMessage("mine"));
        Session other = broker.session();
        other.createProducer(topic).send(other.createTextMessage("theirs"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("theirs");
    }

    @Test
    void wildcardsMatchLevelsOfTopics() throws JMSException {
        Session session = broker.session();
        MessageConsumer one = session.createConsumer(session.createTopic("w.*.c"));
        MessageConsumer rest = session.createConsumer(session.createTopic("w.>"));
        for (String name : List.of("w.a.c", "w.a.d", "v.a.c")) {
            Topic topic = session.createTopic(name);
            session.createProducer(topic).send(session.createTextMessage(name));
        }
        Message got = one.receive(ActiveMq.SOON_MS);
        assertThat(got.getJMSDestination()).isEqualTo(session.createTopic("w.a.c"));
        assertThat(ActiveMq.text(one, ActiveMq.A_WHILE_MS)).isNull();
        assertThat(ActiveMq.text(rest)).isEqualTo("w.a.c");
        assertThat(ActiveMq.text(rest)).isEqualTo("w.a.d");
        assertThat(ActiveMq.text(rest, ActiveMq.A_WHILE_MS)).isNull();
    }

    @Test
    void compositeDestinationsAreSentToAndConsumedFromAsAWhole() throws JMSException {
        Session session = broker.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer topic = session.createConsumer(session.createTopic("c.three"));
        session.createProducer(session.createQueue("c.one,c.two,topic://c.three"))
                .send(session.createTextMessage("all"));
        assertThat(ActiveMq.text(topic)).isEqualTo("all");
        MessageConsumer both = session.createConsumer(session.createQueue("c.one,c.two"));
        assertThat(ActiveMq.text(both)).isEqualTo("all");
        Message second = both.receive(ActiveMq.SOON_MS);
        assertThat(second.getBody(String.class)).isEqualTo("all");
        second.acknowledge();
        session.close();
        assertThat(broker.next(broker.session().createQueue("c.one"))).isNull();
        assertThat(broker.next(broker.session().createQueue("c.two"))).isNull();
    }

    @Test
    void badDestinationsAreRefused() throws JMSException {
        Session session = broker.session();
        assertThatThrownBy(
                        () -> session.createProducer(session.createQueue("a.*")).send(session.createTextMessage("x")))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("wildcard");
    }

    @Test
    void aQueueIsDestroyedWithItsMessagesWhenNobodyUsesIt() throws JMSException {
        ActiveMQConnection connection = (ActiveMQConnection) broker.connect();
        Session session = connection.createSession();
        ActiveMQQueue queue = new ActiveMQQueue("orders");
        ActiveMq.send(session, queue, "1", "2");
        MessageConsumer elsewhere = broker.session().createConsumer(queue);
        assertThatThrownBy(() -> connection.destroyDestination(queue)).isInstanceOf(JMSException.class);
        assertThat(ActiveMq.text(elsewhere)).isEqualTo("1");
        elsewhere.close();
        // The client's close does not wait for the broker.
        await().untilAsserted(() ->
                assertThatCode(() -> connection.destroyDestination(queue)).doesNotThrowAnyException());
        assertThat(broker.next(queue)).isNull();
        assertThatThrownBy(() -> connection.destroyDestination(new ActiveMQTopic("news")))
                .isInstanceOf(JMSException.class);
        ActiveMq.send(session, queue, "goes on");
        assertThat(broker.next(queue)).isEqualTo("goes on");
    }
}
