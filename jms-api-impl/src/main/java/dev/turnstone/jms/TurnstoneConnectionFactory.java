package dev.turnstone.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections to the broker that its URL names, such as {@code vm://?data=./data}, which starts one in this JVM.
 * The scheme chooses the connector; the URL's parameters {@code prefetch} (1 to 1 000 000, default 1 000) and
 * {@code ack.sync} (default true) and {@code object.allow} (the classes that object messages may bring, such as
 * {@code com.acme.**,java.util.ArrayList}; default none) are this side's, all others are the connector's. Any thread,
 * once it is set up. A directory can hold one as a {@link Reference}; that, and its serialised form, hold the password
 * in clear.
 */
public final class TurnstoneConnectionFactory
        implements QueueConnectionFactory, TopicConnectionFactory, Referenceable, Serializable {
    private static final long serialVersionUID = 1;

    private static final String DEFAULT_URL = "vm://";

    private volatile String url;
    private volatile @Nullable String userName;
    private volatile @Nullable String password;
    private volatile @Nullable String clientID;

    /** A factory for the default embedded broker, {@code vm://}, until a URL is set. */
    public TurnstoneConnectionFactory() {
        this(DEFAULT_URL);
    }

    /** A factory for the broker with this URL, which is checked when a connection is made. */
    public TurnstoneConnectionFactory(String url) {
        this.url = url;
    }

    /** Sets the broker's URL. */
    public void setUrl(String url) {
        this.url = url;
    }

    /** Sets the user for connections that are made without one; null for anonymous. */
    public void setUserName(@Nullable String userName) {
        this.userName = userName;
    }

    /** Sets the password for connections that are made without a user. */
    public void setPassword(@Nullable String password) {
        this.password = password;
    }

    /** Sets the client identifier of its connections, which then cannot set one; null for none. */
    public void setClientID(@Nullable String clientID) {
        this.clientID = clientID;
    }

    /** For a directory: {@link TurnstoneObjectFactory} makes an equal factory of it. */
    @Override
    public Reference getReference() {
        Reference reference =
                new Reference(TurnstoneConnectionFactory.class.getName(), TurnstoneObjectFactory.class.getName(), null);
        reference.add(new StringRefAddr(TurnstoneObjectFactory.URL, url));
        add(reference, TurnstoneObjectFactory.USER_NAME, userName);
        add(reference, TurnstoneObjectFactory.PASSWORD, password);
        add(reference, TurnstoneObjectFactory.CLIENT_ID, clientID);
        return reference;
    }

    private static void add(Reference reference, String type, @Nullable String value) {
        if (value != null) {
            reference.add(new StringRefAddr(type, value));
        }
    }

    private ClientConnection open(@Nullable String user, @Nullable String secret, Domain domain) throws JMSException {
        ClientConnection.Credentials credentials = new ClientConnection.Credentials(user, secret);
        return ClientConnection.open(ConnectionSettings.parse(url), credentials, clientID, domain);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return open(userName, password, Domain.COMMON);
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String secret) throws JMSException {
        return open(user, secret, Domain.COMMON);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return open(userName, password, Domain.QUEUE);
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String secret) throws JMSException {
        return open(user, secret, Domain.QUEUE);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return open(userName, password, Domain.TOPIC);
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String secret) throws JMSException {
        return open(user, secret, Domain.TOPIC);
    }

    @Override
    public JMSContext createContext() {
        return context(userName, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String secret) {
        return context(user, secret, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String secret, int sessionMode) {
        return context(user, secret, sessionMode);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return context(userName, password, sessionMode);
    }

    private JMSContext context(@Nullable String user, @Nullable String secret, int sessionMode) {
        return Unchecked.get(() -> {
            ClientConnection.checkedMode(sessionMode);
            return new ClientContext(new SharedConnection(open(user, secret, Domain.COMMON)), sessionMode);
        });
    }
}
