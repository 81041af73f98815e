package dev.turnstone.xa;

import jakarta.jms.JMSException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/** Makes connections that belong to the calling thread's transaction, from a pool. Any thread. */
final class TransactionalDataSource implements DataSource, AutoCloseable {
    private static final int IDLE_MAX = 32;

    private final String name;
    private final XADataSource source;
    private final TransactionManager manager;
    private final Pool<Physical> pool = new Pool<>(IDLE_MAX);

    TransactionalDataSource(String name, XADataSource source, TransactionManager manager) {
        this.name = name;
        this.source = source;
        this.manager = manager;
    }

    /** A connection to the database. */
    private record Physical(Pool.Owner owner, XAConnection connection, NamedResource resource) implements Pool.Pooled {
        @Override
        public boolean renew() {
            return !resource.failed();
        }

        @Override
        public void end() {
            Quietly.close(connection::close);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connection(Pool.Owner.FACTORY);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return connection(new Pool.Owner(true, user, password));
    }

    private Connection connection(Pool.Owner owner) throws SQLException {
        Physical physical = pool.take(owner);
        if (physical == null) {
            XAConnection made =
                    owner.named() ? source.getXAConnection(owner.user(), owner.password()) : source.getXAConnection();
            physical = new Physical(owner, made, new NamedResource(name, made.getXAResource()));
        }
        return enlisted(physical);
    }

    private Connection enlisted(Physical physical) throws SQLException {
        Connection handle;
        try {
            // Before its transaction begins: asking for a handle, or closing one, may roll back what there is.
            handle = physical.connection().getConnection();
        } catch (SQLException e) {
            physical.end();
            throw e;
        }
        Enlistment enlistment = new Enlistment(manager, physical.resource(), () -> {
            Quietly.close(handle::close);
            pool.giveBack(physical);
        });
        try {
            enlistment.enter();
            return new ConnectionPart(handle, enlistment).proxy();
        } catch (RollbackException | SystemException e) {
            enlistment.letGo();
            throw new SQLException("the connection cannot take part in the transaction: " + e.getMessage(), e);
        }
    }

    /**
     * A connection that an application has, until it closes it. It belongs to the transaction in which it was asked
     * for.
     */
    private static final class ConnectionPart extends Handle<Connection> {
        private final Enlistment enlistment;
        private boolean closed;

        ConnectionPart(Connection target, Enlistment enlistment) {
            super(Connection.class, target);
            this.enlistment = enlistment;
        }

        @Override
        @Nullable
        Object call(Method method, @Nullable Object[] arguments) throws JMSException, SQLException {
            String name = method.getName();
            if (name.equals("close")) {
                close();
                return null;
            } else if (name.equals("isClosed")) {
                return closed;
            } else if (closed) {
                throw new SQLException("the connection is closed");
            }
            return forward(method, arguments);
        }

        private void close() {
            if (!closed) {
                closed = true;
                enlistment.letGo();
            }
        }
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) throws SQLException {
        source.setLogWriter(writer);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(source)) {
            return type.cast(source);
        }
        throw new SQLException("this is no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(source);
    }

    @Override
    public void close() {
        pool.close();
    }
}
