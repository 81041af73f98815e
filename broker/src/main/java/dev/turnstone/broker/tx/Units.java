package dev.turnstone.broker.tx;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** All open transactions, sessions' own and branches, and what they take effect on. Owned by the engine thread. */
public final class Units {
    private final Effects effects;
    private final BranchTable branches;
    private final Limits limits;
    private final long ageMaxMs;
    /** Sessions' own, and when their time is over: all have the same, so the first to end comes first. */
    private final Map<Transaction, Long> open = new LinkedHashMap<>();

    private long nowMs;

    /** None yet. */
    public Units(Effects effects, Limits limits) {
        this.effects = effects;
        this.limits = limits;
        this.branches = new BranchTable(effects, limits);
        this.ageMaxMs = limits.of(Limit.TX_AGE_MAX);
    }

    /** What they take effect on. */
    public Effects effects() {
        return effects;
    }

    /** The branches. */
    public BranchTable branches() {
        return branches;
    }

    /**
     * A session's own transaction begins.
     *
     * @throws BrokerException LIMIT_EXCEEDED if there are too many
     */
    public Transaction begin() {
        long max = limits.of(Limit.TX_MAX);
        if (open.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " open transactions already (" + Limit.TX_MAX.setting() + ")");
        }
        Transaction begun = new Transaction(limits, effects.addresses(), false);
        open.put(begun, nowMs + ageMaxMs);
        return begun;
    }

    /** A session's own transaction has ended. */
    public void ended(Transaction transaction) {
        open.remove(transaction);
    }

    /** Undoes what has become too old. */
    public void expire(long atMs) {
        nowMs = atMs;
        branches.expire(atMs);
        Iterator<Map.Entry<Transaction, Long>> oldest = open.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Transaction, Long> next = oldest.next();
            if (next.getValue() > nowMs) {
                return;
            }
            oldest.remove();
            next.getKey()
                    .undo(new BrokerException(
                            ErrorCode.TRANSACTION_TIMED_OUT,
                            "the transaction was open for longer than " + Limit.TX_AGE_MAX.setting() + "=" + ageMaxMs
                                    + " milliseconds and has rolled back"));
        }
    }

    /** When {@link #expire} has something to do, in milliseconds since the epoch. */
    public long dueMs() {
        long due = open.isEmpty() ? Long.MAX_VALUE : open.values().iterator().next();
        return Math.min(due, branches.dueMs());
    }
}
