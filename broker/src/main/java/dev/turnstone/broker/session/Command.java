package dev.turnstone.broker.session;

import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.port.Address;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One command of a session on its way to the engine. Immutable. */
interface Command {
    /** Who hears the outcome; null if nobody. */
    @Nullable
    Completion completion();

    /** The transaction that it belongs to, if its refusal must fail that. */
    default long transaction() {
        return Session.NO_TRANSACTION;
    }

    /** Does it; in the engine. */
    void execute(SessionWork session);

    record SendMessage(Send send, @Nullable SentId id, Completion completion) implements Command {
        @Override
        public long transaction() {
            return send.transaction();
        }

        @Override
        public void execute(SessionWork session) {
            session.units().send(send, id, completion);
        }
    }

    record SettleDeliveries(Settle settle, Completion completion) implements Command {
        @Override
        public long transaction() {
            return settle.transaction();
        }

        @Override
        public void execute(SessionWork session) {
            session.settle(settle, completion);
        }
    }

    record HandOverDeliveries(HandOver handOver, SessionState to, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.handOver(handOver, to, completion);
        }
    }

    record GiveCredit(int consumer, int messages) implements Command {
        @Override
        public @Nullable Completion completion() {
            return null;
        }

        @Override
        public void execute(SessionWork session) {
            session.credit(consumer, messages);
        }
    }

    record AddConsumer(Subscribe subscribe, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.subscribe(subscribe, completion);
        }
    }

    record Recall(int consumer, long lastSeen, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.recall(consumer, lastSeen, completion);
        }
    }

    record RemoveConsumer(int consumer, long lastSeen, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.unsubscribe(consumer, lastSeen, completion);
        }
    }

    record WatchQueues(int watch, Address pattern, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.watchQueues(watch, pattern, completion);
        }
    }

    record EndWatch(int watch) implements Command {
        @Override
        public @Nullable Completion completion() {
            return null;
        }

        @Override
        public void execute(SessionWork session) {
            session.endWatch(watch);
        }
    }

    record ChangeQueue(QueueChange change, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.changeQueue(change, completion);
        }
    }

    record DeleteSubscription(SubscriptionName subscription, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.deleteSubscription(subscription, completion);
        }
    }

    record DeclareTemporary(Address temporary, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.declareTemporary(temporary, completion);
        }
    }

    record DeleteTemporary(Address temporary, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.deleteTemporary(temporary, completion);
        }
    }

    record DeleteQueue(Address queue, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.deleteQueue(queue, completion);
        }
    }

    record ChangeState(List<StateChange> changes, long transaction, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.units().changeState(changes, transaction, completion);
        }
    }

    record ListState(StateQuery query, Consumer<StatePage> page, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.units().listState(this);
        }
    }

    record Begin(long number, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.units().begin(number, completion);
        }
    }

    record Commit(long number, @Nullable Fingerprint commitId, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.units().commit(number, commitId, completion);
        }
    }

    record AskOutcome(OutcomeQuery query, Fingerprint commitId, Consumer<CommitOutcome> answer, Completion completion)
            implements Command {
        @Override
        public void execute(SessionWork session) {
            session.units().outcome(this);
        }
    }

    record Rollback(long number, Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.units().rollback(number, completion);
        }
    }

    record Sync(Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.sync(completion);
        }
    }

    /** Ends the session; the session itself does it. */
    record Close(Completion completion) implements Command {
        @Override
        public void execute(SessionWork session) {
            session.sync(completion);
        }
    }
}
