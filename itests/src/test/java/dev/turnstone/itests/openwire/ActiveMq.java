package dev.turnstone.itests.openwire;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker with an OpenWire listener, for each test a new one in a new folder, and ActiveMQ clients of it, which are
 * closed at the test's end.
 */
final class ActiveMq implements BeforeEachCallback, AfterEachCallback {
    static final String HOST = "127.0.0.1";
    /** How long to wait for what must come, milliseconds. */
    static final long SOON_MS = 20_000;
    /** How long to wait for what must not come. */
    static final long A_WHILE_MS = 200;

    private final Map<String, String> settings;
    private final UnaryOperator<BrokerSettings> limits;
    private final Deque<Connection> open = new ArrayDeque<>();
    private @Nullable Path data;
    private @Nullable EmbeddedBroker broker;
    private int port;

    /** With these settings of the listener. */
    ActiveMq(Map<String, String> settings) {
        this(settings, UnaryOperator.identity());
    }

    /** With these settings of the listener and of the broker. */
    ActiveMq(Map<String, String> settings, UnaryOperator<BrokerSettings> limits) {
        this.settings = settings;
        this.limits = limits;
    }

    ActiveMq() {
        this(Map.of());
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        data = Files.createTempDirectory("openwire");
        port = 0;
        start();
    }

    /** Starts it, on the same data and port as before. */
    void start() {
        EmbeddedBroker started = EmbeddedBroker.start(limits.apply(BrokerSettings.in(data())));
        broker = started;
        port = started.listen("openwire", HOST, port, settings).port();
    }

    /** Stops it in order. */
    void stop() {
        if (broker != null) {
            broker.close();
            broker = null;
        }
    }

    Path data() {
        if (data == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return data;
    }

    EmbeddedBroker broker() {
        if (broker == null) {
            throw new IllegalStateException("the broker is stopped");
        }
        return broker;
    }

    int port() {
        return port;
    }

    /** Clients that connect once. */
    ActiveMQConnectionFactory factory() {
        return factory("");
    }

    /** Clients that connect once, with these options of the URL. */
    ActiveMQConnectionFactory factory(String options) {
        return new ActiveMQConnectionFactory("tcp://" + HOST + ":" + port + options);
    }

    /** Clients that connect again. */
    ActiveMQConnectionFactory failover() {
        return new ActiveMQConnectionFactory("failover:(tcp://" + HOST + ":" + port
                + ")?initialReconnectDelay=20&maxReconnectDelay=200&randomize=false");
    }

    Connection connect(ActiveMQConnectionFactory factory) throws JMSException {
        Connection connection = factory.createConnection();
        open.push(connection);
        connection.start();
        return connection;
    }

    Connection connect() throws JMSException {
        return connect(factory());
    }

    Session session(int mode) throws JMSException {
        return connect().createSession(mode);
    }

    /** Acknowledges by itself. */
    Session session() throws JMSException {
        return session(Session.AUTO_ACKNOWLEDGE);
    }

    static void send(Session session, Queue queue, String... texts) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (String text : texts) {
            producer.send(session.createTextMessage(text));
        }
        producer.close();
    }

    /** The text of the next message, or null if none comes. */
    static @Nullable String text(MessageConsumer consumer, long waitMs) throws JMSException {
        Message message = consumer.receive(waitMs);
        return message == null ? null : message.getBody(String.class);
    }

    /** The text of the next message, which must come. */
    static @Nullable String text(MessageConsumer consumer) throws JMSException {
        return text(consumer, SOON_MS);
    }

    /** What is left in a queue, as another client sees it. */
    @Nullable
    String next(Queue queue) throws JMSException {
        try (Connection connection = factory().createConnection()) {
            connection.start();
            return text(connection.createSession().createConsumer(queue), A_WHILE_MS);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws JMSException, IOException {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        stop();
        try (Stream<Path> files = Files.walk(data())) {
            files.sorted(Comparator.reverseOrder()).forEach(ActiveMq::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
