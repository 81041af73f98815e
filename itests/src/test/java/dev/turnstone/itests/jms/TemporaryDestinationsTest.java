package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Temporary destinations and whose they are (Jakarta Messaging 3.1 §6.2.2). */
@ExtendWith(FreshBroker.class)
final class TemporaryDestinationsTest {
    @Test
    void aReplyGoesToTheQueueThatTheRequestNames(ConnectionFactory factory) throws JMSException {
        try (Connection asking = started(factory);
                Connection answering = started(factory)) {
            Session asks = asking.createSession();
            TemporaryQueue replies = asks.createTemporaryQueue();
            MessageConsumer hears = asks.createConsumer(replies);
            Message request = asks.createTextMessage("question");
            request.setJMSReplyTo(replies);
            Jms.producer(asks, "requests").send(request);
            Session answers = answering.createSession();
            Message received = Jms.consumer(answers, "requests").receive(SOON_MS);
            answers.createProducer(received.getJMSReplyTo()).send(answers.createTextMessage("answer"));
            assertThat(next(hears)).isEqualTo("answer");
        }
    }

    @Test
    void aTemporaryTopicIsForTheConsumersOfItsConnection(ConnectionFactory factory) throws JMSException {
        try (Connection mine = started(factory);
                Connection other = started(factory)) {
            Session session = mine.createSession();
            TemporaryTopic topic = session.createTemporaryTopic();
            MessageConsumer consumer = session.createConsumer(topic);
            Jms.send(other.createSession(), topic, 1, 2);
            assertThat(next(consumer, 2)).containsExactly("1", "2");
            assertThatThrownBy(() -> other.createSession().createConsumer(topic))
                    .isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "s"))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void aTemporaryQueueOfAnotherConnectionCannotBeConsumed(ConnectionFactory factory) throws JMSException {
        try (Connection mine = started(factory);
                Connection other = started(factory)) {
            TemporaryQueue queue = mine.createSession().createTemporaryQueue();
            assertThatThrownBy(() -> other.createSession().createConsumer(queue))
                    .isInstanceOf(JMSException.class);
        }
    }

    @Test
    void itCannotBeDeletedUnderItsConsumerAndAfterwardsNobodySendsToIt(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session made = connection.createSession();
            TemporaryQueue queue = made.createTemporaryQueue();
            made.close();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(queue);
            assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
            consumer.close();
            queue.delete();
            assertRefused(session, queue);
            assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(InvalidDestinationException.class);
        }
    }

    private static void assertRefused(Session session, Destination destination) throws JMSException {
        assertThatThrownBy(() -> session.createProducer(destination).send(session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void itEndsWithItsConnectionEvenIfThatHasConsumers(ConnectionFactory factory) throws JMSException {
        try (Connection staying = started(factory)) {
            Connection going = started(factory);
            Session session = going.createSession();
            TemporaryQueue queue = session.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(queue);
            Jms.send(staying.createSession(), queue, 1, 1);
            assertThat(next(consumer)).isEqualTo("1");
            going.close();
            assertRefused(staying.createSession(), queue);
            assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
        }
    }
}
