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

/** What connection factories have in common. Any thread, once it is set up. */
abstract class AnyConnectionFactory
        implements QueueConnectionFactory, TopicConnectionFactory, Referenceable, Serializable {
    private static final long serialVersionUID = 1;

    /** The default embedded broker. */
    static final String DEFAULT_URL = "vm://";

    private volatile String url;
    private volatile @Nullable String userName;
    private volatile @Nullable String password;
    private volatile @Nullable String clientID;

    AnyConnectionFactory(String url) {
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

    /** Sets the client identifier of its connections, which then cannot set one; null for the URL's, or none. */
    public void setClientID(@Nullable String clientID) {
        this.clientID = clientID;
    }

    /** For a directory: {@link TurnstoneObjectFactory} makes an equal factory of it. */
    @Override
    public Reference getReference() {
        Reference reference = new Reference(getClass().getName(), TurnstoneObjectFactory.class.getName(), null);
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

    /** Who connects without naming a user. */
    ClientConnection.Credentials credentials() {
        return new ClientConnection.Credentials(userName, password);
    }

    /** Makes a connection of this factory's, and connects it. */
    <T extends ClientConnection> T open(Kind<T> kind, ClientConnection.Credentials credentials, Domain domain)
            throws JMSException {
        ConnectionSettings settings = ConnectionSettings.parse(url);
        T connection = kind.make(settings, credentials, domain);
        String ofFactory = clientID;
        connection.connect(ofFactory == null ? settings.clientId() : ofFactory);
        return connection;
    }

    /** The constructor of a kind of connection. */
    @FunctionalInterface
    interface Kind<T extends ClientConnection> {
        T make(ConnectionSettings settings, ClientConnection.Credentials credentials, Domain domain);
    }

    static ClientConnection.Credentials of(@Nullable String user, @Nullable String secret) {
        return new ClientConnection.Credentials(user, secret);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return open(ClientConnection::new, credentials(), Domain.COMMON);
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String secret) throws JMSException {
        return open(ClientConnection::new, of(user, secret), Domain.COMMON);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return open(ClientConnection::new, credentials(), Domain.QUEUE);
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String secret) throws JMSException {
        return open(ClientConnection::new, of(user, secret), Domain.QUEUE);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return open(ClientConnection::new, credentials(), Domain.TOPIC);
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String secret) throws JMSException {
        return open(ClientConnection::new, of(user, secret), Domain.TOPIC);
    }

    @Override
    public JMSContext createContext() {
        return context(credentials(), JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String secret) {
        return context(of(user, secret), JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String secret, int sessionMode) {
        return context(of(user, secret), sessionMode);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return context(credentials(), sessionMode);
    }

    private JMSContext context(ClientConnection.Credentials credentials, int sessionMode) {
        return Unchecked.get(() -> {
            ClientConnection.checkedMode(sessionMode);
            return new ClientContext(
                    new SharedConnection(open(ClientConnection::new, credentials, Domain.COMMON)), sessionMode);
        });
    }
}
