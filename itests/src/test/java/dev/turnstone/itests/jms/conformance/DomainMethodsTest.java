package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §9.2 and the domain-specific APIs for queues and topics. */
@EveryClient
final class DomainMethodsTest {
    @RegisterExtension
    final Messaging jms;

    private QueueConnection queueConnection;
    private QueueSession queueSession;
    private TopicConnection topicConnection;
    private TopicSession topicSession;
    private Queue queue;
    private Topic topic;

    DomainMethodsTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        queueConnection = jms.closing(jms.client().queueFactory().createQueueConnection());
        topicConnection = jms.closing(jms.client().topicFactory().createTopicConnection());
        queueConnection.start();
        topicConnection.start();
        queueSession = queueConnection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        topicSession = topicConnection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        queue = jms.queue();
        topic = jms.topic();
    }

    private static void assertIllegal(List<ThrowingCallable> calls) {
        calls.forEach(
                call -> assertThatExceptionOfType(IllegalStateException.class).isThrownBy(call));
    }

    @Test
    void aQueueSessionHasNoTopics() {
        assertIllegal(List.of(
                () -> queueSession.createDurableSubscriber(topic, "s"),
                () -> queueSession.createDurableSubscriber(topic, "s", "n = 1", false),
                () -> queueSession.createDurableConsumer(topic, "s"),
                () -> queueSession.createDurableConsumer(topic, "s", "n = 1", false),
                () -> queueSession.createSharedConsumer(topic, "s"),
                () -> queueSession.createSharedConsumer(topic, "s", "n = 1"),
                () -> queueSession.createSharedDurableConsumer(topic, "s"),
                () -> queueSession.createSharedDurableConsumer(topic, "s", "n = 1"),
                queueSession::createTemporaryTopic,
                () -> queueSession.createTopic("t"),
                () -> queueSession.unsubscribe("s")));
    }

    @Test
    void aTopicSessionHasNoQueues() {
        assertIllegal(List.of(
                () -> topicSession.createBrowser(queue),
                () -> topicSession.createBrowser(queue, "n = 1"),
                () -> topicSession.createQueue("q"),
                topicSession::createTemporaryQueue));
    }

    @Test
    void aQueueConnectionHasNoSubscriptions() {
        assertIllegal(List.of(
                () -> queueConnection.createDurableConnectionConsumer(topic, "s", null, () -> null, 1),
                () -> queueConnection.createSharedConnectionConsumer(topic, "s", null, () -> null, 1),
                () -> queueConnection.createSharedDurableConnectionConsumer(topic, "s", null, () -> null, 1)));
    }

    @Test
    void senderAndReceiverExchangeMessages() throws JMSException {
        QueueSender sender = queueSession.createSender(queue);
        QueueReceiver receiver = queueSession.createReceiver(queue, "n IS NULL");
        assertThat(sender.getQueue()).isEqualTo(queue);
        assertThat(receiver.getQueue()).isEqualTo(queue);
        assertThat(receiver.getMessageSelector()).isEqualTo("n IS NULL");
        sender.send(queueSession.createTextMessage("1"));
        sender.send(queueSession.createTextMessage("2"), 1, 4, 0);
        QueueSender anonymous = queueSession.createSender(null);
        anonymous.send(queue, queueSession.createTextMessage("3"));
        anonymous.send(queue, queueSession.createTextMessage("4"), 1, 4, 0);
        assertThat(Messaging.receiveTexts(receiver, 4)).containsExactly("1", "2", "3", "4");
        sender.close();
        receiver.close();
        assertIllegal(List.of(sender::getQueue, receiver::getQueue));
    }

    @Test
    void publisherAndSubscriberExchangeMessages() throws JMSException {
        TopicPublisher publisher = topicSession.createPublisher(topic);
        TopicSubscriber subscriber = topicSession.createSubscriber(topic);
        TopicSubscriber noLocal = topicSession.createSubscriber(topic, "n = 1", true);
        assertThat(publisher.getTopic()).isEqualTo(topic);
        assertThat(subscriber.getTopic()).isEqualTo(topic);
        assertThat(subscriber.getNoLocal()).isFalse();
        assertThat(noLocal.getNoLocal()).isTrue();
        assertThat(noLocal.getMessageSelector()).isEqualTo("n = 1");
        publisher.publish(topicSession.createTextMessage("1"));
        publisher.publish(topicSession.createTextMessage("2"), 1, 4, 0);
        publisher.send(topicSession.createTextMessage("3"));
        TopicPublisher anonymous = topicSession.createPublisher(null);
        anonymous.publish(topic, topicSession.createTextMessage("4"));
        anonymous.publish(topic, topicSession.createTextMessage("5"), 1, 4, 0);
        assertThat(Messaging.receiveTexts(subscriber, 5)).containsExactly("1", "2", "3", "4", "5");
        publisher.close();
        subscriber.close();
        assertIllegal(List.of(publisher::getTopic, subscriber::getTopic, subscriber::getNoLocal));
    }

    @Test
    void closedSessionsRefuseTheirOwnMethods() throws JMSException {
        queueSession.close();
        topicSession.close();
        assertIllegal(List.of(
                () -> queueSession.createSender(queue),
                () -> queueSession.createReceiver(queue),
                () -> queueSession.createReceiver(queue, "n = 1"),
                () -> topicSession.createPublisher(topic),
                () -> topicSession.createSubscriber(topic),
                () -> topicSession.createSubscriber(topic, "n = 1", false)));
        queueConnection.close();
        topicConnection.close();
        assertIllegal(List.of(
                () -> queueConnection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE),
                () -> topicConnection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE)));
    }

    @Test
    void missingDestinationsAndBadSelectorsAreRefused() {
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> queueSession.createReceiver(null));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> topicSession.createSubscriber(null));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> queueSession.createReceiver(queue, "n ="));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> topicSession.createSubscriber(topic, "n =", false));
    }

    @Test
    void theUnifiedMethodsWorkInEachDomain() throws JMSException {
        queueSession.createProducer(queue).send(queueSession.createTextMessage("1"));
        assertThat(receiveText(queueSession.createConsumer(queue))).isEqualTo("1");
        var subscriber = topicSession.createConsumer(topic);
        topicSession.createProducer(topic).send(topicSession.createTextMessage("2"));
        assertThat(receiveText(subscriber)).isEqualTo("2");
    }
}
