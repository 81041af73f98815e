package dev.turnstone.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One started connection to a fake broker, and what tests do with it. */
final class FakeJms implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(5);
    private static final long NEVER_MS = 50;

    final FakeBroker broker = new FakeBroker();
    final Connection connection;

    FakeJms() throws JMSException {
        this("");
    }

    FakeJms(String parameters) throws JMSException {
        connection = broker.factory(parameters).createConnection();
        connection.start();
    }

    Session session(int mode) throws JMSException {
        return connection.createSession(mode);
    }

    static MessageConsumer consumer(Session session) throws JMSException {
        return session.createConsumer(session.createQueue("q"));
    }

    /** Sends persistent text messages to the queue q, outside of the given tests' sessions. */
    void send(String... texts) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    static String text(Message message) throws JMSException {
        return ((TextMessage) message).getText();
    }

    static List<String> receive(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = consumer.receive(SOON.toMillis());
            texts.add(message == null ? null : text(message));
        }
        return texts;
    }

    static Message nothing(MessageConsumer consumer) throws JMSException {
        return consumer.receive(NEVER_MS);
    }

    /** What the broker was told that starts with one of these words. */
    List<String> told(String... words) {
        return broker.commands.stream()
                .filter(command -> List.of(words).contains(command.split(" ")[0]))
                .toList();
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
