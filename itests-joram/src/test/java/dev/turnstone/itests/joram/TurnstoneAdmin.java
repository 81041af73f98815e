package dev.turnstone.itests.joram;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.Context;
import javax.naming.NamingException;
import org.objectweb.jtests.jms.admin.Admin;

/**
 * What the suite asks of a provider's administration: it makes one of these, by its name in provider.properties, for
 * each test. The broker itself is started once, by {@link JoramTest}.
 *
 * <p>Each creation of a destination gets a name that was never used, so that what a test left behind reaches no other.
 */
public final class TurnstoneAdmin implements Admin {
    static final String URL_PROPERTY = "joram.broker.url";

    private static final AtomicInteger CREATED = new AtomicInteger();

    private final Map<String, Object> names = new ConcurrentHashMap<>();
    private Connection connection;
    private Session session;

    private static TurnstoneConnectionFactory factory() {
        return new TurnstoneConnectionFactory(System.getProperty(URL_PROPERTY));
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
