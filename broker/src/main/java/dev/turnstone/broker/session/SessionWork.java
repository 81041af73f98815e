package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.queue.Consumer;
import dev.turnstone.broker.queue.Entry;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Receiver;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.tx.Transaction;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.spi.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session's commands do: its consumers and their unsettled deliveries. A command either does everything and
 * confirms, or throws and has done nothing. Owned by the engine thread.
 */
final class SessionWork implements Receiver {
    private final Origin origin;
    private final Access access;
    private final SessionContext context;
    private final Outlet outlet;
    private final Consumers consumers;
    /** Null before the first command that it is for: many sessions only consume. */
    private @Nullable UnitWork units;

    /** The same, for who subscribes. */
    private @Nullable Subscribing subscribing;

    /** Deliveries that are unsettled. */
    private int out;

    SessionWork(Origin origin, Access access, SessionContext context, Outlet outlet) {
        this.origin = origin;
        this.access = access;
        this.context = context;
        this.outlet = outlet;
        this.consumers = new Consumers(context.limits().intOf(Limit.CONSUMERS_MAX));
    }

    /** True if going on may free memory: something is delivered here, or waits for a commit. */
    boolean mayFreeMemory() {
        return out > 0 || (units != null && units.anyOpen());
    }

    /** True if a command must wait for something that is not here yet. */
    boolean mustWait(Command command) {
        return command instanceof Command.HandOverDeliveries handsOver
                ? lacksBodies(handsOver.handOver(), handsOver.to())
                : mayWait(command) && units().mustWait(command);
    }

    /** Others wait only for what is known once there are units. */
    private boolean mayWait(Command command) {
        return units != null || command instanceof Command.SendMessage || command instanceof BranchCommand;
    }

    /** A full queue that a command has to wait for; null if there is none. */
    @Nullable
    QueueState mustWaitFor(Command command) {
        return mayWait(command) ? units().mustWaitFor(command) : null;
    }

    /** A command was refused, and with it the transaction that it belongs to. */
    void refused(Command command, BrokerException cause) {
        if (units != null) {
            units.refused(command.transaction(), cause);
        }
    }

    /** No send that goes with the ones before comes next. */
    void endSends() {
        if (units != null) {
            units.endSends();
        }
    }

    /** True if some must come back from pages before they can be delivered anew: they are asked for. */
    private boolean lacksBodies(HandOver handOver, SessionState to) {
        Attached attached = consumers.find(handOver.consumer());
        if (attached == null || to.refusal(origin, handOver.inlet()) != null) {
            return false;
        }
        boolean lacks = false;
        for (Entry entry : attached.consumer().unsettled(handOver.first(), handOver.last())) {
            lacks |= !entry.present();
        }
        return lacks;
    }

    /** Why there cannot be a consumer of this number; null if there can. */
    @Nullable
    BrokerException refusal(int consumer) {
        return consumers.refusal(consumer);
    }

    private Log log() {
        return context.log();
    }

    /** What it sends and changes. */
    UnitWork units() {
        UnitWork made = units;
        if (made == null) {
            made = new UnitWork(origin, access, context, outlet);
            units = made;
        }
        return made;
    }

    /** How it comes to what it consumes from. */
    private Subscribing subscribing() {
        Subscribing made = subscribing;
        if (made == null) {
            made = new Subscribing(origin, access, context.addresses(), this);
            subscribing = made;
        }
        return made;
    }

    @Override
    public void deliver(Consumer consumer, long number, Entry entry, long causeLsn) {
        if (out++ == 0) {
            context.held().mayFreeMemory(this);
        }
        show(consumer, number, entry, causeLsn);
    }

    @Override
    public void show(Consumer consumer, long number, Entry entry, long causeLsn) {
        outlet.deliver(
                new Delivery(
                        consumer.number(),
                        number,
                        entry.position(),
                        entry.message(),
                        entry.deliveryCount(),
                        entry.flagged(),
                        consumer.filters(entry),
                        entry.groupFirst()),
                causeLsn);
    }

    @Override
    public boolean permits(Address address) {
        return access.permits(Action.CONSUME, address);
    }

    @Override
    public void shownAll(Consumer browser) {
        outlet.browseEnded(browser.number());
    }

