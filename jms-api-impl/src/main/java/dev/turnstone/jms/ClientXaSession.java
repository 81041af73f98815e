package dev.turnstone.jms;

import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAResource;

/**
 * A session whose work belongs to branches of global transactions (Jakarta Messaging 3.1 §11.3). Outside of a branch
 * each send and each receipt takes effect by itself.
 */
final class ClientXaSession extends ClientSession implements XAQueueSession, XATopicSession {
    private final XAResource resource;

    ClientXaSession(ClientXaConnection connection, SessionCore core, Domain domain) throws JMSException {
        super(connection, core, domain);
        resource = new ClientXaResource(connection, core);
    }

    @Override
    public Session getSession() throws JMSException {
        return checked();
    }

    @Override
    public QueueSession getQueueSession() throws JMSException {
        return checked();
    }

    @Override
    public TopicSession getTopicSession() throws JMSException {
        return checked();
    }

    private ClientXaSession checked() throws JMSException {
        core().checkOpen();
        return this;
    }

    /** Also when the session is closed: its manager may have branches to end. */
    @Override
    public XAResource getXAResource() {
        return resource;
    }
}
