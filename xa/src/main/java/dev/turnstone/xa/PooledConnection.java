package dev.turnstone.xa;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** A connection with sessions that may be used again. Any thread. */
final class PooledConnection implements Pool.Pooled {
    private final Pool.Owner owner;
    private final String name;
    private final XAConnection connection;
    private final ConcurrentLinkedDeque<PooledSession> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean broken;
    private volatile @Nullable ExceptionListener listener;

    /** A session, and its resource. */
    record PooledSession(XASession session, NamedResource resource) {}

    PooledConnection(Pool.Owner owner, String name, XAConnection connection) throws JMSException {
        this.owner = owner;
        this.name = name;
        this.connection = connection;
        connection.setExceptionListener(this::heard);
    }

    private void heard(JMSException failure) {
        broken = true;
        ExceptionListener told = listener;
        if (told != null) {
            told.onException(failure);
        }
    }

    /** Who is told of failures while the connection is in use. */
    void listener(@Nullable ExceptionListener told) {
        listener = told;
    }

    @Nullable
    ExceptionListener listener() {
        return listener;
    }

    XAConnection connection() {
        return connection;
    }

    PooledSession session() throws JMSException {
        PooledSession free = idle.pollLast();
        if (free != null) {
            return free;
        }
        XASession made = connection.createXASession();
        return new PooledSession(made, new NamedResource(name, made.getXAResource()));
    }

    /** A session is used no more, and its consumers are closed. */
    void giveBack(PooledSession used, boolean sound) {
        if (sound && !used.resource().failed() && !broken) {
            idle.addLast(used);
        } else {
            broken |= used.resource().failed();
            Quietly.close(used.session()::close);
        }
    }

    @Override
    public Pool.Owner owner() {
        return owner;
    }

    @Override
    public boolean renew() {
        listener = null;
        if (!broken) {
            try {
                connection.stop();
            } catch (JMSException e) {
                broken = true;
            }
        }
        return !broken;
    }

    @Override
    public void end() {
        Quietly.close(connection::close);
    }
}
