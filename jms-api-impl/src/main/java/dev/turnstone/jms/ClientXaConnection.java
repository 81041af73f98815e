package dev.turnstone.jms;

import dev.turnstone.port.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection that has XA sessions, beside those of any connection. Any thread. */
final class ClientXaConnection extends ClientConnection implements XAQueueConnection, XATopicConnection {
    private @Nullable SessionLink spare;

    ClientXaConnection(ConnectionSettings settings, Credentials credentials, Domain domain) {
        super(settings, credentials, domain);
    }

    ClientXaSession openXa(Domain sessionDomain) throws JMSException {
        return new ClientXaSession(this, openCore(SessionCore.OF_BRANCHES), sessionDomain);
    }

    /** For what must be said to the broker about branches when the session that worked for them is closed. */
    synchronized SessionLink spareLink() throws JMSException {
        SessionLink link = spare;
        if (link == null) {
            link = new SessionLink(port(), labels());
            spare = link;
        }
        return link;
    }

    boolean isOfSameBroker(ClientXaConnection other) {
        try {
            Connection mine = port();
            String broker = mine.broker();
            return !broker.isEmpty() && broker.equals(other.port().broker()) && Objects.equals(user(), other.user());
        } catch (JMSException e) {
            // A connection that is closed has no resource manager.
            return false;
        }
    }

    @Override
    public XASession createXASession() throws JMSException {
        return openXa(domain());
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        domain().checkQueues("createXAQueueSession");
        return openXa(Domain.QUEUE);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        domain().checkTopics("createXATopicSession");
        return openXa(Domain.TOPIC);
    }

    // The interfaces declare these again, for sessions that are no XA sessions.

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return super.createSession(transacted, acknowledgeMode);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return super.createQueueSession(transacted, acknowledgeMode);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return super.createTopicSession(transacted, acknowledgeMode);
    }
}
