package dev.turnstone.xa;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session or context, and all that it has made, has in common: the part in transactions, and its end. The
 * session's thread, but for closing.
 */
final class Work {
    private final Enlistment enlistment;
    /** What is to be closed with the session; guarded by this. */
    private final List<Quietly.Closing> made = new ArrayList<>();

    private volatile boolean closed;

    Work(Enlistment enlistment) {
        this.enlistment = enlistment;
    }

    Enlistment enlistment() {
        return enlistment;
    }

    /** Refuses the use of what is closed, and takes part in the thread's transaction. */
    void enter(Method method) throws JMSException {
        if (closed) {
            throw Handle.illegal(method, "the session is closed");
        } else if (method.getName().equals("setMessageListener")) {
            throw Handle.illegal(method, "a message listener would run outside of any transaction: receive");
        }
        Handle.enter(enlistment, method);
    }

    /** An object that a session has made, as the application gets it. */
    @Nullable
    Object wrap(@Nullable Object result) {
        if (result instanceof MessageConsumer consumer) {
            return part(MessageConsumer.class, consumer, consumer::close);
        } else if (result instanceof MessageProducer producer) {
            return part(MessageProducer.class, producer, producer::close);
        } else if (result instanceof QueueBrowser browser) {
            return part(QueueBrowser.class, browser, browser::close);
        } else if (result instanceof JMSConsumer consumer) {
            return part(JMSConsumer.class, consumer, consumer::close);
        } else if (result instanceof JMSProducer producer) {
            return new Part<>(JMSProducer.class, producer, () -> {}).proxy();
        }
        return result;
    }

    private <T> T part(Class<T> type, T target, Quietly.Closing closing) {
        synchronized (this) {
            made.add(closing);
        }
        return new Part<>(type, target, closing).proxy();
    }

    private synchronized void forget(Quietly.Closing closing) {
        made.remove(closing);
    }

    /** Closes all that was made, and lets go; nothing if it was closed before. */
    void close() {
        List<Quietly.Closing> all;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            all = List.copyOf(made);
            made.clear();
        }
        all.forEach(Quietly::close);
        enlistment.letGo();
    }

    /** A consumer, producer or browser. */
    private final class Part<T> extends Handle<T> {
        private final Quietly.Closing closing;

        Part(Class<T> type, T target, Quietly.Closing closing) {
            super(type, target);
            this.closing = closing;
        }

        @Override
        @Nullable
        Object call(Method method, @Nullable Object[] arguments) throws JMSException, SQLException {
            if (method.getName().equals("close")) {
                forget(closing);
            } else {
                Work.this.enter(method);
            }
            return forward(method, arguments);
        }
    }
}
