package dev.turnstone.jms;

import dev.turnstone.port.Delivery;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a session that has message listeners: hands them one message at a time (Jakarta Messaging 3.1 §6.2.6,
 * §8.7). Fields are guarded by the link's lock.
 */
final class Dispatcher implements SessionLink.Condition {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final SessionCore session;
    private final SessionLink link;
    private final Thread thread;
    private @Nullable ClientConsumer current;
    private @Nullable Delivery delivery;
    /** Counts up, so that every consumer has its turn. */
    private int turn;

    private @Nullable MessageListener listener;
    private boolean stopped;

    Dispatcher(SessionCore session, SessionLink link, String threadName) {
        this.session = session;
        this.link = link;
        this.thread = Daemon.start(threadName, link.labels(), this::run);
    }

    /** Whether the caller is one of this session's message listeners. */
    boolean isCaller() {
        return Thread.currentThread() == thread;
    }

    /** Refuses what a message listener must not do to what contains it. */
    void checkNotListener(String what) throws IllegalStateException {
        if (isCaller()) {
            throw Errors.illegal("a message listener must not " + what + " (Jakarta Messaging 3.1 §6.2.15)");
        }
    }

    /** Waits until no listener is running, or others may run again, if the caller is not one. Not under the lock. */
    void awaitIdle() throws JMSException {
        if (!isCaller()) {
            link.awaitLocal(() -> current == null || session.deliveries().calling());
        }
    }

    /** Waits until this consumer's listener is not running, if the caller is not one. Not under the lock. */
    void awaitIdle(ClientConsumer consumer) throws JMSException {
        if (!isCaller()) {
            link.awaitLocal(() -> current != consumer);
        }
    }

    /** Hands over nothing more; the thread ends. */
    void stop() {
        stopped = true;
        link.changed();
    }

    @Override
    public boolean met() throws JMSException {
        if (stopped) {
            return true;
        }
        List<ClientConsumer> consumers = session.deliveries().consumers();
        for (int i = 0; i < consumers.size(); i++) {
            ClientConsumer consumer = consumers.get((turn + i) % consumers.size());
            MessageListener due = consumer.dueListener();
            if (due != null) {
                listener = due;
                turn = (turn + i + 1) % consumers.size();
                current = consumer;
                delivery = session.deliveries().handOver(consumer.inbox());
                return true;
            }
        }
        return false;
    }

    private void run() {
        boolean more = true;
        while (more) {
            try {
                link.await(this, SessionLink.FOREVER);
                more = current != null;
                if (current != null && delivery != null && listener != null) {
                    call(current, delivery, listener);
                }
            } catch (JMSException e) {
                more = !link.isBroken();
                if (more) {
                    session.report(e);
                }
            } finally {
                rest();
            }
        }
    }

    private void call(ClientConsumer consumer, Delivery received, MessageListener called) throws JMSException {
        Throwable failure = null;
        try {
            called.onMessage(session.wrap(received));
        } catch (RuntimeException | Error e) {
            failure = e;
            LOG.warn(
                    "a message listener has thrown at message {}",
                    received.message().id(),
                    e);
        }
        session.deliveries().afterListener(consumer.inbox(), received, failure);
    }

    private void rest() {
        link.lock();
        try {
            current = null;
            delivery = null;
        } finally {
            link.unlock();
        }
        link.changed();
    }
}
