package dev.turnstone.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;

/** A connection and an XA session in one. One thread, but for close and what concerns the connection. */
final class ClientXaContext extends ClientContext implements XAJMSContext {
    private final ClientXaConnection connection;

    ClientXaContext(ClientXaConnection connection) throws JMSException {
        super(new SharedConnection(connection), Session.SESSION_TRANSACTED);
        this.connection = connection;
    }

    @Override
    ClientSession open() throws JMSException {
        return connection.openXa(Domain.COMMON);
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return Unchecked.get(() -> ((ClientXaSession) session()).getXAResource());
    }
}
