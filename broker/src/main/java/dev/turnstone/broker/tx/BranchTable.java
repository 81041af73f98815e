package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.BranchRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.PrepareVote;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All branches of global transactions: their states (X/Open XA, chapter 6) and what each command does to them. A
 * command either does everything, or throws and has done nothing but what its documentation says. Owned by the engine
 * thread.
 */
public final class BranchTable {
    private final Effects effects;
    private final Log log;
    private final MessageStore store;
    private final Limits limits;
    private final Map<BranchId, Branch> branches = new LinkedHashMap<>();
    /** What prepared branches have recorded. */
    private final Map<Branch, PreparedLog> prepared = new HashMap<>();
    /** The identities of messages that prepared branches will send. */
    private final Map<Fingerprint, Branch> ids = new HashMap<>();
    /** Those that are not prepared and have not rolled back, by their deadline. */
    private final TreeSet<Branch> open =
            new TreeSet<>(Comparator.comparingLong(Branch::deadlineMs).thenComparingLong(Branch::number));

    /** The branches that each connection has worked for. */
    private final Map<String, Set<Branch>> byConnection = new HashMap<>();

    private long begun;
    private long nowMs;

    /** None yet. */
    public BranchTable(Effects effects, Limits limits) {
        this.effects = effects;
        this.store = effects.addresses().store();
        this.log = store.log();
        this.limits = limits;
    }

    private Branch get(BranchId id, String user) {
        Branch branch = branches.get(id);
        if (branch == null || !branch.user().equals(user)) {
            throw new BrokerException(ErrorCode.NO_SUCH_BRANCH, "there is no branch " + id);
        }
        return branch;
    }

    /** A session of a connection begins to work for a branch; returns the branch. */
    public Branch start(BranchStart start, String user, Object worker, String connection) {
        if (start.mode() == BranchStart.Mode.NEW) {
            Branch created = create(start, user);
            join(created, worker, connection);
            return created;
        }
        Branch branch = get(start.branch(), user);
        branch.mustBeUnprepared();
        BrokerException doom = branch.doom();
        if (doom != null) {
            throw doom;
        }
        if (start.mode() == BranchStart.Mode.JOIN) {
            join(branch, worker, connection);
        } else {
            branch.resume(worker);
        }
        return branch;
    }

    private void join(Branch branch, Object worker, String connection) {
        branch.join(worker, connection);
        byConnection.computeIfAbsent(connection, c -> new HashSet<>(2)).add(branch);
    }

