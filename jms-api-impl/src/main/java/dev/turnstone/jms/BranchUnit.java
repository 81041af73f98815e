package dev.turnstone.jms;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Session;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionInProgressException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An XA session's work for branches of global transactions, one at a time; between them, each send and acknowledgement
 * stands alone. Any thread, as transaction managers please; guarded by the link's lock, but for the methods that throw
 * {@link BrokerException}, which wait.
 */
final class BranchUnit implements UnitOfWork {
    private final SessionLink link;
    private final Acknowledgements acknowledgements;
    private final Deliveries deliveries;
    // The engine keeps it, and the branch's end tells.
    private final Completion refusal = Completion.onFailure(cause -> {});
    private long started;
    private long current = Session.NO_TRANSACTION;
    private @Nullable BranchId branch;

    BranchUnit(SessionLink link, Acknowledgements acknowledgements, Deliveries deliveries) {
        this.link = link;
        this.acknowledgements = acknowledgements;
        this.deliveries = deliveries;
    }

    @Override
    public boolean transacted() {
        return true;
    }

    @Override
    public long enlist() {
        return current;
    }

    @Override
    public Completion refusal() {
        return refusal;
    }

    @Override
    public void checkOwn(String verb) throws JMSException {
        throw new TransactionInProgressException(
                verb + "() is not for an XA session: its transaction manager ends branches", "XA_SESSION");
    }

    @Override
    public void commit(Collection<Inbox> consumers) throws JMSException {
        checkOwn("commit");
    }

    @Override
    public void rollback(Collection<Inbox> consumers) throws JMSException {
        checkOwn("rollback");
    }

    /** The session's work belongs to the branch from now on. */
    void start(BranchId id, BranchStart.Mode mode, long timeoutMs) {
        Reply reply = Reply.toOne();
        link.lock();
        try {
            if (branch != null) {
                boolean again = mode == BranchStart.Mode.NEW && branch.equals(id);
                throw new BrokerException(
                        again ? ErrorCode.DUPLICATE_BRANCH : ErrorCode.BRANCH_STATE,
                        "the session works for the branch " + branch + " and cannot start " + id);
            }
            acknowledgements.settleAcknowledged();
            link.port().branches().start(new BranchStart(id, mode, ++started, timeoutMs), reply);
            link.port().flush();
            // From here, though not confirmed: whatever is asked for meanwhile comes behind it.
            enter(id, started);
        } finally {
            link.unlock();
        }
        BrokerException refused = link.outcome(reply);
        if (refused != null) {
            leave(id);
            throw refused;
        }
    }

    private void enter(@Nullable BranchId id, long transaction) {
        branch = id;
        current = transaction;
        acknowledgements.within(transaction);
    }

    private void leave(BranchId id) {
        link.lock();
        try {
            if (id.equals(branch)) {
                enter(null, Session.NO_TRANSACTION);
            }
        } finally {
            link.unlock();
        }
    }

    /**
     * The session's work for the branch ends, or is suspended, with all that it has handed over meanwhile. Fails also
     * if the branch can only roll back; the work has ended all the same.
     */
    void end(BranchId id, BranchEnd how) {
        Reply reply = Reply.toOne();
        boolean seen;
        link.lock();
        try {
            boolean active = id.equals(branch);
            seen = active && acknowledgements.hasUnsettled();
            if (seen && how != BranchEnd.FAIL) {
                // One that is refused makes the end fail.
                acknowledgements.acceptSeen(current, Reply.toMany());
            }
            link.port().branches().end(id, how, reply);
            link.port().flush();
            if (active) {
                enter(null, Session.NO_TRANSACTION);
            }
        } finally {
            link.unlock();
        }
        BrokerException refused = link.outcome(reply);
        if (seen) {
            settleSeen(refused != null || how == BranchEnd.FAIL);
        }
        if (refused != null) {
            throw refused;
        }
    }

    /** What was handed over is the branch's, or, if it did not take it, comes again. */
    private void settleSeen(boolean again) {
        link.lock();
        try {
            if (again) {
                acknowledgements.returnSeen();
            } else {
                acknowledgements.forgetSeen();
            }
        } finally {
            link.unlock();
        }
    }

    /**
     * A branch rolls back by way of this session: what the session has not handed over yet goes back first, so that all
     * comes again in its order.
     */
    void rollback(BranchId id) {
        Reply reply = Reply.toOne();
        List<Inbox> consumers = deliveries.inboxes();
        link.lock();
        try {
            Reply recalled = Reply.toMany();
            for (Inbox inbox : consumers) {
                link.port().recall(inbox.consumer(), inbox.lastSeen(), recalled.another());
                inbox.recall();
            }
            link.port().branches().rollback(id, reply);
            link.port().flush();
        } finally {
            link.unlock();
        }
        BrokerException refused = link.outcome(reply);
        link.lock();
        try {
            consumers.forEach(Inbox::resume);
        } finally {
            link.unlock();
        }
        deliveries.resume();
        if (refused != null) {
            throw refused;
        }
    }
}
