package dev.turnstone.broker.queue;

import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.port.Address;

/**
 * One queue. Commands become {@link Change}s; a change is recorded if it must survive, and applied. Owned by the engine
 * thread.
 */
public final class QueueState {
    private final QueueIdentity identity;
    private final long id;
    private final QueueContext context;
    private final Home home;
    private final EntryIndex index = new EntryIndex();
    private final Dispatch dispatch = new Dispatch(index);
    private final DispatchMark mark = new DispatchMark();
    private final Settles settles;
    /** Entries that are delivered or locked. */
    private int out;

    private AddressSettings settings;
    private boolean ended;
    boolean onAgenda;

    /**
     * An empty queue.
     *
     * @param settings what holds for it until {@link #configure}
     * @param home hears when the queue is idle
     */
    public QueueState(QueueIdentity identity, AddressSettings settings, Home home, QueueContext context) {
        this.identity = identity;
        this.id = identity.id();
        this.settings = settings;
        this.home = home;
        this.context = context;
        this.settles = new Settles(context.foldAfter());
    }

    /** Its durable identity. */
    public long id() {
        return id;
    }

    /** Its address, or the topic's that its subscription is of. */
    public Address address() {
        return identity.address();
    }

    /** From now on other settings hold. */
    public void configure(AddressSettings other) {
        settings = other;
        context.agenda().add(this);
    }

    /** What holds for it. */
    public AddressSettings settings() {
        return settings;
    }

    /** True if persistent messages in it survive the broker. */
    public boolean durable() {
        return identity.durable();
    }

