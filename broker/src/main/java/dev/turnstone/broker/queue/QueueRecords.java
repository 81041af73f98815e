package dev.turnstone.broker.queue;

import dev.turnstone.broker.queue.Departure.Cause;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Page;
import org.jspecify.annotations.Nullable;

/**
 * What a queue writes down of its changes, beside its messages, to find it after a crash. Owned by the engine thread.
 */
final class QueueRecords {
    private final QueueIdentity identity;
    private final EntryIndex index;
    private final Dispatch dispatch;
    private final QueueContext context;
    // Each null before there is something to record.
    private @Nullable DispatchMark mark;
    private @Nullable Settles settles;
    private @Nullable Floor floor;

    QueueRecords(QueueIdentity identity, EntryIndex index, Dispatch dispatch, QueueContext context) {
        this.identity = identity;
        this.index = index;
        this.dispatch = dispatch;
        this.context = context;
    }

    DispatchMark mark() {
        DispatchMark made = mark;
        if (made == null) {
            made = new DispatchMark();
            mark = made;
        }
        return made;
    }

    Settles settles() {
        Settles made = settles;
        if (made == null) {
            made = new Settles(context.foldAfter(), context.store().memory());
            settles = made;
        }
        return made;
    }

    Floor floor() {
        Floor made = floor;
        if (made == null) {
            made = new Floor();
            floor = made;
        }
        return made;
    }

    /**
     * Records a change that is about to be applied, if it must survive.
     *
     * @param ended true if the queue's own record is deleted
     */
    void record(Change change, boolean ended) {
        if (!identity.durable()) {
            return;
        }
        if (change instanceof Change.Settled settled) {
            recordSettled(settled.entry(), ended);
        } else if (change instanceof Change.Dispatched dispatched) {
            recordDispatched(dispatched);
        } else if (change instanceof Change.Returned returned) {
            recordReturned(returned);
        } else if (change instanceof Change.Departing departing) {
            recordDeparting(departing);
        }
    }

    /** Only what time does not show again after a crash: an expired entry is found expired. */
    private void recordDeparting(Change.Departing departing) {
        Entry entry = departing.entry();
        if (!entry.stored().recorded() || departing.why().cause() == Cause.EXPIRED) {
            return;
        }
        boolean rejected = departing.why().cause() == Cause.REJECTED;
        Seen.record(identity.id(), entry, rejected ? -departing.attempts() : departing.attempts(), context.log());
    }

    private void recordReturned(Change.Returned returned) {
        Entry entry = returned.entry();
        if (!entry.stored().recorded()) {
            return;
        }
        if (returned.counted()) {
            Seen.record(identity.id(), entry, entry.attempts + 1, returned.dueMs(), context.log());
        } else if (!returned.seen() && !entry.flagged && entry.attemptRecord != 0) {
            // It was written ahead, for a dispatch that nobody has seen after all.
            context.log().delete(entry.attemptRecord);
            entry.attemptRecord = 0;
        }
    }

    private void recordSettled(Entry entry, boolean ended) {
        if (!entry.stored().recorded()) {
            return;
        }
        Log log = context.log();
        Page page = entry.stored().page();
        if (page != null && page.stored()) {
            if (!ended) {
                passPaged(entry, page);
            }
        } else if (context.store().passDurably(entry.stored()) && !ended) {
            settles().add(identity.id(), entry.position(), log);
        }
        // After the settle: a crash between the two must not bring the message back as one that nobody has seen.
        if (entry.attemptRecord != 0) {
            log.delete(entry.attemptRecord);
        }
    }

    private void passPaged(Entry entry, Page page) {
        if (!floor().leaves(identity.id(), entry, page, index, context.log())) {
            page.pass(identity.id(), entry.stored().slot());
        }
    }

    private void recordDispatched(Change.Dispatched dispatched) {
        Entry entry = dispatched.entry();
        if (!entry.stored().recorded()) {
            return;
        }
        DispatchMark reached = mark();
        if (!reached.covers(entry.position())) {
            int ahead = dispatch.markable(dispatched, context.dispatchBlock());
            if (ahead > 0) {
                reached.reserve(identity.id(), index.reach(entry, ahead), context.log());
            } else if (entry.attemptRecord == 0) {
                Seen.record(identity.id(), entry, entry.attempts, context.log());
            }
        }
        entry.causeLsn = Math.max(entry.causeLsn, reached.lsn());
    }

    /** Records exactly which entries may have been seen, in place of the mark that reaches ahead of them. */
    void markExactly() {
        if (identity.durable() && mark != null && mark.position() != 0) {
            Seen.recordExactly(identity.id(), index, mark, context.log());
        }
    }

    /** Folds settles, if there are many. */
    void fold() {
        if (settles != null && settles.wantsFold()) {
            settles.fold(identity.id(), index, context.log());
        }
    }

    /** The queue has ended. */
    void erase() {
        if (mark != null) {
            mark.erase(context.log());
        }
        if (floor != null) {
            floor.erase(context.log());
        }
        if (settles != null) {
            settles.erase(context.log());
        }
    }
}
