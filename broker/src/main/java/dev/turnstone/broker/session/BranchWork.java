package dev.turnstone.broker.session;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.tx.Branch;
import dev.turnstone.broker.tx.BranchTable;
import dev.turnstone.broker.tx.Transaction;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.PrepareVote;
import dev.turnstone.port.Session;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a session does for branches of global transactions. Owned by the engine thread. */
final class BranchWork {
    private final BranchTable table;
    private final Transactions transactions;
    private final Access access;
    private final SendCheck sends;
    private final Origin origin;
    private final Log log;
    private final Outlet outlet;
    /** The branches that it works for, each with its number here, or none while the work is suspended. */
    private final Map<BranchId, Long> numbers = new HashMap<>(0);

    BranchWork(
            Origin origin,
            Access access,
            SessionContext context,
            Outlet outlet,
            Transactions transactions,
            SendCheck sends) {
        this.sends = sends;
        this.origin = origin;
        this.access = access;
        this.table = context.units().branches();
        this.log = context.log();
        this.outlet = outlet;
        this.transactions = transactions;
    }

    private String user() {
        return access.principal().name();
    }

    void start(BranchStart start, Completion completion) {
        transactions.checkFree(start.transaction());
        Branch branch = table.start(start, user(), this, origin.connection());
        transactions.bind(start.transaction(), branch.transaction());
        numbers.put(start.branch(), start.transaction());
        outlet.confirm(completion, 0);
    }

    void end(BranchId id, BranchEnd how, Completion completion) {
        int mark = log.mark();
        BrokerException doom = table.end(id, how, user(), this);
        Long number = numbers.remove(id);
        if (number != null && number != Session.NO_TRANSACTION) {
            transactions.remove(number);
        }
        if (how == BranchEnd.SUSPEND) {
            numbers.put(id, Session.NO_TRANSACTION);
        }
        outlet.hold(log.lsnSince(mark));
        if (doom != null) {
            throw doom;
        }
        outlet.confirm(completion, 0);
    }

    void prepare(BranchCommand.Prepare asked) {
        int mark = log.mark();
        checkAgain(asked.branch());
        try {
            PrepareVote vote = table.prepare(asked.branch(), user());
            outlet.voted(asked, vote, log.lsnSince(mark));
        } finally {
            // Also that it has rolled back is said when that is durable.
            outlet.hold(log.lsnSince(mark));
        }
    }

    private void checkAgain(BranchId id) {
        Transaction open = table.unprepared(id, user());
        if (open != null) {
            sends.checkAgain(open);
        }
    }

    void commit(BranchId id, boolean onePhase, Completion completion) {
        int mark = log.mark();
        boolean copies;
        if (onePhase) {
            checkAgain(id);
        }
        try {
            copies = table.commit(id, onePhase, user());
        } finally {
            outlet.hold(log.lsnSince(mark));
        }
        outlet.confirm(completion, copies ? log.latestLsn() : log.lsnSince(mark));
    }

    void rollback(BranchId id, Completion completion) {
        int mark = log.mark();
        numbers.remove(id);
        table.rollback(id, user());
        outlet.confirm(completion, log.lsnSince(mark));
    }

    void forget(BranchId id, Completion completion) {
        int mark = log.mark();
        table.forget(id, user());
        outlet.confirm(completion, log.lsnSince(mark));
    }

    void recover(BranchCommand.Recover asked) {
        List<BranchId> found = table.recover(user());
        outlet.recovered(asked, found, log.latestLsn());
    }

    /** True if a command would prepare or commit what a prepared branch will send too, or end one that is loading. */
    boolean mustWait(BranchCommand command) {
        if (command instanceof BranchCommand.RollbackBranch rollback) {
            return table.isLoading(rollback.branch());
        }
        if (command instanceof BranchCommand.CommitBranch commit && !commit.onePhase()) {
            return table.isLoading(commit.branch());
        }
        BranchId asked = asksVote(command);
        return asked != null && table.mustWait(asked);
    }

    /** A full queue that a command has to wait for; null if there is none. */
    @Nullable
    QueueState mustWaitFor(BranchCommand command) {
        BranchId asked = asksVote(command);
        return asked == null ? null : table.mustWaitFor(asked);
    }

    /** The branch that a command prepares, or commits in one phase; null if it does neither. */
    private static @Nullable BranchId asksVote(BranchCommand command) {
        if (command instanceof BranchCommand.Prepare prepare) {
            return prepare.branch();
        }
        return command instanceof BranchCommand.CommitBranch commit && commit.onePhase() ? commit.branch() : null;
    }

    /** The session ends. */
    void end() {
        table.ended(this, List.copyOf(numbers.keySet()));
        numbers.clear();
    }
}
