package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Session;
import jakarta.jms.JMSException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A transacted session's transaction (Jakarta Messaging 3.1 §6.2.7): begun with its first send or at the commit, and
 * then the next. Guarded by the link's lock, but for commit and rollback, which wait.
 */
final class LocalTransaction implements UnitOfWork {
    private final SessionLink link;
    private final Acknowledgements acknowledgements;
    private final Completion refusal = Completion.onFailure(this::refuse);
    private long begun;
    private long current = Session.NO_TRANSACTION;
    private @Nullable BrokerException refused;

    LocalTransaction(SessionLink link, Acknowledgements acknowledgements) {
        this.link = link;
        this.acknowledgements = acknowledgements;
    }

    @Override
    public boolean transacted() {
        return true;
    }

    /** The current transaction's number; begins one if there is none. */
    @Override
    public long enlist() {
        if (current == Session.NO_TRANSACTION) {
            current = ++begun;
            link.port().begin(current, refusal);
        }
        return current;
    }

    /** A refused command makes the commit fail. */
    @Override
    public Completion refusal() {
        return refusal;
    }

    @Override
    public void checkOwn(String verb) {
        // Both are the session's.
    }

    private void refuse(BrokerException cause) {
        if (refused == null) {
            refused = cause;
        }
    }

    @Override
    public void commit(Collection<Inbox> consumers) throws JMSException {
        Reply reply = Reply.toMany();
        link.lock();
        try {
            if (current == Session.NO_TRANSACTION && !acknowledgements.hasUnsettled()) {
                return;
            }
            long transaction = enlist();
            acknowledgements.acceptSeen(transaction, reply);
            link.port().commit(transaction, reply.another());
            link.port().flush();
        } finally {
            link.unlock();
        }
        link.await(reply, SessionLink.FOREVER);
        BrokerException failure = end(reply.failure());
        if (failure != null) {
            // What could not be locked to the transaction is still unsettled here.
            acknowledgements.redeliver(consumers, Session.NO_TRANSACTION);
            throw Errors.rolledBack(failure);
        }
    }

    @Override
    public void rollback(Collection<Inbox> consumers) throws JMSException {
        link.lock();
        long transaction;
        try {
            transaction = current;
        } finally {
            link.unlock();
        }
        acknowledgements.redeliver(consumers, transaction);
        end(null);
    }

    /** The transaction is over; why it failed, or null. */
    private @Nullable BrokerException end(@Nullable BrokerException failure) {
        link.lock();
        try {
            BrokerException first = refused == null ? failure : refused;
            if (first == null) {
                acknowledgements.forgetSeen();
            }
            refused = null;
            current = Session.NO_TRANSACTION;
            return first;
        } finally {
            link.unlock();
        }
    }
}
