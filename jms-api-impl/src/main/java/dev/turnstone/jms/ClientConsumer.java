package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Subscribe;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A consumer of a queue or of a topic subscription. The session's thread; close may be called from any. */
final class ClientConsumer implements QueueReceiver, TopicSubscriber, SessionLink.Condition {
    private final SessionCore session;
    private final SessionLink link;
    private final TurnstoneDestination destination;
    private final Subscribe subscribe;
    private final Inbox inbox;
    private final Reply end = Reply.toMany();
    private volatile @Nullable MessageListener listener;
    private volatile boolean receiving;
    private volatile boolean closed;
    private boolean endReported;
    /** What a receive has found; guarded by the link's lock until that returns. */
    private @Nullable Delivery taken;
    /** What the body must be assignable to, if the receive is one of a body. */
    private @Nullable Class<?> expected;

    ClientConsumer(SessionCore session, TurnstoneDestination destination, Subscribe subscribe, Inbox inbox) {
        this.session = session;
        this.link = session.link();
        this.destination = destination;
        this.subscribe = subscribe;
        this.inbox = inbox;
    }

    Inbox inbox() {
        return inbox;
    }

    /**
     * Under the lock: its listener, if that may be given a message now. That the broker has ended the consumer is
     * reported, once, as no receive would throw it.
     */
    @Nullable
    MessageListener dueListener() throws JMSException {
        MessageListener due = closed ? null : listener;
        BrokerException cause = inbox.ended();
        if (due != null && cause != null && !endReported) {
            endReported = true;
            session.report(Errors.of(cause));
        }
        return due != null && session.deliveries().mayCall(inbox) ? due : null;
    }

    /** This, for the next receive alone: a body that is not of this type makes that fail. */
    ClientConsumer expecting(Class<?> type) {
        expected = type;
        return this;
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw Errors.closed("consumer");
        }
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(0);
    }

    @Override
    public @Nullable Message receive(long timeoutMs) throws JMSException {
        if (timeoutMs < 0) {
            throw new JMSException("a negative time-out: " + timeoutMs, "INVALID_TIMEOUT");
        }
        try {
            return receiveBy(deadline(timeoutMs));
        } finally {
            expected = null;
        }
    }

    private static long deadline(long timeoutMs) {
        return timeoutMs == 0 ? SessionLink.FOREVER : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        try {
            return receiveAtOnce();
        } finally {
            expected = null;
        }
    }

    private @Nullable Message receiveAtOnce() throws JMSException {
        checkReceivable();
        session.awaitAcknowledged();
        Message message = receiveBy(System.nanoTime());
        if (message != null || closed || session.isEnding()) {
            return message;
        }
        // Nothing is here, but something may be on its way that the broker had before. It may hand out what credit
        // allows
        // after answering a sync that followed the credit; the answer to a second one comes behind that.
        session.sync();
        session.sync();
        return receiveBy(System.nanoTime());
    }

    private void checkReceivable() throws IllegalStateException {
        checkOpen();
        if (listener != null) {
            throw Errors.illegal("a consumer with a message listener cannot receive synchronously");
        }
    }

    private @Nullable Message receiveBy(long deadlineNs) throws JMSException {
        checkReceivable();
        receiving = true;
        try {
            Class<?> type = expected;
            // A message that is acknowledged by being received must not be lost by failing (JMSConsumer.receiveBody).
            Delivery delivery =
                    type != null && session.isAutomatic() ? takeBody(type, deadlineNs) : take(this, deadlineNs);
            if (delivery != null) {
                return session.wrap(delivery);
            }
            checkNotEnded();
            return null;
        } finally {
            receiving = false;
            if (closed || session.isEnding()) {
                link.changed();
            }
        }
    }

    private @Nullable Delivery take(SessionLink.Condition condition, long deadlineNs) throws JMSException {
        link.awaitInterruptibly(condition, deadlineNs);
        Delivery delivery = taken;
        taken = null;
        return delivery;
    }

    /**
     * Looks at the next message's body before it is taken. Not under the lock, as an object's own code may run; so the
     * message may have gone meanwhile, and the next one is looked at.
     */
    private @Nullable Delivery takeBody(Class<?> type, long deadlineNs) throws JMSException {
        Delivery delivery = null;
        Delivery next = take(this::seesNext, deadlineNs);
        while (delivery == null && next != null) {
            Messages.checkBody(session.wrap(next), type);
            delivery = takeIfNext(next);
            next = delivery == null ? take(this::seesNext, deadlineNs) : next;
        }
        return delivery;
    }

    private @Nullable Delivery takeIfNext(Delivery seen) throws JMSException {
        link.lock();
        try {
            return isOver() ? null : session.deliveries().receive(inbox, seen);
        } finally {
            link.unlock();
        }
    }

    private boolean isOver() {
        return closed || session.isEnding() || inbox.ended() != null;
    }

    private boolean seesNext() throws JMSException {
        if (isOver()) {
            return true;
        }
        taken = session.deliveries().mayHandOver(inbox) ? inbox.first() : null;
        return taken != null;
    }

    private void checkNotEnded() throws JMSException {
        BrokerException cause = inbox.ended();
        if (cause != null) {
            throw Errors.of(cause);
        }
    }

    /** A receive has something to return, or nothing to wait for. */
    @Override
    public boolean met() throws JMSException {
        if (isOver()) {
            return true;
        }
        taken = session.deliveries().receive(inbox);
        return taken != null;
    }

    /** Who closes it while another does waits for the same; so a listener of its own waits for nothing. */
    @Override
    public void close() throws JMSException {
        link.lock();
        try {
            markClosed();
        } finally {
            link.unlock();
        }
        session.close(this);
    }

    /** The broker's answer to its end, for all who close it. */
    Reply end() {
        return end;
    }

    /** Not under the lock: waits for that answer; whoever has asked for it fails as it does. */
    void awaitEnd(boolean asked) throws JMSException {
        if (asked) {
            link.await(end);
        } else {
            link.awaitLocal(() -> end.met() || link.isBroken());
        }
    }

    /** Under the lock: no more is handed over. */
    void markClosed() {
        closed = true;
    }

    /** Not under the lock: waits until a receive has returned. */
    void awaitReceived() throws JMSException {
        link.awaitLocal(() -> !receiving);
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        checkOpen();
        this.listener = listener;
        if (listener != null) {
            session.startDispatching();
        }
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return subscribe.selector();
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return subscribe.noLocal();
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        if (destination instanceof Queue queue) {
            return queue;
        }
        throw Errors.illegal("a topic's consumer has no queue");
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        if (destination instanceof Topic topic) {
            return topic;
        }
        throw Errors.illegal("a queue's consumer has no topic");
    }
}
