package dev.turnstone.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes connection factories and destinations of the {@link Reference}s that a directory holds of them. A directory
 * names this class in the reference and makes it itself. Any thread.
 */
public final class TurnstoneObjectFactory implements ObjectFactory {
    static final String NAME = "name";
    static final String URL = "url";
    static final String USER_NAME = "userName";
    static final String PASSWORD = "password";
    static final String CLIENT_ID = "clientID";

    /** For a directory. */
    public TurnstoneObjectFactory() {}

    /**
     * The object of this reference, or null if it is none of ours.
     *
     * @throws NamingException if the reference is ours and has lost its name or URL, or names no destination
     */
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object object,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        if (!(object instanceof Reference reference)) {
            return null;
        }
        try {
            String type = reference.getClassName();
            if (type.equals(TurnstoneConnectionFactory.class.getName())) {
                return filled(new TurnstoneConnectionFactory(needed(reference, URL)), reference);
            } else if (type.equals(TurnstoneXAConnectionFactory.class.getName())) {
                return filled(new TurnstoneXAConnectionFactory(needed(reference, URL)), reference);
            } else if (type.equals(Queue.class.getName())) {
                return TurnstoneDestination.queue(needed(reference, NAME));
            } else if (type.equals(Topic.class.getName())) {
                return TurnstoneDestination.topic(needed(reference, NAME));
            }
            return null;
        } catch (JMSException e) {
            throw because(e.getMessage(), e);
        }
    }

    private static AnyConnectionFactory filled(AnyConnectionFactory factory, Reference reference) {
        factory.setUserName(content(reference, USER_NAME));
        factory.setPassword(content(reference, PASSWORD));
        factory.setClientID(content(reference, CLIENT_ID));
        return factory;
    }

    private static String needed(Reference reference, String type) throws NamingException {
        String content = content(reference, type);
        if (content == null) {
            throw new NamingException("a reference to a " + reference.getClassName() + " has no '" + type + "'");
        }
        return content;
    }

    private static @Nullable String content(Reference reference, String type) {
        RefAddr address = reference.get(type);
        return address == null ? null : (String) address.getContent();
    }

    static NamingException because(String text, Exception cause) {
        NamingException exception = new NamingException(text);
        exception.setRootCause(cause);
        return exception;
    }
}
