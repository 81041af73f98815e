package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import jakarta.jms.JMSException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A JMS session's hold on its port session. Any thread: the lock makes its holder the port session's owner. A thread
 * that waits for something drains the port session itself and parks between; the port's wake-up unparks all that wait,
 * and so does {@link #changed}. Application code never runs under the lock.
 */
final class SessionLink implements SessionListener {
    /** No deadline. */
    static final long FOREVER = Long.MAX_VALUE;

    private static final int EVENTS_MAX = 1_000;
    private static final Thread[] NOBODY = {};

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Inbox> inboxes = new HashMap<>();
    private final Session port;
    private final LargeBodies bodies;
    private final Daemon.Labels labels;
    private int consumersMade;
    private volatile Thread[] waiting = NOBODY;
    private volatile @Nullable BrokerException broken;
    /** Set by the wake-up: there is something to drain, or the session is writable again. */
    private volatile boolean signalled;

    /** What a thread waits for; asked under the lock. */
    @FunctionalInterface
    interface Condition {
        boolean met() throws JMSException;
    }

    private enum Wait {
        /** An answer of the broker, which only the end of the connection can stop. */
        FOR_BROKER,
        /** A message, which need not come: an interrupt ends the wait too. */
        FOR_MESSAGE,
        /** Other threads of this JVM, whatever becomes of the broker. */
        FOR_THREADS
    }

    SessionLink(Connection connection, Daemon.Labels labels) {
        this.labels = labels;
        port = connection.openSession(this::wake);
        port.keepsDeliveries();
        bodies = new LargeBodies(this, connection.limits());
    }

    /** What lines of the log say that threads write for it. */
    Daemon.Labels labels() {
        return labels;
    }

    void lock() {
        lock.lock();
    }

    /** Locks, unless the broker has ended the connection or the session is closed: that is thrown. */
    void lockUnbroken() throws JMSException {
        lock.lock();
        if (broken != null) {
            lock.unlock();
            checkUnbroken();
        }
    }

    void unlock() {
        lock.unlock();
    }

    /** The port session, for the holder of the lock. */
    Session port() {
        return port;
    }

    /** Bodies that are too large for one piece. */
    LargeBodies bodies() {
        return bodies;
    }

    /** A number for a new consumer. The session's thread. */
    int nextConsumer() {
        return ++consumersMade;
    }

    /** Under the lock: deliveries to this consumer go there. */
    void attach(Inbox inbox) {
        inboxes.put(inbox.consumer(), inbox);
    }

    /** Under the lock: tells the broker what has left the inbox, if that is due. */
    void tellTaken(Inbox inbox) {
        long bytes = inbox.takenDue();
        if (bytes > 0) {
            port.taken(inbox.consumer(), bytes);
        }
    }

    /** Under the lock: what still comes for this consumer is void. */
    void detach(Inbox inbox) {
        inboxes.remove(inbox.consumer());
    }

    /**
     * The broker has ended the connection, or the session is closed: all that waits here, or will, fails with the first
     * cause.
     */
    void fail(BrokerException cause) {
        lock.lock();
        try {
            if (broken == null) {
                broken = cause;
            }
        } finally {
            lock.unlock();
        }
        wake();
    }

    boolean isBroken() {
        return broken != null;
    }

    /** Why the broker has ended the connection, or null. */
    @Nullable
    BrokerException brokenBy() {
        return broken;
    }

    /** Fails if the broker has ended the connection. */
    void checkUnbroken() throws JMSException {
        BrokerException cause = broken;
        if (cause != null) {
            throw Errors.of(cause);
        }
    }

    /** Gives the broker a command and waits for its answer; fails as that does. Not under the lock. */
    void request(BiConsumer<Session, Completion> command) throws JMSException {
        Reply reply = Reply.toOne();
        lockUnbroken();
        try {
            command.accept(port, reply);
            port.flush();
        } finally {
            unlock();
        }
        await(reply);
    }

    /** Waits for the reply; fails as it does. Not under the lock. */
    void await(Reply reply) throws JMSException {
        await(reply, FOREVER);
        reply.orThrow();
    }

    /** Waits for the reply; gives why it was refused, or why the broker ended the connection, or null. As await. */
    @Nullable
    BrokerException outcome(Reply reply) {
        try {
            await(reply, FOREVER);
            return reply.failure();
        } catch (JMSException e) {
            return broken == null ? new BrokerException(ErrorCode.CLOSED, "the connection has ended", e) : broken;
        }
    }

    /**
     * Drains and parks until the condition holds, or the deadline ({@link System#nanoTime}) has passed: then false. Not
     * under the lock. An interrupt is kept for the caller and ends nothing.
     *
     * @throws JMSException if the broker ended the connection before
     */
    boolean await(Condition condition, long deadlineNs) throws JMSException {
        return poll(condition) || parkUntil(condition, deadlineNs, Wait.FOR_BROKER);
    }

    /** As {@link #await(Condition, long)}, and an interrupt ends it, with the thread's flag set and a JMSException. */
    boolean awaitInterruptibly(Condition condition, long deadlineNs) throws JMSException {
        return poll(condition) || parkUntil(condition, deadlineNs, Wait.FOR_MESSAGE);
    }

    /**
     * Waits, as long as it takes, for something that only threads of this JVM bring about, whatever becomes of the
     * broker. Not under the lock.
     */
    void awaitLocal(Condition condition) throws JMSException {
        if (!poll(condition)) {
            parkUntil(condition, FOREVER, Wait.FOR_THREADS);
        }
    }

    private boolean parkUntil(Condition condition, long deadlineNs, Wait wait) throws JMSException {
        Thread me = Thread.currentThread();
        join(me);
        boolean interrupted = false;
        try {
            while (!poll(condition)) {
                if (wait != Wait.FOR_THREADS) {
                    checkUnbroken();
                }
                interrupted |= Thread.interrupted();
                if (interrupted && wait == Wait.FOR_MESSAGE) {
                    throw new JMSException("interrupted while waiting for a message", "INTERRUPTED");
                }
                long leftNs = deadlineNs == FOREVER ? FOREVER : deadlineNs - System.nanoTime();
                if (leftNs <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, leftNs);
            }
            return true;
        } finally {
            leave(me);
            if (interrupted) {
                me.interrupt();
            }
        }
    }

    private boolean poll(Condition condition) throws JMSException {
        lock.lock();
        try {
            if (condition.met()) {
                return true;
            }
            drain();
            return condition.met();
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock: takes what the port session has to say, if it has called and nobody waits who would. */
    void drainIfUnattended() {
        if (signalled && waiting.length == 0) {
            drain();
        }
    }

    private void drain() {
        signalled = false;
        int events;
        boolean any = false;
        do {
            events = port.drain(this, EVENTS_MAX);
            any |= events > 0;
        } while (events == EVENTS_MAX);
        // What was taken here may be what another thread waits for.
        if (any && waiting.length > 1) {
            changed();
        }
    }

    /** Something that a waiting thread's condition asks for has changed: all look again. Any thread. */
    void changed() {
        Thread me = Thread.currentThread();
        for (Thread thread : waiting) {
            if (thread != me) {
                LockSupport.unpark(thread);
            }
        }
    }

    private void wake() {
        signalled = true;
        for (Thread thread : waiting) {
            LockSupport.unpark(thread);
        }
    }

    private void join(Thread me) {
        lock.lock();
        try {
            Thread[] more = Arrays.copyOf(waiting, waiting.length + 1);
            more[waiting.length] = me;
            waiting = more;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Thread me) {
        lock.lock();
        try {
            int at = Arrays.asList(waiting).indexOf(me);
            Thread[] fewer = new Thread[waiting.length - 1];
            System.arraycopy(waiting, 0, fewer, 0, at);
            System.arraycopy(waiting, at + 1, fewer, at, fewer.length - at);
            waiting = fewer.length == 0 ? NOBODY : fewer;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void delivery(Delivery delivery) {
        Inbox inbox = inboxes.get(delivery.consumer());
        if (inbox != null) {
            inbox.add(delivery);
        }
    }

    @Override
    public void browseEnded(int consumer) {
        Inbox inbox = inboxes.get(consumer);
        if (inbox != null) {
            inbox.endBrowsing();
        }
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        Inbox inbox = inboxes.get(consumer);
        if (inbox != null) {
            inbox.end(cause);
        }
    }
}
