package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §6.2.2, §4.1.5 and §4.2.7: temporary destinations. */
@EveryClient
final class TemporaryDestinationTest {
    @RegisterExtension
    final Messaging jms;

    private Connection connection;
    private Session session;

    TemporaryDestinationTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        connection = jms.started();
        session = connection.createSession();
    }

    @Test
    void eachIsUnique() throws JMSException {
        assertThat(session.createTemporaryQueue().getQueueName())
                .isNotEmpty()
                .isNotEqualTo(session.createTemporaryQueue().getQueueName());
        assertThat(session.createTemporaryTopic().getTopicName())
                .isNotEmpty()
                .isNotEqualTo(session.createTemporaryTopic().getTopicName());
    }

    @Test
    void anotherConnectionRepliesToIt() throws JMSException {
        Queue requests = jms.queue();
        TemporaryQueue replies = session.createTemporaryQueue();
        Message request = session.createTextMessage("ping");
        request.setJMSReplyTo(replies);
        session.createProducer(requests).send(request);

        Session server = jms.session();
        Message received = Messaging.receive(server.createConsumer(requests));
        server.createProducer(null).send(received.getJMSReplyTo(), server.createTextMessage("pong"));
        assertThat(receiveText(session.createConsumer(replies))).isEqualTo("pong");
    }

    @Test
    void everySessionOfItsConnectionMayConsume() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        Session second = connection.createSession();
        session.close();
        MessageConsumer fromQueue = second.createConsumer(queue);
        MessageConsumer fromTopic = second.createConsumer(topic);
        send(second, queue, "queue");
        send(second, topic, "topic");
        assertThat(receiveText(fromQueue)).isEqualTo("queue");
        assertThat(receiveText(fromTopic)).isEqualTo("topic");
    }

    @Test
    void noOtherConnectionMayConsume() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        Session other = jms.session();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> other.createConsumer(queue));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> other.createConsumer(topic));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> other.createConsumer(queue, "n = 1"));
    }

    @Test
    void deletingWhileItHasAConsumerIsRefused() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer fromQueue = session.createConsumer(queue);
        MessageConsumer fromTopic = session.createConsumer(topic);
        assertThatExceptionOfType(JMSException.class).isThrownBy(queue::delete);
        assertThatExceptionOfType(JMSException.class).isThrownBy(topic::delete);
        send(session, queue, "still there");
        assertThat(receiveText(fromQueue)).isEqualTo("still there");
        fromQueue.close();
        fromTopic.close();
        queue.delete();
        topic.delete();
    }

    @Test
    void aDeletedOneIsGone() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        queue.delete();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> send(session, queue, "lost"));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createConsumer(queue));
    }

    @Test
    void itIsDeletedWithItsConnectionEvenWithOpenConsumers() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        session.createConsumer(queue);
        Session other = jms.session();
        send(other, queue, "while it lives");
        connection.close();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> send(other, queue, "afterwards"));
    }

    @Test
    void aTemporaryTopicHasNoDurableSubscription() throws JMSException {
        Session named = jms.named(Messaging.unused("client")).createSession();
        TemporaryTopic topic = named.createTemporaryTopic();
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> named.createDurableConsumer(topic, Messaging.unused("subscription")));
    }
}
