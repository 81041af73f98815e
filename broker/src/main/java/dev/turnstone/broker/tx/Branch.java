package dev.turnstone.broker.tx;

import dev.turnstone.broker.store.BranchRecord;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One branch of a global transaction: who works for it, and what it holds. Owned by the engine thread. */
public final class Branch {
    private final BranchId id;
    private final String user;
    private final Transaction transaction;
    /** When it rolls back if it is not prepared, and the place among those of the same time. */
    private final long deadlineMs;

    private final long number;
    /** Who works for it, and whether that is suspended. */
    private final Map<Object, Boolean> workers = new HashMap<>(2);
    /** The connections that have worked for it. */
    private final Set<String> connections = new HashSet<>(2);

    private BranchRecord.@Nullable State state;
    private long record;

    Branch(BranchId id, String user, Transaction transaction, long deadlineMs, long number) {
        this.id = id;
        this.user = user;
        this.transaction = transaction;
        this.deadlineMs = deadlineMs;
        this.number = number;
    }

    BranchId id() {
        return id;
    }

    String user() {
        return user;
    }

    /** What it holds. */
    public Transaction transaction() {
        return transaction;
    }

    long deadlineMs() {
        return deadlineMs;
    }

    long number() {
        return number;
    }

    /** What a record says of it; null if it is not prepared. */
    BranchRecord.@Nullable State state() {
        return state;
    }

    /** The id of its record; 0 if it has none. */
    long record() {
        return record;
    }

    void recorded(BranchRecord.State as, long underId) {
        state = as;
        record = underId;
    }

    Set<String> connections() {
        return connections;
    }

    void join(Object worker, String connection) {
        if (workers.containsKey(worker)) {
            throw state("this session works for it already, or has suspended its work");
        }
        workers.put(worker, false);
        connections.add(connection);
    }

    void resume(Object worker) {
        if (!Boolean.TRUE.equals(workers.get(worker))) {
            throw state("this session has not suspended its work for it");
        }
        workers.put(worker, false);
    }

    void suspend(Object worker) {
        if (!Boolean.FALSE.equals(workers.get(worker))) {
            throw state("this session does not work for it");
        }
        workers.put(worker, true);
    }

    void leave(Object worker) {
        if (workers.remove(worker) == null) {
            throw state("this session does not work for it");
        }
    }

    /** A session has ended; true if it worked for the branch. */
    boolean drop(Object worker) {
        return workers.remove(worker) != null;
    }

    void mustBeUnprepared() {
        if (state != null) {
            throw state("it is prepared or decided");
        }
    }

    /** All work must have ended. */
    void mustBeIdle() {
        mustBeUnprepared();
        if (!workers.isEmpty()) {
            throw state("a session still works for it, or has suspended its work");
        }
    }

    /** Nobody may be at work, though somebody may have suspended it. */
    void mustNotBeActive() {
        if (workers.containsValue(false)) {
            throw state("a session still works for it");
        }
    }

    /** A branch that an operator has decided says so. */
    void mustBeUndecided() {
        if (state == BranchRecord.State.COMMITTED) {
            throw new BrokerException(ErrorCode.HEURISTIC_COMMIT, "an operator has committed the branch " + id);
        }
        if (state == BranchRecord.State.ROLLED_BACK) {
            throw new BrokerException(ErrorCode.HEURISTIC_ROLLBACK, "an operator has rolled back the branch " + id);
        }
    }

    /** What somebody hears whose branch can only roll back; null if it need not. */
    @Nullable
    BrokerException doom() {
        BrokerException refusal = transaction.refusal();
        if (refusal == null
                || refusal.code() == ErrorCode.TRANSACTION_TIMED_OUT
                || refusal.code() == ErrorCode.BRANCH_ROLLED_BACK) {
            return refusal;
        }
        return new BrokerException(
                ErrorCode.BRANCH_ROLLED_BACK,
                "the branch " + id + " can only roll back, since a command of it was refused: " + refusal.getMessage(),
                refusal);
    }

    BrokerException state(String why) {
        return new BrokerException(ErrorCode.BRANCH_STATE, "the branch " + id + ": " + why);
    }
}