    private Branch create(BranchStart start, String user) {
        BranchId id = start.branch();
        if (branches.containsKey(id)) {
            throw new BrokerException(ErrorCode.DUPLICATE_BRANCH, "there is a branch " + id + " already");
        }
        long max = limits.of(Limit.TX_BRANCHES_MAX);
        if (branches.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " branches already (" + Limit.TX_BRANCHES_MAX.setting() + ")");
        }
        long most = limits.of(Limit.TX_AGE_MAX);
        long age = start.timeoutMs() > 0 ? Math.min(start.timeoutMs(), most) : most;
        Branch branch = new Branch(id, user, new Transaction(limits, effects.addresses(), true), nowMs + age, ++begun);
        branches.put(id, branch);
        open.add(branch);
        return branch;
    }

    /** A session's work for a branch ends; returns why the branch can only roll back, null if it need not. */
    public @Nullable BrokerException end(BranchId id, BranchEnd how, String user, Object worker) {
        Branch branch = get(id, user);
        branch.mustBeUnprepared();
        if (how == BranchEnd.SUSPEND) {
            branch.suspend(worker);
        } else {
            branch.leave(worker);
        }
        if (how == BranchEnd.FAIL) {
            doom(branch, ErrorCode.BRANCH_ROLLED_BACK, "a session's work for it failed");
            return null;
        }
        return branch.doom();
    }

    /** It can only roll back from now on: what it holds goes back at once. */
    private void doom(Branch branch, ErrorCode code, String why) {
        open.remove(branch);
        branch.transaction().undo(new BrokerException(code, "the branch " + branch.id() + " has rolled back: " + why));
    }

    /** Prepares a branch; what it records is in one unit. */
    public PrepareVote prepare(BranchId id, String user) {
        Branch branch = get(id, user);
        branch.mustBeUndecided();
        // What is prepared must commit, whatever the disk has left then.
        checkMayEnd(branch, 2);
        Transaction transaction = branch.transaction();
        if (transaction.isEmpty()) {
            end(branch);
            return PrepareVote.READ_ONLY;
        }
        open.remove(branch);
        PreparedLog records = new PreparedLog();
        effects.begin();
        branch.recorded(
                BranchRecord.State.PREPARED,
                log.add(RecordType.BRANCH, new BranchRecord(id, BranchRecord.State.PREPARED, user)));
        records.write(branch.record(), transaction, log);
        effects.end();
        hold(branch, records);
        return PrepareVote.PREPARED;
    }

    /** Nobody works for it any more, nothing of it was refused, and there is room for what it would send. */
    private void checkMayEnd(Branch branch, int records) {
        branch.mustBeIdle();
        Transaction transaction = branch.transaction();
        BrokerException full = transaction.refusal() == null
                ? transaction.lacksRoom(effects.addresses().admission(), effects.duplicates())
                : null;
        if (full == null && transaction.refusal() == null) {
            full = effects.room().refusal(transaction, records);
        }
        if (full != null) {
            transaction.refused(full);
        }
        BrokerException doom = branch.doom();
        if (doom != null) {
            end(branch);
            branch.transaction().rollback(true);
            throw doom;
        }
    }

    /** What a user's branch holds that is not prepared; null if there is none. */
    public @Nullable Transaction unprepared(BranchId id, String user) {
        Branch branch = branches.get(id);
        return branch != null && branch.state() == null && branch.user().equals(user) ? branch.transaction() : null;
    }

    private void end(Branch branch) {
        branches.remove(branch.id());
        open.remove(branch);
        for (String connection : branch.connections()) {
            byConnection.computeIfPresent(
                    connection, (c, started) -> started.remove(branch) && started.isEmpty() ? null : started);
        }
    }

    private void hold(Branch branch, PreparedLog records) {
        prepared.put(branch, records);
        branch.transaction().ids().forEach(print -> ids.put(print, branch));
    }

    private void release(Branch branch) {
        branch.transaction().ids().forEach(print -> ids.remove(print, branch));
        PreparedLog records = prepared.remove(branch);
        if (records != null) {
            records.erase(log);
            log.delete(branch.record());
        }
    }

    /** Recovery: a branch that survived, whose transaction is filled. */
    void recover(Branch branch, PreparedLog records) {
        branches.put(branch.id(), branch);
        hold(branch, records);
    }

    /** Commits a branch as one unit; returns true if a send was a second copy, whose first may not be durable. */
    public boolean commit(BranchId id, boolean onePhase, String user) {
        Branch branch = get(id, user);
        branch.mustBeUndecided();
        if (onePhase) {
            checkMayEnd(branch, 1);
        } else if (branch.state() == null) {
            throw branch.state("it is not prepared");
        }
        end(branch);
        effects.begin();
        release(branch);
        boolean copies = branch.transaction().commit(effects);
        effects.end();
        return copies;
    }

    /** Rolls a branch back. */
    public void rollback(BranchId id, String user) {
        Branch branch = get(id, user);
        branch.mustBeUndecided();
        branch.mustNotBeActive();
        end(branch);
        effects.begin();
        release(branch);
        branch.transaction().rollback(true);
        effects.end();
    }

    /** Forgets a branch that was decided by an operator. */
    public void forget(BranchId id, String user) {
        Branch branch = get(id, user);
        if (branch.state() == null || branch.state() == BranchRecord.State.PREPARED) {
            throw new BrokerException(ErrorCode.NO_SUCH_BRANCH, "no operator has decided the branch " + id);
        }
        end(branch);
        log.delete(branch.record());
    }

    /**
     * An operator decides a prepared branch; that is remembered until it is forgotten.
     *
     * @throws BrokerException NO_SUCH_BRANCH, or BRANCH_STATE if it is not prepared
     */
    public void decide(BranchId id, boolean commit) {
        Branch branch = branches.get(id);
        if (branch == null) {
            throw new BrokerException(ErrorCode.NO_SUCH_BRANCH, "there is no branch " + id);
        }
        branch.mustBeUndecided();
        if (branch.state() == null) {
            throw branch.state("it is not prepared");
        }
        BranchRecord.State state = commit ? BranchRecord.State.COMMITTED : BranchRecord.State.ROLLED_BACK;
        effects.begin();
        release(branch);
        branch.recorded(state, log.add(RecordType.BRANCH, new BranchRecord(id, state, branch.user())));
        if (commit) {
            branch.transaction().commit(effects);
        } else {
            branch.transaction().rollback(true);
        }
        effects.end();
    }

    /** The prepared and the decided branches of a user. */
    public List<BranchId> recover(String user) {
        List<BranchId> found = new ArrayList<>();
        for (Branch branch : branches.values()) {
            if (branch.state() != null && branch.user().equals(user)) {
                found.add(branch.id());
            }
        }
        return found;
    }

    /** True if a prepared branch will send a message of this identity: whoever sends it too must wait. */
    public boolean holds(Fingerprint print) {
        return ids.containsKey(print);
    }

    /**
     * True if a branch must wait before it is prepared or commits: its messages are being moved to pages, or a prepared
     * branch will send one of them too.
     */
    public boolean mustWait(BranchId id) {
        Branch branch = branches.get(id);
        return branch != null
                && branch.state() == null
                && (branch.transaction().mustWait(true) || sharesIds(branch.transaction()));
    }

    /**
     * A full queue that a branch must wait for before it is prepared or commits in one phase; null if there is none.
     */
    public @Nullable QueueState mustWaitFor(BranchId id) {
        Branch branch = branches.get(id);
        return branch != null && branch.state() == null
                ? branch.transaction().mustWaitFor(effects.addresses().admission(), effects.duplicates())
                : null;
    }

    /** True if a transaction would send what a prepared branch will send. */
    public boolean sharesIds(Transaction transaction) {
        return !ids.isEmpty() && transaction.ids().stream().anyMatch(ids::containsKey);
    }

    /** True if something may have to wait for a prepared branch. */
    public boolean anyPrepared() {
        return !prepared.isEmpty();
    }

    /** True while entries that a prepared branch has settled are not in memory: it cannot end yet. */
    public boolean isLoading(BranchId id) {
        Branch branch = branches.get(id);
        return branch != null && !branch.transaction().complete();
    }

    /** A session has ended: what it was at work for, and is not prepared, rolls back. */
    public void ended(Object worker, List<BranchId> started) {
        for (BranchId id : started) {
            Branch branch = branches.get(id);
            if (branch != null && branch.drop(worker) && branch.state() == null) {
                doom(branch, ErrorCode.BRANCH_ROLLED_BACK, "a session ended in the middle of its work for it");
            }
        }
    }

    /** A connection has ended: what it worked for, and is not prepared, rolls back. */
    public void closed(String connection) {
        Set<Branch> started = byConnection.remove(connection);
        if (started == null) {
            return;
        }
        for (Branch branch : started) {
            branch.connections().remove(connection);
            if (branch.state() != null) {
                continue;
            }
            if (branch.transaction().refusal() == null) {
                doom(branch, ErrorCode.BRANCH_ROLLED_BACK, "a connection that worked for it has ended");
            }
            if (branch.connections().isEmpty()) {
                end(branch);
                branch.transaction().rollback(false);
            }
        }
    }

    /** Rolls back what is not prepared and has become too old. */
    public void expire(long atMs) {
        nowMs = atMs;
        while (!open.isEmpty() && open.first().deadlineMs() <= nowMs) {
            doom(open.first(), ErrorCode.TRANSACTION_TIMED_OUT, "its time is over");
        }
    }

    /** When {@link #expire} has something to do, in milliseconds since the epoch. */
    public long dueMs() {
        return open.isEmpty() ? Long.MAX_VALUE : open.first().deadlineMs();
    }
}
