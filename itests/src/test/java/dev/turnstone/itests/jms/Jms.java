package dev.turnstone.itests.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What tests of the API do again and again. */
final class Jms {
    static final long SOON_MS = 10_000;
    static final long NEVER_MS = 200;

    private Jms() {}

    static Connection started(ConnectionFactory factory) throws JMSException {
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    static MessageConsumer consumer(Session session, String queue) throws JMSException {
        return session.createConsumer(session.createQueue(queue));
    }

    static MessageProducer producer(Session session, String queue) throws JMSException {
        return session.createProducer(session.createQueue(queue));
    }

    /** Text messages of the numbers, over a connection of its own. */
    static void send(ConnectionFactory factory, String queue, int first, int last) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession();
            send(session, session.createQueue(queue), first, last);
        }
    }

    static void send(Session session, Destination to, int first, int last) throws JMSException {
        MessageProducer producer = session.createProducer(to);
        for (int i = first; i <= last; i++) {
            producer.send(session.createTextMessage("" + i));
        }
        producer.close();
    }

    static String text(Message message) throws JMSException {
        return message == null ? "nothing" : ((TextMessage) message).getText();
    }

    static String next(MessageConsumer consumer) throws JMSException {
        return text(consumer.receive(SOON_MS));
    }

    static List<String> next(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(next(consumer));
        }
        return texts;
    }

    static Message nothing(MessageConsumer consumer) throws JMSException {
        return consumer.receive(NEVER_MS);
    }

    static List<String> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(Integer::toString).toList();
    }
}
