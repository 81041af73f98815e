package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Pages;

/** What all queues share. Owned by the engine thread. */
public final class QueueContext {
    private final MessageStore store;
    private final Agenda agenda;
    private final Delays delays = new Delays();
    private final Pager pager;
    private final ScanBudget budget = new ScanBudget();
    private final int scan;
    private final int block;
    private final int creditMax;
    private final int foldAfter;

    /** For queues whose messages this store keeps, in memory and in these pages. */
    public QueueContext(MessageStore store, Agenda agenda, Limits limits, Pages pages) {
        this.store = store;
        this.agenda = agenda;
        this.pager = new Pager(pages, store, agenda, delays, limits);
        this.scan = limits.intOf(Limit.TURN_SCAN);
        this.block = limits.intOf(Limit.DISPATCH_BLOCK);
        this.creditMax = limits.intOf(Limit.CREDIT_MAX);
        this.foldAfter = limits.intOf(Limit.SETTLE_FOLD);
    }

    MessageStore store() {
        return store;
    }

    Log log() {
        return store.log();
    }

    /** The queues that have something to do. */
    public Agenda agenda() {
        return agenda;
    }

    /** The entries that wait for their time. */
    public Delays delays() {
        return delays;
    }

    /** Who moves entries between memory and pages. */
    public Pager pager() {
        return pager;
    }

    ScanBudget freshBudget() {
        budget.refill(scan);
        return budget;
    }

    int dispatchBlock() {
        return block;
    }

    int creditMax() {
        return creditMax;
    }

    int foldAfter() {
        return foldAfter;
    }
}
