package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.binding.VirtualTopics;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether there is room, whoever sends, and whether the queue is there or not. */
final class AdmissionTest {
    private static final BranchId BRANCH = new BranchId(1, new byte[] {1}, new byte[] {2});
    private static final AddressRules VALUES = AddressRules.DEFAULTS.with("q", AddressSetting.LAST_VALUE_KEY, "key");

    private TestBroker broker = new TestBroker();
    private TestSession session = broker.session();

    private void with(AddressRules rules) {
        broker = new TestBroker(rules);
        session = broker.session();
    }

    private static AddressRules atMost(int messages, String whenFull) {
        return AddressRules.DEFAULTS
                .with("q", AddressSetting.MAX_MESSAGES, messages)
                .with("q", AddressSetting.WHEN_FULL, whenFull);
    }

    private TestSession.Result done(TestSession.Result result) {
        session.flushed(result);
        session.receive();
        return result;
    }

    private void branch(int sends) {
        session.port.branches().start(new BranchStart(BRANCH, BranchStart.Mode.NEW, 1, 0), new TestSession.Result());
        for (int i = 1; i <= sends; i++) {
            session.send(TestSession.text("q", "b" + i).build(), 1);
        }
        session.port.branches().end(BRANCH, BranchEnd.SUCCESS, new TestSession.Result());
        done(new TestSession.Result());
    }

    private TestSession.Result prepare() {
        TestSession.Result result = new TestSession.Result();
        session.port.branches().prepare(BRANCH, vote -> {}, result);
        return done(result);
    }

    private TestSession.Result commit(boolean onePhase) {
        TestSession.Result result = new TestSession.Result();
        session.port.branches().commit(BRANCH, onePhase, result);
        return done(result);
    }

    private TestSession.Result vote(boolean onePhase) {
        return onePhase ? commit(true) : prepare();
    }

    private List<String> all(String queue) {
        TestSession reader = broker.session();
        reader.subscribe(1, queue, 1_000);
        List<Delivery> all = reader.receive();
        all.forEach(delivery -> reader.settle(delivery, Outcome.ACCEPTED));
        reader.connection.close();
        broker.settle();
        return all.stream().map(delivery -> delivery.message().text()).toList();
    }

