package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What one test has open, and closes at its end; destinations that no other test uses. */
final class Messaging implements AfterEachCallback {
    /** How long to wait for what must come. */
    static final long SOON_MS = 10_000;

    /** How long to wait for what must not come. */
    static final long A_WHILE_MS = 150;

    private static final AtomicInteger USED = new AtomicInteger();

    private final Client client;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable Session names;

    Messaging(Client client) {
        this.client = client;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    Client client() {
        return client;
    }

    /** Closes it at the end of the test. */
    <T extends AutoCloseable> T closing(T closeable) {
        open.push(closeable);
        return closeable;
    }

    /** Neither started nor used yet. */
    Connection connection() throws JMSException {
        return closing(client.factory().createConnection());
    }

    Connection started() throws JMSException {
        Connection connection = connection();
        connection.start();
        return connection;
    }

    /** Started, with this client identifier. */
    Connection named(String clientId) throws JMSException {
        Connection connection = connection();
        connection.setClientID(clientId);
        connection.start();
        return connection;
    }

    /** On a started connection of its own. */
    Session session(int mode) throws JMSException {
        return started().createSession(mode);
    }

    /** That acknowledges by itself, on a started connection of its own. */
    Session session() throws JMSException {
        return session(Session.AUTO_ACKNOWLEDGE);
    }

    /** On a connection of its own. */
    JMSContext context(int mode) {
        return closing(client.factory().createContext(mode));
    }

    /** That acknowledges by itself. */
    JMSContext context() {
        return context(JMSContext.AUTO_ACKNOWLEDGE);
    }

    /** A name that is not used otherwise: of a destination, a subscription or a client. */
    static String unused(String what) {
        return what + "-" + USED.incrementAndGet();
    }

    Queue queue() throws JMSException {
        return names().createQueue(unused("conformance.queue"));
    }

    Topic topic() throws JMSException {
        return names().createTopic(unused("conformance.topic"));
    }

    private Session names() throws JMSException {
        Session known = names;
        if (known == null) {
            known = connection().createSession();
            names = known;
        }
        return known;
    }

    /** Sends text messages, one after another. */
    static void send(Session session, Destination destination, String... texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(destination)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** Sends a message from a session and connection of its own and gives what a receiver of its own gets. */
    <M extends Message> M exchanged(M message, Class<M> type) throws JMSException {
        Queue queue = queue();
        try (Connection sending = client.factory().createConnection();
                Session session = sending.createSession();
                MessageProducer producer = session.createProducer(queue)) {
            producer.send(message);
        }
        return type.cast(receive(session().createConsumer(queue)));
    }

    /** The next message, which must come. */
    static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(SOON_MS);
        assertThat(message).as("a message").isNotNull();
        return message;
    }

    /** The text of the next message, which must come. */
    static String receiveText(MessageConsumer consumer) throws JMSException {
        return textOf(receive(consumer));
    }

    /** The texts of the next messages, which must come. */
    static List<String> receiveTexts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(receiveText(consumer));
        }
        return texts;
    }

    static String textOf(Message message) throws JMSException {
        assertThat(message).isInstanceOf(TextMessage.class);
        return ((TextMessage) message).getText();
    }

    static void assertNothingFor(MessageConsumer consumer) throws JMSException {
        assertThat(consumer.receive(A_WHILE_MS)).as("no message").isNull();
    }

    /** Takes what a queue has to give at this moment, and says which texts that was. */
    List<String> remaining(Queue queue) throws JMSException {
        try (Connection connection = client.factory().createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(client.asking(session, queue))) {
            connection.start();
            return remainingFor(consumer);
        }
    }

    /** Takes what a consumer is given without waiting, and says which texts that was. */
    static List<String> remainingFor(MessageConsumer consumer) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
            texts.add(textOf(message));
        }
        return texts;
    }

    /** The texts that a new browser shows. */
    static List<String> browse(Session session, Queue queue, @Nullable String selector) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (QueueBrowser browser = session.createBrowser(queue, selector)) {
            for (Object message : elements(browser.getEnumeration())) {
                texts.add(textOf((Message) message));
            }
        }
        return texts;
    }

    /** All that an enumeration of the API, which has no type, still has. */
    static List<Object> elements(Enumeration<?> enumeration) {
        List<Object> elements = new ArrayList<>();
        while (enumeration.hasMoreElements()) {
            elements.add(enumeration.nextElement());
        }
        return elements;
    }
}
