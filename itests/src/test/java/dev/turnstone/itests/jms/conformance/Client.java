package dev.turnstone.itests.jms.conformance;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TopicConnectionFactory;

/**
 * A client library under test.
 *
 * @param name what reports call it
 * @param factory makes connections to one broker, which outlives each of them; it must not have a client identifier
 * @param asking what to put behind a queue's name, so that {@code receiveNoWait} asks the broker and not only looks at
 *     what has been prefetched
 */
record Client(String name, ConnectionFactory factory, String asking) {
    /** Whose {@code receiveNoWait} asks the broker. */
    Client(String name, ConnectionFactory factory) {
        this(name, factory, "");
    }

    /** The queue as a consumer names it whose {@code receiveNoWait} is to see all that is there. */
    Queue asking(Session session, Queue queue) throws JMSException {
        return asking.isEmpty() ? queue : session.createQueue(queue.getQueueName() + asking);
    }

    QueueConnectionFactory queueFactory() {
        return (QueueConnectionFactory) factory;
    }

    TopicConnectionFactory topicFactory() {
        return (TopicConnectionFactory) factory;
    }

    @Override
    public String toString() {
        return name;
    }
}
