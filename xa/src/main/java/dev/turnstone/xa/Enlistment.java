package dev.turnstone.xa;

import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * The part that one resource takes in transactions: in that of the thread that uses it, each time it is used. When its
 * owner has let go of it, and no transaction needs it any more, it is released. {@link #enter} is called by one thread
 * at a time, the one that uses the resource; the rest by any.
 */
final class Enlistment {
    private final TransactionManager manager;
    private final NamedResource resource;
    private final Runnable release;
    /** The transactions that it has a part in and that have not ended; guarded by this. */
    private final Set<Transaction> open = new HashSet<>(2);

    private @Nullable Transaction active;
    /** Guarded by this. */
    private boolean letGo;

    Enlistment(TransactionManager manager, NamedResource resource, Runnable release) {
        this.manager = manager;
        this.resource = resource;
        this.release = release;
    }

    /** Whether what was done last belongs to a transaction; for the thread that has entered. */
    boolean inTransaction() {
        return active != null;
    }

    /** From now on the resource works for the calling thread's transaction, or, if that has none, for nobody. */
    void enter() throws SystemException, RollbackException {
        Transaction now = manager.getTransaction();
        if (now != null && isOver(now)) {
            throw new RollbackException("the transaction of this thread has ended, by its time-out perhaps");
        } else if (Objects.equals(now, active) && (now == null || isOpen(now))) {
            return;
        }
        Transaction before = active;
        active = null;
        if (before != null && isOpen(before)) {
            before.delistResource(resource, XAResource.TMSUSPEND);
        }
        if (now != null) {
            join(now);
            active = now;
        }
    }

    private static boolean isOver(Transaction transaction) throws SystemException {
        int status = transaction.getStatus();
        return status == Status.STATUS_ROLLEDBACK
                || status == Status.STATUS_ROLLING_BACK
                || status == Status.STATUS_COMMITTED
                || status == Status.STATUS_COMMITTING
                || status == Status.STATUS_NO_TRANSACTION
                || status == Status.STATUS_UNKNOWN;
    }

    private void join(Transaction transaction) throws SystemException, RollbackException {
        boolean first;
        synchronized (this) {
            first = open.add(transaction);
        }
        boolean joined = false;
        try {
            if (first) {
                transaction.registerSynchronization(new Ended(transaction));
            }
            joined = transaction.enlistResource(resource);
        } finally {
            if (!joined && first) {
                leave(transaction);
            }
        }
        if (!joined) {
            transaction.setRollbackOnly();
            throw new SystemException("the transaction manager did not enlist " + resource);
        }
    }

    private synchronized boolean isOpen(Transaction transaction) {
        return open.contains(transaction);
    }

    /** The owner is done with it. */
    void letGo() {
        boolean free;
        synchronized (this) {
            free = !letGo && open.isEmpty();
            letGo = true;
        }
        if (free) {
            release.run();
        }
    }

    private void leave(Transaction transaction) {
        boolean free;
        synchronized (this) {
            free = open.remove(transaction) && letGo && open.isEmpty();
        }
        if (free) {
            release.run();
        }
    }

    /** Hears of a transaction's end; on whatever thread that is. */
    private final class Ended implements Synchronization {
        private final Transaction transaction;

        Ended(Transaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public void beforeCompletion() {
            // What there is to do is done by the resource.
        }

        @Override
        public void afterCompletion(int status) {
            leave(transaction);
        }
    }
}