    private TestSession.Result update(String key, String value) {
        return done(
                session.send(TestSession.text("q", value).property("key", key).build()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBranchThatWouldPutInMoreThanThereMayBeIsVotedDownAsAWhole(boolean onePhase) {
        with(atMost(3, "reject"));
        session.send("q", "m1");
        branch(3);
        assertThat(vote(onePhase).code()).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertThat(all("q")).containsExactly("m1");
        branch(3);
        assertThat(vote(onePhase).code()).isNull();
        if (!onePhase) {
            done(session.send("q", "m2"));
            assertThat(commit(false).code()).isNull();
            assertThat(all("q")).containsExactly("m2", "b1", "b2", "b3");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBranchWaitsForRoomWhereSendersDo(boolean onePhase) {
        with(atMost(3, "block"));
        session.send("q", "m1");
        branch(3);
        TestSession.Result vote = vote(onePhase);
        assertThat(vote.done || vote.cause != null).isFalse();
        assertThat(all("q")).startsWith("m1");
        session.receive();
        assertThat(vote.done).isTrue();
    }

    @Test
    void aQueueThatIsNotThereYetHasItsLimitToo() {
        with(atMost(3, "reject"));
        session.begin(1);
        for (int i = 1; i <= 4; i++) {
            session.send(TestSession.text("q", "t" + i).build(), 1);
        }
        assertThat(done(session.commit(1)).code()).isEqualTo(ErrorCode.QUEUE_FULL);
        branch(4);
        assertThat(prepare().code()).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertThat(broker.report().addresses()).isZero();
        session.begin(2);
        for (int i = 1; i <= 3; i++) {
            session.send(TestSession.text("q", "t" + i).build(), 2);
        }
        assertThat(done(session.commit(2)).code()).isNull();
        assertThat(all("q")).hasSize(3);
    }

    @Test
    void aMessageLargerThanAQueueThatIsNotThereYetMayHoldIsRefused() {
        with(AddressRules.DEFAULTS.with("q", AddressSetting.MAX_BYTES, 1_000));
        String large = "x".repeat(5_000);
        assertThat(done(session.send("q", large)).code()).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(done(session.send("q", "small")).code()).isNull();
    }

    /** While a commit waits for one queue, another that it sends to may come. */
    @Test
    void aQueueThatCameWhileACommitWaitedCountsAsItIsThen() {
        with(atMost(1, "block")
                .with("r", AddressSetting.MAX_MESSAGES, 1)
                .with("r", AddressSetting.WHEN_FULL, "reject"));
        session.send("q", "m1");
        session.begin(1);
        session.send(TestSession.text("q", "t1").build(), 1);
        session.send(TestSession.text("r", "t2").build(), 1);
        TestSession.Result commit = done(session.commit(1));
        broker.session().send("r", "r1");
        assertThat(all("q")).containsExactly("m1");
        session.receive();
        assertThat(commit.code()).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(all("r")).containsExactly("r1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"reject", "block"})
    void theQueuesOfAVirtualTopicHaveTheirLimits(String whenFull) {
        with(AddressRules.DEFAULTS
                .with("queue:Consumer.>", AddressSetting.MAX_MESSAGES, 2)
                .with("queue:Consumer.>", AddressSetting.WHEN_FULL, whenFull));
        broker.bind(new Bindings(
                List.of(),
                List.of(new VirtualTopics("Consumer.*", Address.pattern(AddressKind.TOPIC, "VirtualTopic.>")))));
        all("Consumer.A.VirtualTopic.X");
        MessageBuilder message =
                MessageBuilder.to(Address.topic("VirtualTopic.X")).text("m");
        done(session.send(message.build()));
        done(session.send(message.build()));
        TestSession.Result third = done(session.send(message.build()));
        assertThat(third.done).isFalse();
        assertThat(third.code()).isEqualTo(whenFull.equals("reject") ? ErrorCode.QUEUE_FULL : null);
        assertThat(all("Consumer.A.VirtualTopic.X")).startsWith("m", "m");
        session.receive();
        assertThat(third.done).isEqualTo(whenFull.equals("block"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reject", "block"})
    void anUpdateOfAValueNeedsNoRoomForAnotherMessage(String whenFull) {
        with(VALUES.with("q", AddressSetting.MAX_MESSAGES, 2).with("q", AddressSetting.WHEN_FULL, whenFull));
        update("a", "a1");
        update("b", "b1");
        assertThat(update("a", "a2").done).isTrue();
        session.begin(1);
        for (String value : List.of("b2", "b3")) {
            session.send(TestSession.text("q", value).property("key", "b").build(), 1);
        }
        assertThat(done(session.commit(1)).done).isTrue();
        assertThat(update("c", "c1").done).isFalse();
        assertThat(all("q")).startsWith("a2", "b3");
    }

    @Test
    void anUpdateNeedsRoomForWhatItHasMoreThanTheValueThatItReplaces() {
        with(VALUES.with("q", AddressSetting.MAX_BYTES, 1_000));
        update("a", "x".repeat(500));
        assertThat(update("a", "y".repeat(600)).code()).isNull();
        assertThat(update("b", "z".repeat(300)).code()).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(all("q")).containsExactly("y".repeat(600));
    }

    @Test
    void aValueThatSomebodyHasIsNotReplacedAndCounts() {
        with(VALUES.with("q", AddressSetting.MAX_MESSAGES, 1));
        update("a", "a1");
        session.subscribe(1, "q", 1);
        Delivery first = session.receive().get(0);
        assertThat(update("a", "a2").code()).isEqualTo(ErrorCode.QUEUE_FULL);
        session.settle(first, Outcome.RELEASED);
    }

    /** Its keys are counted in the transaction too: the second of a key replaces the first. */
    @Test
    void aTransactionWithOneKeyNeedsRoomForOneMessage() {
        with(VALUES.with("q", AddressSetting.MAX_MESSAGES, 1));
        session.begin(1);
        for (String value : List.of("a1", "a2", "a3")) {
            session.send(TestSession.text("q", value).property("key", "a").build(), 1);
        }
        assertThat(done(session.commit(1)).code()).isNull();
        assertThat(all("q")).containsExactly("a3");
    }

    @Test
    void aValueInAPageIsReplacedToo() {
        broker = new TestBroker(
                LastValueTest.tight(), Security.OPEN, VALUES.with("q", AddressSetting.MAX_MESSAGES, 100));
        session = broker.session();
        for (int i = 0; i < 100; i++) {
            update("k" + i, i + "x".repeat(200));
        }
        assertThat(broker.pageDisk).isNotEmpty();
        assertThat(update("k7", "new").code()).isNull();
        assertThat(update("k100", "more").code()).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(all("q")).hasSize(100).endsWith("new");
    }
}
