package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which of a session's deliveries are acknowledged, and when the broker is told (Jakarta Messaging 3.1 §6.2.10).
 * Guarded by the link's lock; the methods that wait say so.
 *
 * <p>AUTO_ACKNOWLEDGE settles each persistent message at once, and the next is handed over only when that is durable,
 * so a crash can bring back one message at most. What a crash would drop anyway, and all of DUPS_OK_ACKNOWLEDGE, is
 * settled in ranges.
 */
final class Acknowledgements {
    /** The most deliveries that are acknowledged without telling the broker. */
    private static final int LAZY_MAX = 256;

    private final SessionLink link;
    private final int mode;
    private final boolean durably;
    private final Completion unheard;
    private final List<Inbox> unsettled = new ArrayList<>();
    private @Nullable Reply pending;
    /** The transaction's number of the branch that is being worked for, or none. Read without the lock too. */
    private volatile long branch = Session.NO_TRANSACTION;

    /**
     * Durably: whether AUTO_ACKNOWLEDGE waits for the disk. Failures of settlements that nobody waits for go to the
     * handler.
     */
    Acknowledgements(SessionLink link, int mode, boolean durably, Consumer<BrokerException> failures) {
        this.link = link;
        this.mode = mode;
        this.durably = durably && mode == jakarta.jms.Session.AUTO_ACKNOWLEDGE;
        this.unheard = Completion.onFailure(failures);
    }

    int mode() {
        return mode;
    }

    /** For settlements that nobody waits for. */
    Completion unheard() {
        return unheard;
    }

    boolean isAutomatic() {
        return mode == jakarta.jms.Session.AUTO_ACKNOWLEDGE || mode == jakarta.jms.Session.DUPS_OK_ACKNOWLEDGE;
    }

    /** From now on deliveries are settled in this branch's transaction; with none, by themselves again. */
    void within(long transaction) {
        branch = transaction;
    }

    /** Whether deliveries are settled in a branch's transaction. */
    boolean isInBranch() {
        return branch != Session.NO_TRANSACTION;
    }

    /** False while the last automatic acknowledgement is not durable yet; fails if it could not be made. */
    boolean mayHandOver() throws JMSException {
        Reply last = pending;
        if (last == null) {
            return true;
        } else if (!last.met()) {
            return false;
        }
        pending = null;
        last.orThrow();
        return true;
    }

    /** Takes the inbox's first delivery for the application. */
    Delivery handOver(Inbox inbox) {
        if (!inbox.hasUnsettled()) {
            unsettled.add(inbox);
        }
        Delivery delivery = inbox.take();
        // Before any acknowledgement: the application reads the body after that.
        link.bodies().keep(delivery.message());
        return delivery;
    }

    /**
     * The application has consumed this delivery, in an automatic mode. Does not flush; true if there is something to
     * flush.
     */
    boolean acknowledge(Inbox inbox, Delivery delivery) {
        inbox.acknowledgeSeen();
        if (inbox.firstToSettle() == 0) {
            // A branch that the listener has worked for has settled it.
            return false;
        } else if (isInBranch()) {
            Settle again = acknowledged(inbox, Outcome.MODIFIED, Session.NO_TRANSACTION);
            return settle(inbox, Completion.onFailure(refusal -> giveBack(again)), branch);
        }
        if (durably && delivery.message().persistent()) {
            Reply reply = Reply.toMany();
            pending = reply;
            return settle(inbox, reply.another(), Session.NO_TRANSACTION);
        }
        boolean due = inbox.isEmpty() || inbox.toSettle() >= LAZY_MAX;
        return due && settle(inbox, unheard, Session.NO_TRANSACTION);
    }

    /** A branch did not take it, which its end will tell: it comes again. */
    private void giveBack(Settle again) {
        link.port().settle(again, unheard);
        link.port().flush();
    }

    /** Tells the broker of all that is acknowledged lazily. Does not flush. */
    void settleAcknowledged() {
        if (!isAutomatic()) {
            return;
        }
        for (Inbox inbox : List.copyOf(unsettled)) {
            settle(inbox, unheard, Session.NO_TRANSACTION);
        }
    }

    /** Acknowledges all that the session has handed over and waits until that is durable. Not under the lock. */
    void acknowledgeAll() throws JMSException {
        Reply reply = Reply.toMany();
        link.lock();
        try {
            acceptSeen(Session.NO_TRANSACTION, reply);
            forgetSeen();
            link.port().flush();
        } finally {
            link.unlock();
        }
        link.await(reply);
    }

    /** Accepts all that the session has handed over, in this transaction. Does not flush. */
    void acceptSeen(long transaction, Reply reply) {
        for (Inbox inbox : unsettled) {
            inbox.acknowledgeSeen();
            link.port().settle(acknowledged(inbox, Outcome.ACCEPTED, transaction), reply.another());
        }
    }

    /** What was accepted need not be settled any more. */
    void forgetSeen() {
        unsettled.forEach(Inbox::settled);
        unsettled.clear();
    }

    /** What was handed over and is not settled goes back, flagged and counted. Flushes. */
    void returnSeen() {
        for (Inbox inbox : unsettled) {
            inbox.acknowledgeSeen();
            Settle modified = acknowledged(inbox, Outcome.MODIFIED, Session.NO_TRANSACTION);
            link.port().settle(modified, Reply.toMany().anotherUnlessGone());
        }
        forgetSeen();
        link.port().flush();
    }

    boolean hasUnsettled() {
        return !unsettled.isEmpty();
    }

    private boolean settle(Inbox inbox, Completion completion, long transaction) {
        if (inbox.firstToSettle() == 0) {
            return false;
        }
        link.port().settle(acknowledged(inbox, Outcome.ACCEPTED, transaction), completion);
        inbox.settled();
        if (!inbox.hasUnsettled()) {
            unsettled.remove(inbox);
        }
        return true;
    }

    private static Settle acknowledged(Inbox inbox, Outcome outcome, long transaction) {
        return new Settle(inbox.consumer(), inbox.firstToSettle(), inbox.lastToSettle(), outcome, transaction);
    }

    /**
     * Sends back what the application has seen and not acknowledged, flagged and counted, and what it has not seen,
     * unflagged; then the given consumers are ready for credit again. Waits until it is done. Not under the lock.
     *
     * @param transaction one to be rolled back too, or none
     */
    void redeliver(Collection<Inbox> consumers, long transaction) throws JMSException {
        redeliver(consumers, transaction, null);
    }

    /** As {@link #redeliver(Collection, long)}, and says why. */
    void redeliver(Collection<Inbox> consumers, long transaction, @Nullable String reason) throws JMSException {
        Reply reply = Reply.toMany();
        link.lock();
        try {
            settleAcknowledged();
            for (Inbox inbox : consumers) {
                link.port().recall(inbox.consumer(), inbox.lastSeen(), reply.another());
                inbox.recall();
            }
            for (Inbox inbox : unsettled) {
                inbox.acknowledgeSeen();
                Settle modified = acknowledged(inbox, Outcome.MODIFIED, Session.NO_TRANSACTION)
                        .because(reason);
                link.port().settle(modified, reply.anotherUnlessGone());
            }
            forgetSeen();
            if (transaction != Session.NO_TRANSACTION) {
                link.port().rollback(transaction, reply.another());
            }
            link.port().flush();
        } finally {
            link.unlock();
        }
        link.await(reply);
        link.lock();
        try {
            // Not before the broker has answered: what came until then is void.
            consumers.forEach(Inbox::resume);
        } finally {
            link.unlock();
        }
    }
}
