package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §4.1.7 and §4.2.10: the API's own helpers for requests. */
@EveryClient
final class RequestorTest {
    @RegisterExtension
    final Messaging jms;

    RequestorTest(Client client) {
        jms = new Messaging(client);
    }

    /** Answers every request to the destination with its text after "re: ". */
    private void serve(Destination requests) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(null);
        session.createConsumer(requests).setMessageListener(request -> {
            try {
                producer.send(request.getJMSReplyTo(), session.createTextMessage("re: " + Messaging.textOf(request)));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void aRequestToAQueueIsAnswered() throws JMSException {
        var queue = jms.queue();
        serve(queue);
        QueueConnection connection = jms.closing(jms.client().queueFactory().createQueueConnection());
        connection.start();
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueRequestor requestor = new QueueRequestor(session, queue);
        for (String text : new String[] {"one", "two"}) {
            Message reply = requestor.request(session.createTextMessage(text));
            assertThat(((TextMessage) reply).getText()).isEqualTo("re: " + text);
        }
        requestor.close();
        // Closing the requestor closes its session.
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(session::createTextMessage);
    }

    @Test
    void aRequestToATopicIsAnswered() throws JMSException {
        var topic = jms.topic();
        serve(topic);
        TopicConnection connection = jms.closing(jms.client().topicFactory().createTopicConnection());
        connection.start();
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicRequestor requestor = new TopicRequestor(session, topic);
        Message reply = requestor.request(session.createTextMessage("one"));
        assertThat(((TextMessage) reply).getText()).isEqualTo("re: one");
        requestor.close();
    }

    @Test
    void aMissingDestinationIsRefused() throws JMSException {
        QueueSession queues = jms.closing(jms.client().queueFactory().createQueueConnection())
                .createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> new QueueRequestor(queues, null));
        TopicSession topics = jms.closing(jms.client().topicFactory().createTopicConnection())
                .createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> new TopicRequestor(topics, null));
    }
}