    EntryIndex index() {
        return index;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    /** How many messages it holds. */
    public int depth() {
        return index.size();
    }

    /** How many messages it holds that nobody has been given. */
    public int waiting() {
        return index.size() - out;
    }

    /** The next turn looks at the queue. */
    public void wake() {
        context.agenda().add(this);
    }

    /** True if somebody consumes from it, or has a delivery that is not settled for good. */
    public boolean inUse() {
        return out > 0 || dispatch.hasConsumers();
    }

    /** True if a consumer is attached that takes messages, rather than looks at them. */
    public boolean hasTakers() {
        return dispatch.hasTakers();
    }

    /** True if a consumer or browser is attached. */
    public boolean hasConsumers() {
        return dispatch.hasConsumers();
    }

    /** Adds a message, which the store has recorded if it must survive. */
    public void enqueue(StoredMessage message) {
        perform(new Change.Enqueued(message, 0, false, 0));
    }

    /** An entry that is with a consumer, or locked, leaves for good. Nothing happens if it has left already. */
    public void settle(Entry entry) {
        if (entry.state != EntryState.GONE) {
            perform(new Change.Settled(entry));
        }
    }

    /** A delivered entry waits for its transaction. */
    public void lock(Entry entry) {
        if (entry.state != EntryState.GONE) {
            perform(new Change.Locked(entry));
        }
    }

    /**
     * A delivered or locked entry returns to its place.
     *
     * @param seen true if an application may have seen it
     * @param counted true if that counts as an attempt
     */
    public void giveBack(Entry entry, boolean seen, boolean counted) {
        if (entry.state != EntryState.GONE) {
            perform(new Change.Returned(entry, seen, counted));
        }
    }

    /** The time of a delayed entry has come. */
    void due(Entry entry) {
        perform(new Change.Due(entry));
    }

    /** Attaches a consumer. */
    public void attach(Consumer consumer) {
        dispatch.attach(consumer);
    }

    /** Detaches a consumer; its deliveries stay with it. */
    public void detach(Consumer consumer) {
        dispatch.detach(consumer);
        context.agenda().add(this);
    }

    /** Gives a consumer more credit. */
    public void credit(Consumer consumer, int messages) {
        consumer.addCredit(messages, context.creditMax() - consumer.unsettledCount());
        dispatch.lineUp(consumer);
        context.agenda().add(this);
    }

    /** Takes a consumer's credit away. */
    public void clearCredit(Consumer consumer) {
        consumer.clearCredit();
    }

    /** The queue ends: its messages leave, some each turn, and its records are deleted. */
    public void end() {
        ended = true;
        context.agenda().add(this);
    }

    /** True after {@link #end}. */
    public boolean ended() {
        return ended;
    }

    /**
     * Hands out what is ready to those who have credit, at most so many; tells its home if nothing and nobody is left.
     *
     * @return true if only the bound ended it, and the queue should be asked again
     */
    public boolean pump(long nowMs, int most) {
        if (ended) {
            return purge(most);
        }
        ScanBudget budget = context.freshBudget();
        for (int left = most; left > 0; left--) {
            Change change = dispatch.decide(nowMs, budget);
            if (change == null) {
                if (index.size() == 0 && !dispatch.hasConsumers()) {
                    home.idle(this);
                }
                if (!dispatch.paused()) {
                    home.wants(this);
                }
                return dispatch.paused();
            }
            perform(change);
        }
        return true;
    }

    private boolean purge(int most) {
        for (int left = most; left > 0; left--) {
            Place place = index.any();
            if (place == null) {
                mark.erase(context.log());
                settles.erase(context.log());
                index.residency().eraseAttempts(context.log());
                return false;
            }
            if (place instanceof Entry entry) {
                perform(new Change.Settled(entry));
            } else if (place instanceof Run run) {
                context.pager().drop(run);
            }
        }
        return true;
    }

    private void perform(Change change) {
        record(change);
        apply(change);
        if (settles.wantsFold()) {
            settles.fold(id, index, context.log());
        }
    }

    private void record(Change change) {
        if (!identity.durable()) {
            return;
        }
        if (change instanceof Change.Settled settled) {
            recordSettled(settled.entry());
        } else if (change instanceof Change.Dispatched dispatched) {
            recordDispatched(dispatched.entry(), dispatched.feed());
        } else if (change instanceof Change.Returned returned) {
            recordReturned(returned);
        }
    }

    private void recordReturned(Change.Returned returned) {
        Entry entry = returned.entry();
        if (!entry.stored().recorded()) {
            return;
        }
        if (returned.counted()) {
            Seen.record(id, entry, entry.attempts + 1, context.log());
        } else if (!returned.seen() && !entry.flagged && entry.attemptRecord != 0) {
            // It was written ahead, for a dispatch that nobody has seen after all.
            context.log().delete(entry.attemptRecord);
            entry.attemptRecord = 0;
        }
    }

    private void recordSettled(Entry entry) {
        if (!entry.stored().recorded()) {
            return;
        }
        Log log = context.log();
        if (context.store().passDurably(ended ? 0 : id, entry.stored()) && !ended) {
            settles.add(id, entry.position(), log);
        }
        // After the settle: a crash between the two must not bring the message back as one that nobody has seen.
        if (entry.attemptRecord != 0) {
            log.delete(entry.attemptRecord);
        }
    }

    private void recordDispatched(Entry entry, Feed feed) {
        if (!entry.stored().recorded()) {
            return;
        }
        if (!mark.covers(entry.position())) {
            if (feed.shared() && feed.cursor().isFront(entry)) {
                mark.reserve(id, index.reach(entry, context.dispatchBlock()), context.log());
            } else if (entry.attemptRecord == 0) {
                Seen.record(id, entry, entry.attempts, context.log());
            }
        }
        entry.causeLsn = Math.max(entry.causeLsn, mark.lsn());
    }

    /** Records exactly which entries may have been seen, in place of the mark that reaches ahead of them. */
    public void markExactly() {
        if (!identity.durable() || ended || mark.position() == 0) {
            return;
        }
        Seen.recordExactly(id, index, mark, context.log());
    }

    /**
     * Recovery: a message that survived takes its place; messages come in the order of positions.
     *
     * @param nowMs the time: what is still delayed cannot have been seen, whatever the mark says
     */
    public void recover(StoredMessage message, int attempts, long attemptRecord, long nowMs) {
        context.pager().recovery().before(this, message.position());
        boolean marked = mark.covers(message.position()) && message.message().deliveryTimeMs() <= nowMs;
        apply(new Change.Enqueued(message, attempts, marked || attemptRecord != 0, attemptRecord));
    }

    /** Recovery: a dispatch mark that survived; before the messages. */
    public void recoverMark(long position, long record, long nowMs) {
        mark.recovered(position, record, context.log());
        index.residency().flaggedUpTo = Math.min(mark.position(), context.log().firstId() - 1);
        index.residency().flaggedAtMs = nowMs;
    }

    /** Recovery: a settle that survived. */
    public void recoverSettled(long position, long record) {
        settles.adopt(position, record);
    }

    /** Recovery: a folded record of settles that survived. */
    public void recoverPassed(long upTo, long record) {
        settles.adoptPassed(upTo, record);
    }

    /** Recovery is over: the next turn looks at the queue. */
    public void recovered() {
        context.agenda().add(this);
    }

    /** The only place that changes what the queue holds: live, and in recovery. */
    void apply(Change change) {
        if (change instanceof Change.Enqueued enqueued) {
            applyEnqueued(enqueued);
        } else if (change instanceof Change.Dispatched dispatched) {
            applyDispatched(dispatched);
        } else if (change instanceof Change.Settled settled) {
            applySettled(settled.entry());
        } else if (change instanceof Change.Locked locked) {
            Invariant.check(locked.entry().state == EntryState.DELIVERED, "only what is delivered is locked");
            locked.entry().state = EntryState.LOCKED;
        } else if (change instanceof Change.Returned returned) {
            applyReturned(returned);
        } else if (change instanceof Change.Due due) {
            ready(due.entry());
        } else if (change instanceof Change.Browsed browsed) {
            dispatch.apply(browsed);
        } else if (change instanceof Change.BrowseEnded browseEnded) {
            dispatch.apply(browseEnded);
        }
    }

    private void applyEnqueued(Change.Enqueued enqueued) {
        Entry entry = new Entry(this, enqueued.message());
        entry.attempts = enqueued.attempts();
        entry.flagged = enqueued.flagged();
        entry.attemptRecord = enqueued.attemptRecord();
        index.append(entry);
        context.pager().grown(this);
        if (entry.message().deliveryTimeMs() > 0) {
            entry.state = EntryState.DELAYED;
            context.delays().add(entry);
        }
        context.agenda().add(this);
    }

    private void applyDispatched(Change.Dispatched dispatched) {
        Entry entry = dispatched.entry();
        Invariant.check(entry.state == EntryState.READY, "only what is ready is dispatched");
        entry.state = EntryState.DELIVERED;
        out++;
        dispatch.apply(dispatched);
    }

    private void applySettled(Entry entry) {
        Invariant.check(entry.state != EntryState.GONE, "an entry leaves once");
        EntryState before = entry.state;
        entry.state = EntryState.GONE;
        if (before == EntryState.DELAYED) {
            context.delays().left();
        } else if (before != EntryState.READY) {
            out--;
        }
        dispatch.forget(entry);
        index.remove(entry);
        context.store().leave(entry.stored());
        if (index.size() == 0) {
            context.agenda().add(this);
        }
    }

    private void applyReturned(Change.Returned returned) {
        Entry entry = returned.entry();
        Invariant.check(
                entry.state == EntryState.DELIVERED || entry.state == EntryState.LOCKED,
                "only what was delivered returns");
        out--;
        entry.flagged |= returned.seen();
        if (returned.counted()) {
            entry.attempts++;
        }
        ready(entry);
    }

    private void ready(Entry entry) {
        entry.state = EntryState.READY;
        dispatch.offer(entry);
        context.agenda().add(this);
    }

    @Override
    public String toString() {
        return identity + "[" + index.size() + "]";
    }
}
