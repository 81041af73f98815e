package dev.turnstone.itests.jms.conformance;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A message of another provider: it keeps what one of ours would, but is of no class of ours, and what a caller finds
 * out about it, it finds out by the API.
 */
final class ForeignMessage implements InvocationHandler {
    private final Message kept;

    private ForeignMessage(Message kept) {
        this.kept = kept;
    }

    /** Makes a message that a session of ours would make. */
    interface Creation<M> {
        M in(Session session) throws JMSException;
    }

    /** Wraps a message of that kind. */
    static <M extends Message> M like(Class<M> type, Session session, Creation<M> creation) throws JMSException {
        Object foreign = Proxy.newProxyInstance(
                ForeignMessage.class.getClassLoader(), new Class<?>[] {type}, new ForeignMessage(creation.in(session)));
        return type.cast(foreign);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(kept, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
