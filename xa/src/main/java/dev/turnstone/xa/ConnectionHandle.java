package dev.turnstone.xa;

import jakarta.jms.Connection;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection that an application has, until it closes it; the pool has it back when no transaction needs it. */
final class ConnectionHandle extends Handle<Connection> {
    private final PooledConnection pooled;
    private final TransactionManager manager;
    private final Consumer<PooledConnection> giveBack;
    private final List<SessionHandle> sessions = new CopyOnWriteArrayList<>();
    /** The application, and each session that is not released. */
    private final AtomicInteger users = new AtomicInteger(1);

    private volatile boolean closed;

    ConnectionHandle(PooledConnection pooled, TransactionManager manager, Consumer<PooledConnection> giveBack) {
        super(Connection.class, pooled.connection());
        this.pooled = pooled;
        this.manager = manager;
        this.giveBack = giveBack;
    }

    @Override
    @Nullable
    Object call(Method method, @Nullable Object[] arguments) throws JMSException, SQLException {
        String name = method.getName();
        if (name.equals("close")) {
            close();
            return null;
        } else if (closed) {
            throw illegal(method, "the connection is closed");
        } else if (name.equals("createSession")) {
            return session();
        } else if (name.endsWith("ConnectionConsumer")) {
            throw illegal(method, name + " would deliver outside of any transaction");
        } else if (name.equals("setExceptionListener")) {
            pooled.listener((ExceptionListener) arguments[0]);
            return null;
        } else if (name.equals("getExceptionListener")) {
            return pooled.listener();
        }
        return forward(method, arguments);
    }

    private Object session() throws jakarta.jms.JMSException {
        PooledConnection.PooledSession made = pooled.session();
        users.incrementAndGet();
        SessionHandle handle = new SessionHandle(made, manager, this::released);
        sessions.add(handle);
        return handle.proxy();
    }

    private void released(SessionHandle handle, boolean sound) {
        sessions.remove(handle);
        pooled.giveBack(handle.pooled(), sound);
        left();
    }

    private void left() {
        if (users.decrementAndGet() == 0) {
            giveBack.accept(pooled);
        }
    }

    private void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        sessions.forEach(SessionHandle::close);
        left();
    }
}
