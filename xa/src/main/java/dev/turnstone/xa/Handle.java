package dev.turnstone.xa;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What stands between an application and an object of the API. As that object says of threads. */
abstract class Handle<T> implements InvocationHandler {
    private final T target;
    private final T proxy;

    Handle(Class<T> type, T target) {
        this.target = target;
        this.proxy = type.cast(Proxy.newProxyInstance(Handle.class.getClassLoader(), new Class<?>[] {type}, this));
    }

    /** What the application gets. */
    final T proxy() {
        return proxy;
    }

    final T target() {
        return target;
    }

    /** Does what the application has called. */
    abstract @Nullable Object call(Method method, @Nullable Object[] arguments) throws JMSException, SQLException;

    @Override
    public final @Nullable Object invoke(Object called, Method method, @Nullable Object @Nullable [] given)
            throws JMSException, SQLException {
        Object[] arguments = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments[0] == proxy;
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "Handle[" + target + "]";
            };
        }
        Object result = call(method, arguments);
        return result == target ? proxy : result;
    }

    /** Calls the object itself. */
    final @Nullable Object forward(Method method, @Nullable Object[] arguments) throws JMSException, SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof JMSException failure) {
                throw failure;
            } else if (cause instanceof SQLException failure) {
                throw failure;
            } else if (cause instanceof RuntimeException failure) {
                throw failure;
            } else if (cause instanceof Error failure) {
                throw failure;
            }
            throw new UndeclaredThrowableException(e);
        } catch (IllegalAccessException e) {
            throw new java.lang.IllegalStateException("the API's methods are public", e);
        }
    }

    /** Has the object work for the thread's transaction. */
    static void enter(Enlistment enlistment, Method method) throws JMSException {
        try {
            enlistment.enter();
        } catch (RollbackException e) {
            throw rolledBack(method, e);
        } catch (SystemException | java.lang.IllegalStateException e) {
            throw failed(method, e);
        }
    }

    /** The simplified API throws exceptions that are not checked. */
    private static boolean isClassic(Method method) {
        return Arrays.asList(method.getExceptionTypes()).contains(JMSException.class);
    }

    private static JMSException rolledBack(Method method, RollbackException cause) {
        String text = "the transaction can only roll back: " + cause.getMessage();
        if (!isClassic(method)) {
            throw new TransactionRolledBackRuntimeException(text, "ROLLED_BACK", cause);
        }
        TransactionRolledBackException exception = new TransactionRolledBackException(text, "ROLLED_BACK");
        exception.initCause(cause);
        return exception;
    }

    private static JMSException failed(Method method, Exception cause) {
        String text = "the session cannot take part in the transaction: " + cause.getMessage();
        if (!isClassic(method)) {
            throw new JMSRuntimeException(text, "NOT_ENLISTED", cause);
        }
        JMSException exception = new JMSException(text, "NOT_ENLISTED");
        exception.initCause(cause);
        exception.setLinkedException(cause);
        return exception;
    }

    /** What the application must not do. */
    static JMSException illegal(Method method, String text) {
        if (!isClassic(method)) {
            throw new IllegalStateRuntimeException(text, "ILLEGAL_STATE");
        }
        return new IllegalStateException(text, "ILLEGAL_STATE");
    }
}
