package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.Branches;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import dev.turnstone.port.StoredBodies;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.List;
import java.util.function.Consumer;

/** Passes everything on; what extends it changes one thing. */
abstract class WrappedSession implements Session {
    private final Session session;

    WrappedSession(Session session) {
        this.session = session;
    }

    /** What the session hears with in place of the caller's own. */
    Completion around(Completion completion) {
        return completion;
    }

    @Override
    public void send(Send send, Completion completion) {
        session.send(send, around(completion));
    }

    @Override
    public void subscribe(Subscribe subscribe, Completion completion) {
        session.subscribe(subscribe, around(completion));
    }

    @Override
    public void credit(int consumer, int messages) {
        session.credit(consumer, messages);
    }

    @Override
    public void keepsDeliveries() {
        session.keepsDeliveries();
    }

    @Override
    public void taken(int consumer, long bytes) {
        session.taken(consumer, bytes);
    }

    @Override
    public void settle(Settle settle, Completion completion) {
        session.settle(settle, around(completion));
    }

    @Override
    public void handOver(HandOver handOver, Completion completion) {
        session.handOver(handOver, around(completion));
    }

    @Override
    public void recall(int consumer, long lastSeen, Completion completion) {
        session.recall(consumer, lastSeen, around(completion));
    }

    @Override
    public void unsubscribe(int consumer, long lastSeen, Completion completion) {
        session.unsubscribe(consumer, lastSeen, around(completion));
    }

    @Override
    public void watchQueues(int watch, Address pattern, Completion completion) {
        session.watchQueues(watch, pattern, around(completion));
    }

    @Override
    public void endWatch(int watch) {
        session.endWatch(watch);
    }

    @Override
    public void changeQueue(QueueChange change, Completion completion) {
        session.changeQueue(change, around(completion));
    }

    @Override
    public void deleteSubscription(SubscriptionName subscription, Completion completion) {
        session.deleteSubscription(subscription, around(completion));
    }

    @Override
    public void declareTemporary(Address temporary, Completion completion) {
        session.declareTemporary(temporary, around(completion));
    }

    @Override
    public void deleteTemporary(Address temporary, Completion completion) {
        session.deleteTemporary(temporary, around(completion));
    }

    @Override
    public void deleteQueue(Address queue, Completion completion) {
        session.deleteQueue(queue, around(completion));
    }

    @Override
    public void changeState(List<StateChange> changes, long transaction, Completion completion) {
        session.changeState(changes, transaction, around(completion));
    }

    @Override
    public void listState(StateQuery query, Consumer<StatePage> page, Completion completion) {
        session.listState(query, page, around(completion));
    }

    @Override
    public void begin(long transaction, Completion completion) {
        session.begin(transaction, around(completion));
    }

    @Override
    public void commit(long transaction, Completion completion) {
        session.commit(transaction, around(completion));
    }

    @Override
    public void commit(long transaction, String commitId, Completion completion) {
        session.commit(transaction, commitId, around(completion));
    }

    @Override
    public void outcome(OutcomeQuery query, Consumer<CommitOutcome> answer, Completion completion) {
        session.outcome(query, answer, around(completion));
    }

    @Override
    public void rollback(long transaction, Completion completion) {
        session.rollback(transaction, around(completion));
    }

    @Override
    public Branches branches() {
        return session.branches();
    }

    @Override
    public StoredBodies bodies() {
        return session.bodies();
    }

    @Override
    public void sync(Completion completion) {
        session.sync(around(completion));
    }

    @Override
    public void close(Completion completion) {
        session.close(around(completion));
    }

    @Override
    public void flush() {
        session.flush();
    }

    @Override
    public boolean writable() {
        return session.writable();
    }

    @Override
    public int drain(SessionListener listener, int eventsMax) {
        return session.drain(listener, eventsMax);
    }
}
