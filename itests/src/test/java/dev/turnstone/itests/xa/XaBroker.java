package dev.turnstone.itests.xa;

import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An embedded broker in a folder, kept running by a connection, and what tests ask it outside of transactions. */
final class XaBroker implements AutoCloseable {
    static final long SOON_MS = 10_000;
    static final long NEVER_MS = 100;

    private final TurnstoneXAConnectionFactory factory;
    private Connection keeper;

    XaBroker(Path data) throws JMSException {
        this(data, "");
    }

    XaBroker(Path data, String parameters) throws JMSException {
        factory = new TurnstoneXAConnectionFactory("vm://?data=" + data + parameters);
        keeper = started();
    }

    private Connection started() throws JMSException {
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    TurnstoneXAConnectionFactory factory() {
        return factory;
    }

    XAConnection connect() throws JMSException {
        XAConnection connection = factory.createXAConnection();
        connection.start();
        return connection;
    }

    /** Ends the broker, whose other connections must be closed, and starts it again. */
    void restart() throws JMSException {
        keeper.close();
        keeper = started();
    }

    void send(String queue, String... texts) throws JMSException {
        try (Session session = keeper.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** Takes all that is in a queue; a star after those that are flagged as redelivered. */
    List<String> takeAll(String queue) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (Session session = keeper.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (Message next = consumer.receiveNoWait(); next != null; next = consumer.receiveNoWait()) {
                texts.add(((TextMessage) next).getText() + (next.getJMSRedelivered() ? "*" : ""));
            }
        }
        return texts;
    }

    @Override
    public void close() throws JMSException {
        keeper.close();
    }
}
