package dev.turnstone.xa;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.Method;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A session that an application has, until it closes it. */
final class SessionHandle extends Handle<Session> {
    private final PooledConnection.PooledSession pooled;
    private final Work work;

    /** Hears that a session is released. */
    @FunctionalInterface
    interface Released {
        void session(SessionHandle handle, boolean sound);
    }

    SessionHandle(PooledConnection.PooledSession pooled, TransactionManager manager, Released released) {
        super(Session.class, pooled.session());
        this.pooled = pooled;
        this.work = new Work(new Enlistment(manager, pooled.resource(), () -> released.session(this, true)));
    }

    PooledConnection.PooledSession pooled() {
        return pooled;
    }

    void close() {
        work.close();
    }

    @Override
    @Nullable
    Object call(Method method, @Nullable Object[] arguments) throws JMSException, SQLException {
        String name = method.getName();
        if (name.equals("close")) {
            close();
            return null;
        }
        work.enter(method);
        if (!work.enlistment().inTransaction()) {
            if (name.equals("getTransacted")) {
                return false;
            } else if (name.equals("getAcknowledgeMode")) {
                return Session.AUTO_ACKNOWLEDGE;
            } else if (name.equals("commit") || name.equals("rollback")) {
                throw illegal(method, name + "() is the transaction manager's");
            } else if (name.equals("recover")) {
                // What was received is acknowledged.
                return null;
            }
        }
        return work.wrap(forward(method, arguments));
    }
}
