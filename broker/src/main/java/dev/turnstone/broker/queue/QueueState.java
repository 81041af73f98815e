package dev.turnstone.broker.queue;

import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.port.Address;

/**
 * One queue. Commands become {@link Change}s; a change is recorded if it must survive, and applied. Owned by the engine
 * thread.
 */
public final class QueueState {
    private final QueueIdentity identity;
    private final QueueContext context;
    private final Home home;
    private final EntryIndex index;
    private final Dispatch dispatch;
    private final QueueRecords records;
    private final Returns returns;
    private final Room room;
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
        this.settings = settings;
        this.home = home;
        this.context = context;
        this.index = new EntryIndex(identity.address().isSubscription());
        this.dispatch = new Dispatch(this, index, context);
        this.dispatch.configure(settings);
        this.records = new QueueRecords(identity, index, dispatch, context);
        this.returns = new Returns(this, context);
        this.room = new Room(this, context);
    }

    /** Its durable identity. */
    public long id() {
        return identity.id();
    }

    /** Its address, or the topic's that its subscription is of. */
    public Address address() {
        return identity.address();
    }

    /** From now on other settings hold. */
    public void configure(AddressSettings other) {
        settings = other;
        dispatch.configure(other);
        room.configure();
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

    /** What keeps it within its limits. */
    public Room room() {
        return room;
    }

    LastValues values() {
        return room.values();
    }

    /** How many messages it holds. */
    public int depth() {
        return index.size();
    }

    /** How many messages it holds that nobody has been given. */
    public int waiting() {
        return index.size() - out - returns.departures().count();
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
        Entry entry = new Entry(this, message);
        perform(new Change.Enqueued(entry));
        room.came(entry);
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
     * A delivered or locked entry returns to its place, or goes to the dead-letter address if that counts as its last
     * attempt, or to the expiry address if it has expired meanwhile.
     *
     * @param seen true if an application may have seen it
     * @param counted true if that counts as an attempt
     */
    public void giveBack(Entry entry, boolean seen, boolean counted) {
        if (counted) {
            returns.fail(entry, null);
        } else {
            returns.giveBack(entry, seen);
        }
    }

    /** What recovery tells it. */
    public QueueRecovery recovery() {
        return new QueueRecovery(this, records, context);
    }

    /** An entry that is not in memory is locked: recovery has found that a prepared branch has settled it. */
    void lockedElsewhere() {
        out++;
    }

    /** What becomes of entries that were not consumed. */
    public Returns returns() {
        return returns;
    }

    /** The time of a delayed entry has come. */
    void due(Entry entry) {
        perform(new Change.Due(entry));
    }

    /** Attaches a consumer. */
    public void attach(Consumer consumer) {
        consumer.mayHave(context.consumerBytesMax(), context.store().memory());
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

    /** So many bytes of what a consumer was given are taken: they are nobody's burden any more. */
    public void taken(Consumer consumer, long bytes) {
        consumer.taken(bytes);
        dispatch.lineUp(consumer);
        context.agenda().add(this);
    }

    /** The queue ends: its messages leave, some each turn, and its records are deleted. */
    public void end() {
        ended = true;
        room.end();
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
        if (room.trim(most)) {
            return true;
        }
        ScanBudget budget = context.freshBudget();
        for (int left = most; left > 0; left--) {
            Entry leaving = returns.departures().first();
            if (leaving != null && leaving.present()) {
                returns.departures().move(leaving, this, identity);
                continue;
            }
            Change change = room.values().reading() ? null : dispatch.decide(nowMs, budget);
            if (change == null) {
                if (index.size() == 0 && !dispatch.hasConsumers()) {
                    home.idle(this);
                }
                if (!dispatch.paused()) {
                    home.wants(this);
                }
                return dispatch.paused();
            }
            if (change instanceof Change.Expired expired) {
                returns.expire(expired.entry());
            } else {
                perform(change);
            }
        }
        return true;
    }

    private boolean purge(int most) {
        for (int left = most; left > 0; left--) {
            Place place = index.any();
            if (place == null) {
                records.erase();
                index.residency().eraseAttempts(context.log());
                room.values().clear();
                return false;
            }
            if (place instanceof Entry entry) {
                perform(new Change.Settled(entry));
            } else if (place instanceof Run run) {
                context.pager().drop(run);
                context.waiting().changed(this);
            }
        }
        return true;
    }

    void perform(Change change) {
        context.traffic().count(change, index.traffic(), home instanceof Reader, context.nowMs());
        records.record(change, ended);
        apply(change);
        change.letBodyGo();
        context.traffic().stalled(change, index.traffic(), this);
        records.fold();
    }

    /** Records exactly which entries may have been seen, in place of the mark that reaches ahead of them. */
    public void markExactly() {
        if (!ended) {
            records.markExactly();
        }
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
        } else if (change instanceof Change.Departing departing) {
            applyDeparting(departing);
        } else if (change instanceof Change.Due due) {
            ready(due.entry());
        } else {
            dispatch.apply(change);
        }
    }

    private void applyEnqueued(Change.Enqueued enqueued) {
        Entry entry = enqueued.entry();
        index.add(entry, home instanceof Reader);
        context.pager().grown(this);
        context.expiry().add(entry);
        if (index.residency().handLocked(entry)) {
            return;
        }
        if (entry.dueMs() > 0) {
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
        room.given(entry);
        dispatch.apply(dispatched);
    }

    private void applySettled(Entry entry) {
        Invariant.check(entry.state != EntryState.GONE, "an entry leaves once");
        EntryState before = entry.state;
        entry.state = EntryState.GONE;
        leaveState(entry, before);
        context.expiry().left(entry);
        room.left(entry);
        dispatch.forget(entry);
        index.remove(entry);
        context.store().leave(entry.stored());
        if (index.size() == 0) {
            context.agenda().add(this);
        }
    }

    private void leaveState(Entry entry, EntryState before) {
        switch (before) {
            case DELAYED -> context.delays().left(entry);
            case DELIVERED, LOCKED -> comesBack(entry, false);
            case LEAVING -> returns.departures().remove(entry);
            case READY, GONE -> {
                // Nobody counts these.
            }
        }
    }

    private void comesBack(Entry entry, boolean unseen) {
        out--;
        room.back(entry);
        if (dispatch.left(entry, unseen)) {
            wake();
        }
    }

    private void applyDeparting(Change.Departing departing) {
        Entry entry = departing.entry();
        EntryState before = entry.state;
        entry.state = EntryState.LEAVING;
        leaveState(entry, before);
        entry.attempts = departing.attempts();
        returns.departures().add(entry, departing.why());
        context.agenda().add(this);
    }

    private void applyReturned(Change.Returned returned) {
        Entry entry = returned.entry();
        Invariant.check(
                entry.state == EntryState.DELIVERED || entry.state == EntryState.LOCKED,
                "only what was delivered returns");
        comesBack(entry, !returned.seen());
        entry.flagged |= returned.seen();
        if (returned.counted()) {
            entry.attempts++;
        }
        entry.retryMs = returned.dueMs();
        if (returned.dueMs() != 0) {
            entry.state = EntryState.DELAYED;
            dispatch.delayed(entry);
            context.delays().add(entry);
        } else {
            ready(entry);
        }
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
