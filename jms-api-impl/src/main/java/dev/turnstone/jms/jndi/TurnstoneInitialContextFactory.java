package dev.turnstone.jms.jndi;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.jms.TurnstoneDestination;
import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import jakarta.jms.JMSException;
import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the directory that an environment, such as a {@code jndi.properties}, describes:
 *
 * <ul>
 *   <li>{@code connectionfactory.NAME = URL} a connection factory under NAME, with the user
 *       {@code java.naming.security.principal} and the password {@code java.naming.security.credentials}, if given;
 *   <li>{@code xaconnectionfactory.NAME = URL} the same for global transactions;
 *   <li>{@code queue.NAME = QUEUE} and {@code topic.NAME = TOPIC} a destination under NAME.
 * </ul>
 *
 * A NAME may have several levels, separated by slashes. All other settings of the environment are left alone. Any
 * thread.
 */
@SuppressWarnings("JdkObsolete") // the API wants a Hashtable
public final class TurnstoneInitialContextFactory implements InitialContextFactory {
    private static final String XA_FACTORY = "xaconnectionfactory.";
    private static final String FACTORY = "connectionfactory.";
    private static final String QUEUE = "queue.";
    private static final String TOPIC = "topic.";

    /** For JNDI, which finds this class by {@code java.naming.factory.initial}. */
    public TurnstoneInitialContextFactory() {}

    /**
     * The directory; nothing is connected.
     *
     * @throws ConfigurationException if a setting names no destination, or one name stands for two things
     */
    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Hashtable<?, ?> given = environment == null ? new Hashtable<>() : environment;
        Map<String, Object> bound = new TreeMap<>();
        for (Map.Entry<?, ?> setting : given.entrySet()) {
            if (setting.getKey() instanceof String key && setting.getValue() instanceof String value) {
                bind(bound, key, value.strip(), given);
            }
        }
        return new PropertiesContext(bound, given);
    }

    private static void bind(Map<String, Object> bound, String key, String value, Hashtable<?, ?> environment)
            throws ConfigurationException {
        try {
            if (key.startsWith(FACTORY)) {
                bind(bound, key, FACTORY, factory(value, environment));
            } else if (key.startsWith(XA_FACTORY)) {
                bind(bound, key, XA_FACTORY, xaFactory(value, environment));
            } else if (key.startsWith(QUEUE)) {
                bind(bound, key, QUEUE, TurnstoneDestination.queue(value));
            } else if (key.startsWith(TOPIC)) {
                bind(bound, key, TOPIC, TurnstoneDestination.topic(value));
            }
        } catch (JMSException e) {
            ConfigurationException refused = new ConfigurationException(key + ": " + e.getMessage());
            refused.setRootCause(e);
            throw refused;
        }
    }

    private static void bind(Map<String, Object> bound, String key, String kind, Object object)
            throws ConfigurationException {
        String name = key.substring(kind.length());
        if (name.isEmpty()) {
            throw new ConfigurationException(key + " has no name after the dot");
        } else if (bound.put(name, object) != null) {
            throw new ConfigurationException("the name '" + name + "' of " + key + " stands for something else too");
        }
    }

    private static TurnstoneConnectionFactory factory(String url, Hashtable<?, ?> environment) {
        TurnstoneConnectionFactory factory = new TurnstoneConnectionFactory(url);
        factory.setUserName(text(environment, Context.SECURITY_PRINCIPAL));
        factory.setPassword(text(environment, Context.SECURITY_CREDENTIALS));
        return factory;
    }

    private static TurnstoneXAConnectionFactory xaFactory(String url, Hashtable<?, ?> environment) {
        TurnstoneXAConnectionFactory factory = new TurnstoneXAConnectionFactory(url);
        factory.setUserName(text(environment, Context.SECURITY_PRINCIPAL));
        factory.setPassword(text(environment, Context.SECURITY_CREDENTIALS));
        return factory;
    }

    private static @Nullable String text(Hashtable<?, ?> environment, String key) {
        return environment.get(key) instanceof String text ? text : null;
    }
}
