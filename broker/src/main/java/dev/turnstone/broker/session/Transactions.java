package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.tx.Transaction;
import dev.turnstone.broker.tx.Units;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Session;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open transactions of one session by number. Owned by the engine thread. */
final class Transactions {
    private final Limits limits;
    private final Units units;
    private final Map<Long, Transaction> open = new HashMap<>();
    /** The last one looked up, and its number: a transaction's commands follow each other. */
    private @Nullable Transaction last;

    private long lastNumber;

    Transactions(Limits limits, Units units) {
        this.limits = limits;
        this.units = units;
    }

    boolean anyOpen() {
        return !open.isEmpty();
    }

    void begin(long number) {
        checkFree(number);
        bind(number, units.begin());
    }

    /** Checks that a number is free and there is room for one more. */
    void checkFree(long number) {
        int max = limits.intOf(Limit.TRANSACTIONS_MAX);
        if (open.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the session has " + max + " open transactions already (" + Limit.TRANSACTIONS_MAX.setting() + ")");
        }
        if (number == Session.NO_TRANSACTION || open.containsKey(number)) {
            throw new BrokerException(
                    ErrorCode.DUPLICATE_TRANSACTION, "the session has a transaction " + number + " already");
        }
    }

    /** From now on a number that is free means this transaction. */
    void bind(long number, Transaction transaction) {
        open.put(number, transaction);
        last = transaction;
        lastNumber = number;
    }

    /** The session's own transaction of that number. */
    Transaction own(long number) {
        Transaction found = get(number);
        if (found.ofBranch()) {
            throw new BrokerException(
                    ErrorCode.BRANCH_STATE,
                    "transaction " + number + " is a branch's: its transaction manager ends it");
        }
        return found;
    }

    Transaction get(long number) {
        Transaction recent = last;
        if (recent != null && lastNumber == number) {
            return recent;
        }
        Transaction found = open.get(number);
        if (found == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_TRANSACTION, "there is no transaction " + number + " in this session");
        }
        last = found;
        lastNumber = number;
        return found;
    }

    /** The open transaction of that number, or null. */
    @Nullable
    Transaction find(long number) {
        return number == Session.NO_TRANSACTION ? null : open.get(number);
    }

    void remove(long number) {
        Transaction removed = open.remove(number);
        if (removed != null && !removed.ofBranch()) {
            units.ended(removed);
        }
        last = null;
    }

    /** Undoes all without counting an attempt. */
    void rollbackAll() {
        for (Transaction transaction : open.values()) {
            if (!transaction.ofBranch()) {
                units.ended(transaction);
                transaction.rollback(false);
            }
        }
        open.clear();
        last = null;
    }
}
