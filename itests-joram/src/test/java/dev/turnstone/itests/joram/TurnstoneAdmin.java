package dev.turnstone.itests.joram;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.naming.Context;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.objectweb.jtests.jms.admin.Admin;

/**
 * What the suite asks of a provider's administration: it makes one of these, by its name in provider.properties, for
 * each test. The broker itself is started once, by the test that runs the suite.
 *
 * <p>Each creation of a destination gets a name that was never used, so that what a test left behind reaches no other.
 */
public final class TurnstoneAdmin implements Admin {
    private static final AtomicInteger CREATED = new AtomicInteger();

    private static volatile @Nullable Supplier<ConnectionFactory> factories;

    private final Map<String, Object> names = new ConcurrentHashMap<>();
    private Connection connection;
    private Session session;

    /** From now on the suite gets connection factories from here. */
    static void gives(Supplier<ConnectionFactory> given) {
        factories = given;
    }

    private static ConnectionFactory factory() {
        Supplier<ConnectionFactory> given = factories;
        if (given == null) {
            throw new IllegalStateException("no broker was started");
        }
        return given.get();
    }

    private void create(String name, Creation creation) {
        try {
            names.put(name, creation.of(name + "." + CREATED.incrementAndGet()));
        } catch (JMSException e) {
            throw new IllegalStateException("no destination for " + name, e);
        }
    }

    private interface Creation {
        Destination of(String name) throws JMSException;
    }

    @Override
    public String getName() {
        return "Turnstone";
    }

    @Override
    public Context createContext() throws NamingException {
        return new Directory(names);
    }

    @Override
    public void createConnectionFactory(String name) {
        names.put(name, factory());
    }

    @Override
    public void createQueueConnectionFactory(String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createTopicConnectionFactory(String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createQueue(String name) {
        create(name, session::createQueue);
    }

    @Override
    public void createTopic(String name) {
        create(name, session::createTopic);
    }

    @Override
    public void deleteConnectionFactory(String name) {
        names.remove(name);
    }

    @Override
    public void deleteQueueConnectionFactory(String name) {
        names.remove(name);
    }

    @Override
    public void deleteTopicConnectionFactory(String name) {
        names.remove(name);
    }

    @Override
    public void deleteQueue(String name) {
        names.remove(name);
    }

    @Override
    public void deleteTopic(String name) {
        names.remove(name);
    }

    /** The broker runs already. */
    @Override
    public void startServer() {}

    /** The broker goes on for the next test. */
    @Override
    public void stopServer() {}

    @Override
    public void start() throws JMSException {
        connection = factory().createConnection();
        session = connection.createSession();
    }

    @Override
    public void stop() throws JMSException {
        names.clear();
        connection.close();
    }
}
