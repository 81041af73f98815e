package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TransactionTest {
    private final TestBroker broker =
            new TestBroker(Limits.DEFAULTS.with(Limit.TX_SENDS_MAX, 5).with(Limit.TX_BYTES_MAX, 10_000));
    private final TestSession session = broker.session();

    private static Message text(String queue, String text) {
        return TestSession.text(queue, text).build();
    }

    private List<String> waiting(String queue) {
        TestSession next = broker.session();
        next.subscribe(1, queue, 100);
        List<String> texts = next.texts();
        next.connection.close();
        broker.settle();
        return texts;
    }

    @Test
    void aSendIsConfirmedWhenItIsTakenIntoTheTransactionAndSeenAtCommit() {
        session.begin(1);
        assertThat(session.send(text("q", "a"), 1).done).isTrue();
        assertThat(waiting("q")).isEmpty();
        TestSession.Result committed = session.commit(1);
        session.receive();
        assertThat(committed.done).isTrue();
        assertThat(waiting("q")).containsExactly("a");
    }

    @Test
    void aCommitOverQueuesAndTopicsIsOneUnitOfTheJournal() {
        Address topic = Address.topic("t");
        SubscriptionName name = new SubscriptionName("c", "s");
        session.subscribe(new Subscribe(1, topic, name, null, false), 0);
        session.send("in", "x");
        session.subscribe(2, "in", 1);
        Delivery x = session.receive().get(0);
        session.begin(1);
        session.send(text("out", "y"), 1);
        session.send(MessageBuilder.to(topic).text("z").build(), 1);
        session.accept(x, 1);
        session.commit(1);
        broker.crash();
        assertThat(waiting("in")).as("the commit was not durable").containsExactly("x");
        assertThat(waiting("out")).isEmpty();
    }

    @Test
    void aTransactionThatIsOpenForTooLongRollsBackByItself() {
        TestBroker impatient = new TestBroker(Limits.DEFAULTS.with(Limit.TX_AGE_MAX, 1_000));
        TestSession slow = impatient.session();
        slow.send("in", "x");
        slow.subscribe(1, "in", 1);
        Delivery x = slow.receive().get(0);
        slow.begin(1);
        slow.accept(x, 1);
        slow.send(text("out", "y"), 1);
        assertThat(impatient.engine.dueMs()).isEqualTo(impatient.nowMs + 1_000);
        impatient.nowMs += 1_000;
        impatient.settle();
        TestSession other = impatient.session();
        other.subscribe(1, "in", 1);
        assertThat(other.texts()).as("given back").containsExactly("x");
        TestSession.Result late = slow.commit(1);
        slow.receive();
        assertThat(late.code()).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT);
        other.subscribe(2, "out", 1);
        assertThat(other.texts()).isEmpty();
        impatient.stop();
    }

    @Test
    void twoTransactionsOfOneSessionDoNotMix() {
        session.begin(1);
        session.begin(2);
        session.send(text("q", "one"), 1);
        session.send(text("q", "two"), 2);
        session.rollback(1);
        session.commit(2);
        session.receive();
        assertThat(waiting("q")).containsExactly("two");
        assertThat(session.begin(2).cause).isNull();
        assertThat(session.begin(2).code()).isEqualTo(ErrorCode.DUPLICATE_TRANSACTION);
    }

    @Test
    void aSettledEntryIsLockedUntilTheEndEvenIfItsConsumerGoes() {
        session.send("q", "a");
        session.subscribe(1, "q", 1);
        Delivery a = session.receive().get(0);
        session.begin(1);
        session.accept(a, 1);
        TestSession.Result ended = new TestSession.Result();
        session.port.unsubscribe(1, 0, ended);
        session.flushed(ended);
        assertThat(waiting("q")).isEmpty();
        session.rollback(1);
        TestSession next = broker.session();
        next.subscribe(1, "q", 1);
        Delivery again = next.receive().get(0);
        assertThat(again.deliveryCount()).isEqualTo(2);
        assertThat(again.redelivered()).isTrue();
        assertThat(again.position()).isEqualTo(a.position());
    }

    @Test
    void closingRollsBackWithoutCountingAnAttempt() {
        session.send("q", "a");
        session.subscribe(1, "q", 1);
        Delivery a = session.receive().get(0);
        session.settle(a, Outcome.MODIFIED);
        session.port.credit(1, 1);
        session.flushed(new TestSession.Result());
        Delivery second = session.receive().get(0);
        session.begin(1);
        session.accept(second, 1);
        session.send(text("q", "b"), 1);
        session.port.close(new TestSession.Result());
        broker.settle();
        TestSession next = broker.session();
        next.subscribe(1, "q", 10);
        List<Delivery> received = next.receive();
        assertThat(received).hasSize(1);
        assertThat(received.get(0).deliveryCount()).as("one nack").isEqualTo(2);
    }

    @Test
    void aRefusedCommandFailsTheCommitWhichUndoesEverything() {
        session.send("q", "a");
        session.subscribe(1, "q", 1);
        Delivery a = session.receive().get(0);
        session.begin(1);
        session.accept(a, 1);
        session.send(text("out", "b"), 1);
        TestSession.Result refused = session.accept(a, 1);
        assertThat(refused.code()).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        TestSession.Result commit = session.commit(1);
        // Heard of when the attempt that the undoing counts is durable.
        session.receive();
        assertThat(commit.code()).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        assertThat(session.commit(1).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        assertThat(waiting("out")).isEmpty();
        assertThat(waiting("q")).containsExactly("a");
    }

    @Test
    void aTransactionBeyondItsLimitsCannotCommit() {
        session.begin(1);
        for (int i = 0; i < 5; i++) {
            assertThat(session.send(text("q", "m"), 1).done).isTrue();
        }
        assertThat(session.send(text("q", "m"), 1).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        assertThat(session.commit(1).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        session.begin(2);
        assertThat(session.send(text("q", "x".repeat(10_000)), 2).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        session.rollback(2);
        assertThat(waiting("q")).isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aReleaseInATransactionIsRefused() {
        session.send("q", "a");
        session.subscribe(1, "q", 1);
        session.receive();
        session.begin(1);
        assertThat(session.settle(new Settle(1, 1, 1, Outcome.RELEASED, 1)).code())
                .isEqualTo(ErrorCode.UNSUPPORTED);
    }

    @Test
    void nonPersistentSendsAloneCommitWithoutTheDisk() {
        broker.settle();
        session.begin(1);
        session.send(TestSession.text("q", "a").persistent(false).build(), 1);
        assertThat(session.commit(1).done).isTrue();
        assertThat(broker.journal.undurable()).isZero();
    }

    @Test
    void aTransactionSettlesNoMoreThanItMayAndThenRollsBack() {
        TestBroker few = new TestBroker(Limits.DEFAULTS.with(Limit.TX_SETTLES_MAX, 2));
        TestSession one = few.session();
        for (String text : List.of("a", "b", "c")) {
            one.send("q", text);
        }
        one.subscribe(1, "q", 3);
        List<Delivery> all = one.receive();
        one.begin(1);
        one.accept(all.get(0), 1);
        one.accept(all.get(1), 1);
        assertThat(one.accept(all.get(2), 1).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        TestSession.Result committed = one.commit(1);
        few.settle();
        one.drain();
        assertThat(committed.code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        one.settle(all.get(2), Outcome.RELEASED);
        one.port.credit(1, 3);
        one.port.flush();
        assertThat(one.texts()).containsExactly("a", "b", "c");
    }

    @Test
    void aRangeOfMoreThanATransactionMaySettleIsRefusedAsAWhole() {
        TestBroker few = new TestBroker(Limits.DEFAULTS.with(Limit.TX_SETTLES_MAX, 2));
        TestSession one = few.session();
        for (String text : List.of("a", "b", "c")) {
            one.send("q", text);
        }
        one.subscribe(1, "q", 3);
        assertThat(one.texts()).containsExactly("a", "b", "c");
        one.begin(1);
        assertThat(one.settle(new Settle(1, 1, 3, Outcome.ACCEPTED, 1)).code())
                .isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        one.begin(2);
        assertThat(one.settle(new Settle(1, 1, 2, Outcome.ACCEPTED, 2)).done).isTrue();
        one.commit(2);
        few.settle();
        one.settle(new Settle(1, 3, 3, Outcome.RELEASED, Session.NO_TRANSACTION));
        one.port.credit(1, 3);
        one.port.flush();
        assertThat(one.texts()).containsExactly("c");
    }

    @Test
    void whatIsSettledInATransactionThatHasTimedOutComesBack() {
        TestBroker hasty = new TestBroker(Limits.DEFAULTS.with(Limit.TX_AGE_MAX, 1_000));
        TestSession one = hasty.session();
        one.send("q", "a");
        one.subscribe(1, "q", 1);
        Delivery a = one.receive().get(0);
        one.begin(1);
        hasty.nowMs += 2_000;
        hasty.settle();
        assertThat(one.accept(a, 1).code()).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT);
        assertThat(one.commit(1).code()).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT);
        one.connection.close();
        TestSession next = hasty.session();
        next.subscribe(1, "q", 1);
        assertThat(next.texts()).containsExactly("a");
    }

    /** What a commit gives to many is in memory page by page only, however small the messages are. */
    @Test
    void theEntriesOfACommitToManySubscribersAreBounded() {
        TestBroker small = new TestBroker(Limits.DEFAULTS.with(Limit.TX_MEMORY, 20_000));
        List<TestSession> subscribers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TestSession subscriber = small.session();
            subscriber.subscribe(Subscribe.to(1, Address.topic("t")), 0);
            subscribers.add(subscriber);
        }
        TestSession publisher = small.session();
        publisher.begin(1);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            texts.add("m" + i);
            publisher.send(MessageBuilder.to(Address.topic("t")).text("m" + i).build(), 1);
        }
        TestSession.Result commit = publisher.commit(1);
        publisher.receive();
        assertThat(commit.done).isTrue();
        assertThat(small.engine.memoryUsed()).isLessThan(50L * 40 * 80);
        for (TestSession subscriber : subscribers) {
            subscriber.port.credit(1, 100);
            subscriber.flushed(new TestSession.Result());
            assertThat(subscriber.texts()).containsExactlyElementsOf(texts);
        }
    }

    /** Who does not get a message needs no other one. */
    @Test
    void whatIsTooLargeForMemoryGoesToPagesThoughItsOwnConsumerLeavesItOut() {
        TestBroker small = new TestBroker(Limits.DEFAULTS.with(Limit.TX_MEMORY, 10_000));
        TestSession sender = small.session();
        Address topic = Address.topic("t");
        sender.subscribe(new Subscribe(1, topic, null, null, true), 10);
        TestSession other = small.session();
        other.subscribe(Subscribe.to(1, topic), 10);
        sender.begin(1);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            texts.add(i + " ".repeat(9_000));
            sender.send(MessageBuilder.to(topic).text(texts.get(i)).build(), 1);
        }
        small.settle();
        assertThat(small.pageDisk).isNotEmpty();
        assertThat(sender.commit(1).code()).isNull();
        assertThat(sender.receive()).isEmpty();
        assertThat(other.texts()).isEqualTo(texts);
    }
}
