package dev.turnstone.jms;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import javax.naming.Reference;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections whose XA sessions work for global transactions, to the broker that its URL names; the URL is that
 * of {@link TurnstoneConnectionFactory}, and connections that are not asked for as XA are plain ones. It is for
 * transaction managers and application servers; applications in plain Java have it easier with the module {@code xa}.
 * Any thread, once it is set up. A directory can hold one as a {@link Reference}; that, and its serialised form, hold
 * the password in clear.
 */
public final class TurnstoneXAConnectionFactory extends AnyConnectionFactory
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {
    private static final long serialVersionUID = 1;

    /** A factory for the default embedded broker, {@code vm://}, until a URL is set. */
    public TurnstoneXAConnectionFactory() {
        this(DEFAULT_URL);
    }

    /** A factory for the broker with this URL, which is checked when a connection is made. */
    public TurnstoneXAConnectionFactory(String url) {
        super(url);
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return open(ClientXaConnection::new, credentials(), Domain.COMMON);
    }

    @Override
    public XAConnection createXAConnection(@Nullable String user, @Nullable String secret) throws JMSException {
        return open(ClientXaConnection::new, of(user, secret), Domain.COMMON);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return open(ClientXaConnection::new, credentials(), Domain.QUEUE);
    }

    @Override
    public XAQueueConnection createXAQueueConnection(@Nullable String user, @Nullable String secret)
            throws JMSException {
        return open(ClientXaConnection::new, of(user, secret), Domain.QUEUE);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return open(ClientXaConnection::new, credentials(), Domain.TOPIC);
    }

    @Override
    public XATopicConnection createXATopicConnection(@Nullable String user, @Nullable String secret)
            throws JMSException {
        return open(ClientXaConnection::new, of(user, secret), Domain.TOPIC);
    }

    @Override
    public XAJMSContext createXAContext() {
        return context(credentials());
    }

    @Override
    public XAJMSContext createXAContext(@Nullable String user, @Nullable String secret) {
        return context(of(user, secret));
    }

    private XAJMSContext context(ClientConnection.Credentials credentials) {
        return Unchecked.get(() -> new ClientXaContext(open(ClientXaConnection::new, credentials, Domain.COMMON)));
    }
}
