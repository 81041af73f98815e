package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CapacityPolicyTest {
    private TestBroker broker = new TestBroker();
    private TestSession session = broker.session();

    private void with(Limits limits, AddressRules rules) {
        broker = new TestBroker(limits, Security.OPEN, rules);
        session = broker.session();
    }

    private static AddressRules atMost(int messages, String whenFull) {
        return AddressRules.DEFAULTS
                .with("q", AddressSetting.MAX_MESSAGES, messages)
                .with("q", AddressSetting.WHEN_FULL, whenFull);
    }

    private void send(int from, int to) {
        for (int i = from; i <= to; i++) {
            session.send("q", "m" + i);
        }
        broker.settle();
    }

    private List<String> all() {
        TestSession reader = broker.session();
        reader.subscribe(1, "q", 1_000_000);
        List<String> texts = new ArrayList<>();
        for (List<Delivery> some = reader.receive(); !some.isEmpty(); some = reader.receive()) {
            some.forEach(delivery -> {
                texts.add(delivery.message().text());
                reader.settle(delivery, Outcome.ACCEPTED);
            });
        }
        return texts;
    }

    @Test
    void aRingKeepsTheNewest() {
        with(Limits.DEFAULTS, AddressRules.DEFAULTS.with("q", AddressSetting.RING_SIZE, 3));
        send(1, 10);
        assertThat(broker.report().flow().dropped()).isEqualTo(7);
        broker.crash();
        assertThat(all()).containsExactly("m8", "m9", "m10");
    }

    @Test
    void whatIsDeliveredDoesNotCountInARingUntilItComesBack() {
        with(Limits.DEFAULTS, AddressRules.DEFAULTS.with("q", AddressSetting.RING_SIZE, 2));
        send(1, 2);
        session.subscribe(1, "q", 1);
        Delivery first = session.receive().get(0);
        send(3, 3);
        assertThat(first.message().text()).isEqualTo("m1");
        session.settle(first, Outcome.RELEASED);
        broker.settle();
        assertThat(all()).containsExactly("m2", "m3");
    }

    /** Found by simulation: a dead letter on its way out made a ring drop one more than it had to. */
    @Test
    void whatIsOnItsWayToTheDeadLettersDoesNotCountInARing() {
        with(Limits.DEFAULTS, AddressRules.DEFAULTS.with("q", AddressSetting.RING_SIZE, 2));
        send(1, 1);
        session.subscribe(1, "q", 1);
        Delivery first = session.receive().get(0);
        session.begin(1);
        session.settle(new Settle(1, first.number(), first.number(), Outcome.REJECTED, 1));
        session.send(TestSession.text("q", "m2").build(), 1);
        session.send(TestSession.text("q", "m3").build(), 1);
        session.commit(1);
        assertThat(all()).containsExactly("m2", "m3");
    }

    @Test
    void theOldestGoesWhateverItsPriority() {
        with(Limits.DEFAULTS, AddressRules.DEFAULTS.with("q", AddressSetting.RING_SIZE, 2));
        session.send(TestSession.text("q", "high").priority(9).build());
        session.send(TestSession.text("q", "low").priority(0).build());
        session.send(TestSession.text("q", "middle").priority(5).build());
        assertThat(all()).containsExactly("middle", "low");
    }

    @Test
    void aRingInPagesKeepsTheNewest() {
        with(LastValueTest.tight(), AddressRules.DEFAULTS.with("q", AddressSetting.RING_SIZE, 100));
        send(1, 150);
        assertThat(broker.pageDisk).isNotEmpty();
        broker.crash();
        session = broker.session();
        send(151, 400);
        List<String> texts = all();
        assertThat(texts).hasSize(100).startsWith("m301").endsWith("m400");
        broker.settle();
        assertThat(broker.pageDisk).isEmpty();
    }

    @Test
    void aRingOfLastValuesKeepsTheNewestKeys() {
        with(
                LastValueTest.tight(),
                AddressRules.DEFAULTS
                        .with("q", AddressSetting.RING_SIZE, 60)
                        .with("q", AddressSetting.LAST_VALUE_KEY, "key"));
        for (int i = 0; i < 400; i++) {
            session.send(
                    TestSession.text("q", "m" + i).property("key", "k" + i % 80).build());
            broker.settle();
        }
        broker.settle();
        assertThat(all()).hasSize(60).startsWith("m340").endsWith("m399");
    }

    @Test
    void aFullQueueDropsItsOldestOrRefuses() {
        with(Limits.DEFAULTS, atMost(2, "drop-oldest"));
        send(1, 5);
        assertThat(all()).containsExactly("m4", "m5");
        assertThat(broker.report().flow().dropped()).isEqualTo(3);
        with(Limits.DEFAULTS, atMost(2, "reject"));
        send(1, 2);
        assertThat(session.send("q", "m3").code()).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(all()).containsExactly("m1", "m2");
    }

    @Test
    void bytesCountToo() {
        with(
                Limits.DEFAULTS,
                AddressRules.DEFAULTS
                        .with("q", AddressSetting.MAX_BYTES, 1_000)
                        .with("q", AddressSetting.WHEN_FULL, "drop-oldest"));
        for (int i = 1; i <= 5; i++) {
            session.send(TestSession.text("q", i + "x".repeat(300)).build());
        }
        assertThat(all()).extracting(text -> text.substring(0, 1)).containsExactly("4", "5");
        TestSession.Result large =
                session.send(TestSession.text("q", "x".repeat(1_000)).build());
        assertThat(large.code()).isEqualTo(ErrorCode.QUEUE_FULL);
    }

    @Test
    void bytesAreCountedOverPagesAndRestarts() {
        with(LastValueTest.tight(), AddressRules.DEFAULTS.with("q", AddressSetting.MAX_BYTES, 30_000));
        int taken = 0;
        while (session.send(TestSession.text("q", "x".repeat(200)).build()).code() == null) {
            taken++;
            broker.settle();
        }
        broker.settle();
        assertThat(broker.pageDisk).isNotEmpty();
        broker.crash();
        session = broker.session();
        assertThat(session.send(TestSession.text("q", "x".repeat(200)).build()).code())
                .isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(all()).hasSize(taken);
        assertThat(session.send(TestSession.text("q", "x".repeat(200)).build()).code())
                .isNull();
    }

    @Test
    void whatIsBeyondTheLimitIsPagedAndNothingIsLost() {
        with(Limits.DEFAULTS, atMost(20, "page"));
        send(1, 200);
        assertThat(broker.pageDisk).isNotEmpty();
        broker.crash();
        assertThat(all()).hasSize(200).startsWith("m1", "m2").endsWith("m200");
    }

    @Test
    void aSlowSubscriptionLosesItsOldestAndTheOthersNothing() {
        with(
                Limits.DEFAULTS,
                AddressRules.DEFAULTS
                        .with("topic:t", AddressSetting.MAX_MESSAGES, 2)
                        .with("topic:t", AddressSetting.WHEN_FULL, "drop-oldest"));
        TestSession slow = broker.session();
        slow.subscribe(Subscribe.to(1, Address.topic("t")), 0);
        TestSession fast = broker.session();
        fast.subscribe(Subscribe.to(1, Address.topic("t")), 100);
        for (int i = 1; i <= 5; i++) {
            session.send(MessageBuilder.to(Address.topic("t")).text("m" + i).build());
            fast.receive().forEach(delivery -> fast.settle(delivery, Outcome.ACCEPTED));
        }
        slow.port.credit(1, 10);
        slow.flushed(new TestSession.Result());
        assertThat(slow.texts()).containsExactly("m4", "m5");
        assertThat(broker.report().flow().dropped()).isEqualTo(3);
    }

    @Test
    void aFullSubscriptionRefusesPublishersWhereThatIsSet() {
        with(Limits.DEFAULTS, AddressRules.DEFAULTS.with("topic:t", AddressSetting.MAX_MESSAGES, 1));
        session.subscribe(Subscribe.to(1, Address.topic("t")), 0);
        TestSession.Result first =
                session.send(MessageBuilder.to(Address.topic("t")).text("a").build());
        TestSession.Result second =
                session.send(MessageBuilder.to(Address.topic("t")).text("b").build());
        session.receive();
        assertThat(first.done).isTrue();
        assertThat(second.code()).isEqualTo(ErrorCode.QUEUE_FULL);
    }

    @Test
    void aSenderToAFullQueueWaitsAndNobodyElse() {
        with(Limits.DEFAULTS, atMost(2, "block"));
        send(1, 2);
        TestSession.Result waits = session.send("q", "m3");
        TestSession.Result behind = session.send("other", "x");
        broker.settle();
        session.drain();
        assertThat(waits.done || waits.cause != null).isFalse();
        assertThat(behind.done || behind.cause != null).isFalse();
        TestSession other = broker.session();
        TestSession.Result free = other.send("other", "y");
        other.receive();
        assertThat(free.done).isTrue();

        other.subscribe(1, "q", 1);
        Delivery first = other.receive().get(0);
        session.receive();
        assertThat(waits.done).isFalse();
        other.settle(first, Outcome.ACCEPTED);
        session.receive();
        assertThat(waits.done).isTrue();
        assertThat(behind.done).isTrue();
        other.connection.close();
        assertThat(all()).containsExactly("m2", "m3");
    }

    @Test
    void sendersThatWaitGoOnInTheirOrder() {
        with(Limits.DEFAULTS, atMost(1, "block"));
        send(0, 0);
        List<TestSession> senders = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            TestSession sender = broker.session();
            sender.send("q", "m" + i);
            senders.add(sender);
        }
        assertThat(all()).containsExactly("m0", "m1", "m2", "m3", "m4", "m5");
        assertThat(senders).hasSize(5);
    }

    @Test
    void aSessionThatWaitsCanBeClosed() {
        with(Limits.DEFAULTS, atMost(1, "block"));
        send(1, 1);
        TestSession.Result waits = session.send("q", "m2");
        TestSession.Result closed = new TestSession.Result();
        session.port.close(closed);
        session.flushed(closed);
        session.receive();
        assertThat(closed.done).isTrue();
        assertThat(waits.code()).isEqualTo(ErrorCode.CLOSED);
        assertThat(all()).containsExactly("m1");
    }

    @Test
    void aConnectionThatIsLostWhileItWaitsLeavesNothingBehind() {
        with(Limits.DEFAULTS, atMost(1, "block"));
        send(1, 1);
        session.send("q", "m2");
        session.connection.close();
        broker.settle();
        assertThat(all()).containsExactly("m1");
    }

    @Test
    void aCommitWaitsUntilAllOfItFitsAndARollbackNever() {
        with(Limits.DEFAULTS, atMost(3, "block"));
        send(1, 2);
        session.begin(1);
        session.send(TestSession.text("q", "t1").build(), 1);
        session.send(TestSession.text("q", "t2").build(), 1);
        TestSession.Result commit = session.commit(1);
        session.receive();
        assertThat(commit.done).isFalse();
        TestSession undecided = broker.session();
        undecided.begin(1);
        undecided.send(TestSession.text("q", "u1").build(), 1);
        undecided.send(TestSession.text("q", "u2").build(), 1);
        TestSession.Result rollback = undecided.rollback(1);
        undecided.receive();
        assertThat(rollback.done).isTrue();
        TestSession reader = broker.session();
        reader.subscribe(1, "q", 1);
        reader.settle(reader.receive().get(0), Outcome.ACCEPTED);
        session.receive();
        assertThat(commit.done).isTrue();
        reader.connection.close();
        assertThat(all()).containsExactly("m2", "t1", "t2");
    }

    @Test
    void aCommitThatMakesItsOwnRoomDoesNotWait() {
        with(Limits.DEFAULTS, atMost(1, "block"));
        send(1, 1);
        session.subscribe(1, "q", 1);
        Delivery first = session.receive().get(0);
        session.begin(1);
        session.accept(first, 1);
        session.send(TestSession.text("q", "m2").build(), 1);
        TestSession.Result commit = session.commit(1);
        session.receive();
        assertThat(commit.done).isTrue();
    }

    @Test
    void aCommitOfMoreThanThereMayBeIsRefusedAsAWhole() {
        with(Limits.DEFAULTS, atMost(2, "reject"));
        send(1, 1);
        session.begin(1);
        session.send(TestSession.text("q", "t1").build(), 1);
        session.send(TestSession.text("q", "t2").build(), 1);
        TestSession.Result commit = session.commit(1);
        session.receive();
        assertThat(commit.code()).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(all()).containsExactly("m1");
    }

    @Test
    void otherSettingsLetThoseGoOnWhoWait() {
        with(Limits.DEFAULTS, atMost(1, "block"));
        send(1, 1);
        TestSession.Result waits = session.send("q", "m2");
        broker.configure(atMost(5, "block"));
        session.receive();
        assertThat(waits.done).isTrue();
    }

    @Test
    void consumersAreAwaitedBeforeAnyGetsSomething() {
        with(
                Limits.DEFAULTS,
                AddressRules.DEFAULTS
                        .with("q", AddressSetting.CONSUMERS_BEFORE_DISPATCH, 2)
                        .with("q", AddressSetting.DELAY_BEFORE_DISPATCH_MS, 5_000));
        send(1, 4);
        TestSession first = broker.session();
        first.subscribe(1, "q", 10);
        assertThat(first.receive()).isEmpty();
        TestSession second = broker.session();
        second.subscribe(1, "q", 10);
        assertThat(first.texts()).hasSize(2);
        assertThat(second.texts()).hasSize(2);
        first.connection.close();
        second.connection.close();
        broker.settle();
        TestSession alone = broker.session();
        alone.subscribe(1, "q", 10);
        assertThat(alone.receive()).isEmpty();
        broker.nowMs += 4_999;
        assertThat(alone.receive()).isEmpty();
        broker.nowMs += 1;
        assertThat(alone.texts()).hasSize(4);
    }

    /** What is with consumers cannot go, so nothing else has to go for it. */
    @ParameterizedTest
    @EnumSource(names = {"MAX_MESSAGES", "MAX_BYTES"})
    void whatComesIsNotDroppedForWhatConsumersHave(AddressSetting most) {
        with(
                Limits.DEFAULTS,
                AddressRules.DEFAULTS
                        .with("q", most, most == AddressSetting.MAX_MESSAGES ? 3 : 400)
                        .with("q", AddressSetting.WHEN_FULL, "drop-oldest"));
        TestSession reader = broker.session();
        reader.subscribe(1, "q", 100);
        List<Delivery> received = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            session.send(TestSession.text("q", "m" + i + "x".repeat(60)).build());
            received.addAll(reader.receive());
        }
        assertThat(received)
                .extracting(delivery -> delivery.message().text().substring(0, 2))
                .containsExactly("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
        received.forEach(delivery -> reader.settle(delivery, Outcome.RELEASED));
        reader.connection.close();
        broker.settle();
        assertThat(all()).extracting(text -> text.substring(0, 2)).containsExactly("m7", "m8", "m9");
    }
}
