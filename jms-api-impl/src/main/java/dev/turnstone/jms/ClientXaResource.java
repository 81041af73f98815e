package dev.turnstone.jms;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.PrepareVote;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * An XA session as a transaction manager sees it (X/Open XA, chapters 3 and 5; Jakarta Transactions 2.0 §3.4). Any
 * thread. Branches that this resource, or another of the same user, has left can be ended by it also when its session
 * is closed, as long as the connection is open.
 */
final class ClientXaResource implements XAResource {
    private final ClientXaConnection connection;
    private final SessionCore session;
    private final BranchUnit work;
    private volatile int timeoutSeconds;
    /** What an open scan has not given yet; null while none is open. Guarded by this. */
    private @Nullable ArrayDeque<Xid> scan;

    ClientXaResource(ClientXaConnection connection, SessionCore session) throws JMSException {
        this.connection = connection;
        this.session = session;
        this.work = session.branches();
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        BranchStart.Mode mode = switch (flags) {
            case TMNOFLAGS -> BranchStart.Mode.NEW;
            case TMJOIN -> BranchStart.Mode.JOIN;
            case TMRESUME -> BranchStart.Mode.RESUME;
            default -> throw XaErrors.invalid("start takes TMNOFLAGS, TMJOIN or TMRESUME, not " + flags);
        };
        BranchId branch = XaErrors.branch(xid);
        XaErrors.mapped(() -> work.start(branch, mode, TimeUnit.SECONDS.toMillis(timeoutSeconds)));
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        BranchEnd how = switch (flags) {
            case TMSUCCESS -> BranchEnd.SUCCESS;
            case TMFAIL -> BranchEnd.FAIL;
            case TMSUSPEND -> BranchEnd.SUSPEND;
            default -> throw XaErrors.invalid("end takes TMSUCCESS, TMFAIL or TMSUSPEND, not " + flags);
        };
        BranchId branch = XaErrors.branch(xid);
        XaErrors.mapped(() -> work.end(branch, how));
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        BranchId branch = XaErrors.branch(xid);
        List<PrepareVote> votes = new ArrayList<>(1);
        ask((link, reply) -> link.port().branches().prepare(branch, votes::add, reply));
        return votes.contains(PrepareVote.READ_ONLY) ? XA_RDONLY : XA_OK;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        BranchId branch = XaErrors.branch(xid);
        ask((link, reply) -> link.port().branches().commit(branch, onePhase, reply));
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        BranchId branch = XaErrors.branch(xid);
        if (session.isEnding()) {
            ask((link, reply) -> link.port().branches().rollback(branch, reply));
        } else {
            XaErrors.mapped(() -> work.rollback(branch));
        }
    }

    @Override
    public void forget(Xid xid) throws XAException {
        BranchId branch = XaErrors.branch(xid);
        ask((link, reply) -> link.port().branches().forget(branch, reply));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A scan is this resource's own: it begins with TMSTARTRSCAN, which gives all branches at once, and ends with
     * TMENDRSCAN. XAER_INVAL if none is open and none begins (X/Open XA, xa_recover).
     */
    @Override
    public synchronized Xid[] recover(int flags) throws XAException {
        if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw XaErrors.invalid("recover takes TMSTARTRSCAN, TMENDRSCAN, both or TMNOFLAGS, not " + flags);
        }
        ArrayDeque<Xid> rest = (flags & TMSTARTRSCAN) == 0 ? scan : new ArrayDeque<>(inDoubt());
        if (rest == null) {
            throw XaErrors.invalid("no scan is open, and TMSTARTRSCAN is not among the flags");
        }
        Xid[] found = rest.toArray(Xid[]::new);
        rest.clear();
        scan = (flags & TMENDRSCAN) == 0 ? rest : null;
        return found;
    }

    private List<Xid> inDoubt() throws XAException {
        List<Xid> xids = new ArrayList<>();
        ask((link, reply) -> link.port()
                .branches()
                .recover(found -> found.forEach(branch -> xids.add(new ClientXid(branch))), reply));
        return xids;
    }

    /** Asks through the session, or, if that is closed, through the connection, and waits. */
    private void ask(BiConsumer<SessionLink, Reply> question) throws XAException {
        XaErrors.mapped(() -> {
            SessionLink link = session.isEnding() ? connection.spareLink() : session.link();
            Reply reply = Reply.toOne();
            link.lock();
            try {
                question.accept(link, reply);
                link.port().flush();
            } finally {
                link.unlock();
            }
            BrokerException refused = link.outcome(reply);
            if (refused != null) {
                throw refused;
            }
        });
    }

    /** Whether a branch that one of them has started can be joined by the other: same broker, same user. */
    @Override
    public boolean isSameRM(@Nullable XAResource other) {
        return other instanceof ClientXaResource that && (that == this || connection.isOfSameBroker(that.connection));
    }

    /** The time-out of branches that it starts from now on, seconds; 0 for the broker's {@code tx.maxAgeMs}. */
    @Override
    public int getTransactionTimeout() {
        return timeoutSeconds;
    }

    /** {@inheritDoc} The broker enforces it, and {@code tx.maxAgeMs} if that is less. */
    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        if (seconds < 0) {
            throw XaErrors.invalid("a transaction time-out of " + seconds + " seconds");
        }
        timeoutSeconds = seconds;
        return true;
    }
}
