package dev.turnstone.jms;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.Session;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session as the server session of a connection consumer (Jakarta Messaging 3.1 §11.2): messages are loaded into it
 * by the consumer's thread, and run through the session's own message listener by the application server's. Fields are
 * guarded by the link's lock.
 */
final class ServerWork implements SessionLink.Condition {
    private static final Logger LOG = LoggerFactory.getLogger(ServerWork.class);

    private final SessionCore session;
    private final SessionLink link;
    private final ArrayDeque<Inbox> loads = new ArrayDeque<>();
    private @Nullable MessageListener listener;
    private @Nullable Thread runner;
    private @Nullable Delivery taken;

    ServerWork(SessionCore session) {
        this.session = session;
        this.link = session.link();
    }

    @Nullable
    MessageListener listener() {
        link.lock();
        try {
            return listener;
        } finally {
            link.unlock();
        }
    }

    void listener(@Nullable MessageListener own) {
        link.lock();
        try {
            listener = own;
        } finally {
            link.unlock();
        }
    }

    /** An inbox for deliveries that another session is about to hand over to this one. */
    Inbox prepare() throws JMSException {
        link.lockUnbroken();
        try {
            Inbox inbox = session.newInbox();
            link.attach(inbox);
            return inbox;
        } finally {
            link.unlock();
        }
    }

    /** Nothing comes for this inbox. */
    void discard(Inbox inbox) {
        link.lock();
        try {
            link.detach(inbox);
        } finally {
            link.unlock();
        }
    }

    /** The broker has handed over what was asked for: the next run takes it. Waits until all of it is here. */
    void loaded(Inbox inbox) throws JMSException {
        session.sync();
        link.lock();
        try {
            loads.add(inbox);
        } finally {
            link.unlock();
        }
    }

    /** What the deliveries' first session names as the one that gets them. */
    Session port() {
        return link.port();
    }

    /** Runs all that is loaded through the listener. The application server's thread; waits while it is stopped. */
    void run() throws JMSException {
        enter();
        try {
            while (next()) {
                call();
            }
        } finally {
            leave();
        }
    }

    private void enter() throws IllegalStateException {
        link.lock();
        try {
            if (listener == null) {
                throw Errors.illegal("a session without its own message listener cannot run");
            } else if (runner != null) {
                throw Errors.illegal("the session is running already");
            }
            runner = Thread.currentThread();
        } finally {
            link.unlock();
        }
    }

    private void leave() {
        link.lock();
        try {
            runner = null;
            taken = null;
        } finally {
            link.unlock();
        }
        link.changed();
    }

    private boolean next() throws JMSException {
        link.await(this, SessionLink.FOREVER);
        return taken != null;
    }

    /** Under the lock: takes the next message, when that may be handed over, or finds that there is none. */
    @Override
    public boolean met() throws JMSException {
        taken = null;
        while (!session.isEnding()) {
            Inbox load = loads.peekFirst();
            if (load == null) {
                return true;
            } else if (load.isEmpty()) {
                link.detach(load);
                loads.removeFirst();
            } else if (session.deliveries().mayCall(load)) {
                taken = session.deliveries().handOver(load);
                return true;
            } else if (!load.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private void call() throws JMSException {
        MessageListener called;
        Delivery delivery;
        Inbox load;
        link.lock();
        try {
            called = listener;
            delivery = taken;
            load = loads.getFirst();
        } finally {
            link.unlock();
        }
        if (called == null || delivery == null) {
            return;
        }
        Throwable failure = null;
        try {
            called.onMessage(session.wrap(delivery));
        } catch (RuntimeException | Error e) {
            failure = e;
            LOG.warn(
                    "a server session's listener has thrown at message {}",
                    delivery.message().id(),
                    e);
        }
        session.deliveries().afterListener(load, delivery, failure);
    }

    /** Refuses what would wait for the listener that calls. */
    void checkNotListener(String what) throws IllegalStateException {
        if (isRunner()) {
            throw Errors.illegal("a message listener must not " + what + " (Jakarta Messaging 3.1 §6.2.15)");
        }
    }

    private boolean isRunner() {
        link.lock();
        try {
            return runner == Thread.currentThread();
        } finally {
            link.unlock();
        }
    }

    /** As {@link Dispatcher#awaitIdle}. */
    void awaitIdle() throws JMSException {
        if (!isRunner()) {
            link.awaitLocal(() ->
                    runner == null || taken == null || session.deliveries().calling());
        }
    }

    /** Under the lock: what was loaded and not run goes back. Does not flush. */
    void unload(Reply reply) {
        for (Inbox load : loads) {
            link.detach(load);
            if (!load.isEmpty()) {
                link.port().unsubscribe(load.consumer(), load.lastSeen(), reply.anotherUnlessGone());
            }
        }
        loads.clear();
    }
}