    void subscribe(Subscribe subscribe, Completion completion) {
        consumers.checkRoomFor(subscribe.consumer());
        int mark = log().mark();
        Attached attached = subscribing().consumer(subscribe);
        attached.queue().attach(attached.consumer());
        consumers.add(attached);
        outlet.confirm(completion, subscribing().knownLsn(subscribe, attached.queue(), mark));
    }

    void watchQueues(int watch, Address pattern, Completion completion) {
        subscribing().watches().begin(watch, pattern, queue -> {
            if (subscribing().mayConsume(queue)) {
                outlet.queueFound(watch, queue);
            }
        });
        outlet.confirm(completion, 0);
    }

    void endWatch(int watch) {
        subscribing().watches().end(watch);
    }

    void changeQueue(QueueChange change, Completion completion) {
        subscribing().change(change);
        // Also where nothing had to be changed: another session may have done so just now.
        outlet.confirm(completion, log().latestLsn());
    }

    void credit(int consumer, int messages) {
        Attached attached = consumers.find(consumer);
        if (attached != null && messages > 0) {
            attached.queue().credit(attached.consumer(), messages);
        }
    }

    /** So many bytes of a consumer's deliveries are taken. */
    void taken(int consumer, long bytes) {
        Attached attached = consumers.find(consumer);
        if (attached != null) {
            attached.queue().taken(attached.consumer(), bytes);
        }
    }

    void settle(Settle settle, Completion completion) {
        context.units().effects().state().check(settle.state());
        Consumer consumer = consumers.get(settle.consumer()).consumer();
        Transaction transaction = null;
        if (settle.transaction() != Session.NO_TRANSACTION) {
            transaction = units().transaction(settle.transaction());
            checkSettles(transaction, consumer, settle);
            if (settle.outcome() != Outcome.ACCEPTED && settle.outcome() != Outcome.REJECTED) {
                throw new BrokerException(
                        ErrorCode.UNSUPPORTED, "in a transaction a delivery can be accepted or rejected, nothing else");
            }
        }
        int mark = log().mark();
        if (settle.state().isEmpty()) {
            settle(consumer, settle, transaction);
            outlet.confirm(completion, log().lsnSince(mark));
        } else if (transaction != null) {
            settle(consumer, settle, transaction);
            transaction.change(settle.state());
            outlet.confirm(completion, 0);
        } else {
            settleWithState(consumer, settle);
            outlet.confirm(completion, log().latestLsn());
        }
        removeIfOver(consumer);
    }

    private void settleWithState(Consumer consumer, Settle settle) {
        context.units().effects().begin();
        try {
            settle(consumer, settle, null);
            context.units().effects().state().apply(settle.state());
        } finally {
            context.units().effects().end();
        }
    }

    private void settle(Consumer consumer, Settle settle, @Nullable Transaction transaction) {
        if (settle.first() == settle.last()) {
            settleOne(consumer, settle, transaction);
        } else {
            for (Entry entry : consumer.take(settle.first(), settle.last())) {
                settle(entry, settle, transaction);
            }
        }
    }

