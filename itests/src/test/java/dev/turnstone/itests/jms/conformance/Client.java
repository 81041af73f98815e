package dev.turnstone.itests.jms.conformance;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;

/**
 * A client library under test.
 *
 * @param name what reports call it
 * @param factory makes connections to one broker, which outlives each of them; it must not have a client identifier
 */
record Client(String name, ConnectionFactory factory) {
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
