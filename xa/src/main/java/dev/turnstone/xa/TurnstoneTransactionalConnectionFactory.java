package dev.turnstone.xa;

import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.XAConnectionFactory;
import jakarta.transaction.TransactionManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections and contexts whose work belongs to the calling thread's transaction (Jakarta Transactions), from a
 * pool. Any thread; what it makes follows the API's rules on threads.
 *
 * <p>Each use of a session, context, producer or consumer takes part in the transaction that the thread has at that
 * moment; several of them, of several connections to the broker, work for one branch. Closed within a transaction, they
 * are held until its end. Without a transaction, each send and each receipt takes effect by itself, as with
 * AUTO_ACKNOWLEDGE; what is asked for in the way of session modes has no effect in either case. Message listeners are
 * refused, as they would run outside of any transaction. What has failed does not go back into the pool.
 */
public final class TurnstoneTransactionalConnectionFactory implements ConnectionFactory, AutoCloseable {
    /** Connections and contexts, of each user, that are kept for the next. */
    private static final int IDLE_MAX = 32;

    private final String name;
    private final XAConnectionFactory factory;
    private final TransactionManager manager;
    private final Pool<PooledConnection> connections = new Pool<>(IDLE_MAX);
    private final Pool<PooledContext> contexts = new Pool<>(IDLE_MAX);

    /** For the broker of this URL, with Narayana's transaction manager. */
    public TurnstoneTransactionalConnectionFactory(String url) {
        this(url, new TurnstoneXAConnectionFactory(url), com.arjuna.ats.jta.TransactionManager.transactionManager());
    }

    /**
     * For the broker of this factory.
     *
     * @param name the broker's name for the transaction manager's log, the same after a restart
     */
    public TurnstoneTransactionalConnectionFactory(
            String name, XAConnectionFactory factory, TransactionManager manager) {
        this.name = name;
        this.factory = factory;
        this.manager = manager;
    }

    @Override
    public Connection createConnection() throws JMSException {
        return connection(Pool.Owner.FACTORY);
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return connection(new Pool.Owner(true, user, password));
    }

    private Connection connection(Pool.Owner owner) throws JMSException {
        PooledConnection pooled = connections.take(owner);
        if (pooled == null) {
            pooled = new PooledConnection(
                    owner,
                    name,
                    owner.named()
                            ? factory.createXAConnection(owner.user(), owner.password())
                            : factory.createXAConnection());
        }
        return new ConnectionHandle(pooled, manager, connections::giveBack).proxy();
    }

    @Override
    public JMSContext createContext() {
        return context(Pool.Owner.FACTORY);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password) {
        return context(new Pool.Owner(true, user, password));
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password, int sessionMode) {
        checkMode(sessionMode);
        return context(new Pool.Owner(true, user, password));
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        checkMode(sessionMode);
        return context(Pool.Owner.FACTORY);
    }

    private static void checkMode(int sessionMode) {
        if (sessionMode < JMSContext.SESSION_TRANSACTED || sessionMode > JMSContext.DUPS_OK_ACKNOWLEDGE) {
            throw new JMSRuntimeException("not an acknowledge mode: " + sessionMode, "INVALID_SESSION_MODE");
        }
    }

    JMSContext context(Pool.Owner owner) {
        PooledContext pooled = contexts.take(owner);
        if (pooled == null) {
            pooled = new PooledContext(
                    owner,
                    name,
                    owner.named()
                            ? factory.createXAContext(owner.user(), owner.password())
                            : factory.createXAContext());
        }
        return new ContextHandle(pooled, this, manager, contexts::giveBack).proxy();
    }

    /** Ends what is idle; what is in use is ended when it is closed. Idempotent. */
    @Override
    public void close() {
        connections.close();
        contexts.close();
    }
}
