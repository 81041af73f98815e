package dev.turnstone.xa;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A context that an application has, until it closes it; the pool has it back when no transaction needs it. */
final class ContextHandle extends Handle<JMSContext> {
    private final PooledContext pooled;
    private final TurnstoneTransactionalConnectionFactory factory;
    private final Work work;

    ContextHandle(
            PooledContext pooled,
            TurnstoneTransactionalConnectionFactory factory,
            TransactionManager manager,
            Consumer<PooledContext> giveBack) {
        super(JMSContext.class, pooled.context());
        this.pooled = pooled;
        this.factory = factory;
        this.work = new Work(new Enlistment(manager, pooled.resource(), () -> giveBack.accept(pooled)));
    }

    @Override
    @Nullable
    Object call(Method method, @Nullable Object[] arguments) throws JMSException, SQLException {
        String name = method.getName();
        if (name.equals("close")) {
            work.close();
            return null;
        }
        work.enter(method);
        if (name.equals("createContext")) {
            return factory.context(pooled.owner());
        } else if (name.equals("setExceptionListener")) {
            pooled.listener((ExceptionListener) arguments[0]);
            return null;
        } else if (name.equals("getExceptionListener")) {
            return pooled.listener();
        }
        if (!work.enlistment().inTransaction()) {
            if (name.equals("getTransacted")) {
                return false;
            } else if (name.equals("getSessionMode")) {
                return JMSContext.AUTO_ACKNOWLEDGE;
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
