package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Pages;
import java.util.function.DoubleSupplier;

/** What all queues share. Owned by the engine thread. */
public final class QueueContext {
    private final MessageStore store;
    private final Agenda agenda;
    private final Delays delays = new Delays();
    private final Expiry expiry = new Expiry();
    private final Gates gates = new Gates();
    private final Waiting waiting = new Waiting();
    private final Pager pager;
    private final DoubleSupplier random;
    private Router router = message -> {};
    private long nowMs;
    private final ScanBudget budget = new ScanBudget();
    private final Traffic traffic = new Traffic();
    private final int scan;
    private final Limits limits;

    /**
     * For queues whose messages this store keeps, in memory and in these pages.
     *
     * @param random numbers from 0 to 1, for delays that vary
     */
    public QueueContext(MessageStore store, Agenda agenda, Limits limits, Pages pages, DoubleSupplier random) {
        this.random = random;
        this.store = store;
        this.agenda = agenda;
        this.pager = new Pager(pages, store, new Timers(delays, expiry), limits);
        this.scan = limits.intOf(Limit.TURN_SCAN);
        this.limits = limits;
    }

    MessageStore store() {
        return store;
    }

    Log log() {
        return store.log();
    }

    /** What has passed through all of them. */
    public Traffic traffic() {
        return traffic;
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

    /** The queues that wait for consumers. */
    public Gates gates() {
        return gates;
    }

    /** The queues that senders wait for. */
    public Waiting waiting() {
        return waiting;
    }

    /** The entries that will expire. */
    public Expiry expiry() {
        return expiry;
    }

    /** When time alone makes something happen next, milliseconds since the epoch; {@link Long#MAX_VALUE} for never. */
    public long dueMs() {
        return Math.min(gates.dueMs(), Math.min(delays.dueMs(), expiry.dueMs()));
    }

    /** Who takes the messages that are moved. */
    public void routeBy(Router other) {
        router = other;
    }

    Router router() {
        return router;
    }

    /** A turn begins at that time. */
    public void turn(long atMs) {
        nowMs = atMs;
    }

    /** The time of the turn. */
    public long nowMs() {
        return nowMs;
    }

    DoubleSupplier random() {
        return random;
    }

    ScanBudget freshBudget() {
        budget.refill(scan);
        return budget;
    }

    int dispatchBlock() {
        return limits.intOf(Limit.DISPATCH_BLOCK);
    }

    int groupsAside() {
        return limits.intOf(Limit.GROUPS_ASIDE);
    }

    int creditMax() {
        return limits.intOf(Limit.CREDIT_MAX);
    }

    long consumerBytesMax() {
        return limits.of(Limit.CONSUMER_BYTES_MAX);
    }

    int foldAfter() {
        return limits.intOf(Limit.SETTLE_FOLD);
    }
}