    private void settleOne(Consumer consumer, Settle settle, @Nullable Transaction transaction) {
        Entry entry = consumer.take(settle.first());
        if (entry == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_DELIVERY,
                    "delivery " + settle.first() + " of consumer " + consumer.number() + " is unknown or settled");
        }
        settle(entry, settle, transaction);
    }

    private static void checkSettles(Transaction transaction, Consumer consumer, Settle settle) {
        // It settles at most so many: only close to the limit it matters how many of them are unsettled.
        long most = Math.min(settle.last() - settle.first() + 1, Math.max(1, consumer.unsettledCount()));
        transaction.checkSettles(
                transaction.maySettle(most)
                        ? most
                        : consumer.unsettled(settle.first(), settle.last()).size());
    }

    private void settle(Entry entry, Settle settle, @Nullable Transaction transaction) {
        out--;
        if (transaction != null) {
            if (settle.outcome() == Outcome.REJECTED) {
                transaction.lockRejected(entry, settle.reason());
            } else {
                transaction.lock(entry);
            }
            return;
        }
        switch (settle.outcome()) {
            case ACCEPTED -> entry.queue().settle(entry);
            case REJECTED -> entry.queue().returns().reject(entry, settle.reason());
            case RELEASED -> entry.queue().giveBack(entry, false, false);
            case INTERRUPTED -> entry.queue().giveBack(entry, true, false);
            case MODIFIED -> entry.queue().returns().fail(entry, settle.reason());
        }
    }

    /** Moves deliveries to another session of the connection; this one is done with them. */
    void handOver(HandOver handOver, SessionState to, Completion completion) {
        Attached attached = consumers.get(handOver.consumer());
        Consumer from = attached.consumer();
        BrokerException refusal = to.refusal(origin, handOver.inlet());
        if (refusal != null) {
            from.unsettled(handOver.first(), handOver.last()).forEach(Entry::bodyMayGo);
            throw refusal;
        }
        SessionWork other = to.opened();
        Consumer inlet = new Consumer(handOver.inlet(), other, null);
        other.consumers.add(new Attached(attached.address(), inlet, attached.queue(), null));
        for (Entry entry : from.take(handOver.first(), handOver.last())) {
            out--;
            inlet.adopt(entry);
            entry.bodyMayGo();
        }
        other.removeIfOver(inlet);
        removeIfOver(from);
        outlet.confirm(completion, 0);
    }

    private void removeIfOver(Consumer consumer) {
        if (!consumer.attached() && consumer.unsettledCount() == 0) {
            consumers.remove(consumer.number());
        }
    }

    void recall(int number, long lastSeen, Completion completion) {
        Attached attached = consumers.get(number);
        attached.consumer().clearCredit();
        giveBackFrom(attached.consumer(), lastSeen + 1, false);
        outlet.confirm(completion, 0);
    }

    void unsubscribe(int number, long lastSeen, Completion completion) {
        Attached attached = consumers.get(number);
        int mark = log().mark();
        giveBackFrom(attached.consumer(), lastSeen + 1, false);
        detach(attached);
        if (attached.consumer().unsettledCount() == 0) {
            consumers.remove(number);
        }
        outlet.confirm(completion, log().lsnSince(mark));
    }

    private void detach(Attached attached) {
        if (!attached.consumer().attached()) {
            return;
        }
        attached.queue().detach(attached.consumer());
        subscribing().left(attached);
    }

    private void giveBackFrom(Consumer consumer, long first, boolean seen) {
        for (Entry entry : consumer.take(first, Long.MAX_VALUE)) {
            out--;
            entry.queue().giveBack(entry, seen, false);
        }
    }

    void deleteSubscription(SubscriptionName subscription, Completion completion) {
        int mark = log().mark();
        subscribing().delete(subscription);
        outlet.confirm(completion, log().lsnSince(mark));
    }

    void declareTemporary(Address temporary, Completion completion) {
        context.addresses().declareTemporary(temporary, origin);
        outlet.confirm(completion, 0);
    }

    void deleteTemporary(Address temporary, Completion completion) {
        context.addresses().deleteTemporary(temporary, origin);
        outlet.confirm(completion, 0);
    }

    void deleteQueue(Address queue, Completion completion) {
        int mark = log().mark();
        subscribing().delete(queue);
        outlet.confirm(completion, log().lsnSince(mark));
    }

    void sync(Completion completion) {
        outlet.confirmAll(completion);
    }

    /** What the connection may do has changed: consumers that it may have no longer end. */
    void revise() {
        for (Attached attached : List.copyOf(consumers.all())) {
            BrokerException refusal =
                    attached.consumer().attached() ? subscribing().refusal(attached) : null;
            if (refusal != null) {
                giveBackFrom(attached.consumer(), 1, true);
                detach(attached);
                consumers.remove(attached.consumer().number());
                outlet.closed(attached.consumer().number(), refusal);
            } else {
                // What waited for who may have it may be nobody's now.
                attached.queue().wake();
            }
        }
    }

    /** The session ends: what is open is undone without counting, what is unsettled returns flagged. */
    void end() {
        if (units != null) {
            units.end();
        }
        if (subscribing != null) {
            subscribing.endWatches();
        }
        for (Attached attached : consumers.all()) {
            giveBackFrom(attached.consumer(), 1, true);
            detach(attached);
        }
        consumers.clear();
        out = 0;
    }
}
