package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.Address;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Subscribe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** How identities are recorded, wait for each other, and are forgotten. */
final class DuplicatesTest {
    private static final int HORIZON_MS = 1_000;

    private TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.DEDUP_HORIZON_MS, HORIZON_MS));
    private TestSession session = broker.session();

    private static Send send(String text, DedupId id) {
        return Send.of(TestSession.text("q", text).build()).with(id);
    }

    private TestSession.Result give(TestSession to, String text, DedupId id) {
        TestSession.Result result = new TestSession.Result();
        to.port.send(send(text, id), result);
        to.port.flush();
        broker.run();
        to.drain();
        return result;
    }

    private long records(RecordType type) {
        return broker.disk.values().stream()
                .filter(stored -> stored.type() == type.code())
                .count();
    }

    @Test
    void aSecondCopyIsConfirmedNoSoonerThanTheFirst() {
        TestSession other = broker.session();
        TestSession.Result first = give(session, "a", DedupId.of("1"));
        TestSession.Result second = give(other, "a", DedupId.of("1"));
        assertThat(first.done).isFalse();
        assertThat(second.done).as("the first copy is not durable").isFalse();

        broker.settle();
        session.drain();
        other.drain();

        assertThat(first.done).isTrue();
        assertThat(second.done).isTrue();
    }

    /** Found by simulation: whoever sent again what had been the last to fit was refused, though it was there. */
    @ParameterizedTest
    @ValueSource(strings = {"reject", "block"})
    void aCopyNeedsNoRoom(String whenFull) {
        broker = new TestBroker(AddressRules.DEFAULTS
                .with("q", AddressSetting.MAX_MESSAGES, 2)
                .with("q", AddressSetting.WHEN_FULL, whenFull));
        session = broker.session();
        give(session, "a", DedupId.of("1"));
        give(session, "b", new DedupId.Sequence("p", 1));
        broker.settle();
        TestSession again = broker.session();
        TestSession.Result a = give(again, "a", DedupId.of("1"));
        TestSession.Result b = give(again, "b", new DedupId.Sequence("p", 1));
        broker.settle();
        again.drain();
        assertThat(a.cause).isNull();
        assertThat(a.done).isTrue();
        assertThat(b.done).isTrue();
        assertThat(records(RecordType.MESSAGE)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reject", "block"})
    void aCopyInATransactionNeedsNoRoom(String whenFull) {
        broker = new TestBroker(AddressRules.DEFAULTS
                .with("q", AddressSetting.MAX_MESSAGES, 1)
                .with("q", AddressSetting.WHEN_FULL, whenFull));
        session = broker.session();
        give(session, "a", DedupId.of("1"));
        broker.settle();
        TestSession again = broker.session();
        TestSession.Result committed = new TestSession.Result();
        again.begin(1);
        again.port.send(
                new Send(TestSession.text("q", "a").build(), 1).with(DedupId.of("1")), new TestSession.Result());
        again.port.send(new Send(TestSession.text("other", "b").build(), 1), new TestSession.Result());
        again.port.commit(1, committed);
        again.port.flush();
        broker.settle();
        again.drain();
        assertThat(committed.cause).isNull();
        assertThat(committed.done).isTrue();
        assertThat(records(RecordType.MESSAGE)).isEqualTo(2);
    }

    private void forgetAll() {
        for (int i = 0; i < 3; i++) {
            broker.nowMs += HORIZON_MS + 1;
            broker.settle();
        }
        assertThat(records(RecordType.DEDUP)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"page", "reject", "block"})
    void aCopyInATransactionStaysOneThoughItsIdentityIsForgottenBeforeTheCommit(String whenFull) {
        broker = new TestBroker(
                Limits.DEFAULTS.with(Limit.DEDUP_HORIZON_MS, HORIZON_MS),
                Security.OPEN,
                AddressRules.DEFAULTS
                        .with("q", AddressSetting.MAX_MESSAGES, 1)
                        .with("q", AddressSetting.WHEN_FULL, whenFull));
        session = broker.session();
        give(session, "a", DedupId.of("1"));
        broker.settle();
        session.begin(1);
        session.port.send(
                new Send(TestSession.text("q", "a").build(), 1).with(DedupId.of("1")), new TestSession.Result());
        session.send(TestSession.text("other", "b").build(), 1);
        forgetAll();
        TestSession.Result committed = session.commit(1);
        broker.settle();
        session.drain();
        assertThat(committed.cause).isNull();
        assertThat(committed.done).isTrue();
        assertThat(depth("q")).isEqualTo(1);
        assertThat(depth("other")).isEqualTo(1);
    }

    private long depth(String queue) {
        return broker.report().details().stream()
                .filter(report -> report.address().equals(Address.queue(queue)))
                .mapToLong(AddressReport::depth)
                .sum();
    }

    /** Two are in the transaction: one is sent by somebody else before the commit, and the other waits for room. */
    @Test
    void aCopyStaysOneThoughItsIdentityIsForgottenWhileTheCommitWaitsForRoom() {
        broker = new TestBroker(
                Limits.DEFAULTS.with(Limit.DEDUP_HORIZON_MS, HORIZON_MS),
                Security.OPEN,
                AddressRules.DEFAULTS
                        .with("q", AddressSetting.MAX_MESSAGES, 2)
                        .with("q", AddressSetting.WHEN_FULL, "block"));
        session = broker.session();
        TestSession other = broker.session();
        session.begin(1);
        session.port.send(
                new Send(TestSession.text("q", "a").build(), 1).with(DedupId.of("1")), new TestSession.Result());
        session.send(TestSession.text("q", "b").build(), 1);
        give(other, "a", DedupId.of("1"));
        other.send("q", "c");
        broker.settle();
        TestSession.Result committed = session.commit(1);
        forgetAll();
        assertThat(committed.done).isFalse();
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 1);
        consumer.settle(consumer.receive().get(0), Outcome.ACCEPTED);
        broker.settle();
        session.drain();
        assertThat(committed.done).isTrue();
        assertThat(depth("q")).as("what there may be").isEqualTo(2);
    }

    /** A producer's numbers do not count there, so that what was numbered before is sent all the same. */
    @Test
    void aNumberedMessageOfABranchNeedsRoom() {
        broker = new TestBroker(AddressRules.DEFAULTS
                .with("q", AddressSetting.MAX_MESSAGES, 1)
                .with("q", AddressSetting.WHEN_FULL, "reject"));
        session = broker.session();
        give(session, "n", new DedupId.Sequence("p", 1));
        broker.settle();
        BranchId branch = new BranchId(1, new byte[] {1}, new byte[] {1});
        session.port.branches().start(new BranchStart(branch, BranchStart.Mode.NEW, 1, 0), new TestSession.Result());
        TestSession.Result refused = new TestSession.Result();
        session.port.send(new Send(TestSession.text("q", "n").build(), 1).with(new DedupId.Sequence("p", 1)), refused);
        session.port.flush();
        broker.settle();
        session.drain();
        assertThat(refused.code()).isEqualTo(ErrorCode.QUEUE_FULL);
    }

    @Test
    void aCopyNeedsNobodyToGetIt() {
        TestSession subscriber = broker.session();
        subscriber.port.subscribe(new Subscribe(1, Address.topic("t"), null, null, false), new TestSession.Result());
        subscriber.port.flush();
        broker.run();
        Message message =
                MessageBuilder.to(Address.topic("t")).text("a").mandatory(true).build();
        for (int copy = 1; copy <= 2; copy++) {
            TestSession.Result result = new TestSession.Result();
            session.port.send(Send.of(message).with(DedupId.of("1")), result);
            session.port.flush();
            broker.settle();
            session.drain();
            assertThat(result.cause).isNull();
            assertThat(result.done).isTrue();
            if (copy == 1) {
                subscriber.port.close(new TestSession.Result());
                broker.settle();
            }
        }
    }

    @Test
    void anIdentityIsRememberedForTheHorizonAndNotForEver() {
        give(session, "a", DedupId.of("1"));
        give(session, "n", new DedupId.Sequence("p", 1));
        broker.settle();
        assertThat(records(RecordType.MESSAGE)).isEqualTo(2);
        assertThat(broker.engine.dueMs()).isBetween(broker.nowMs + HORIZON_MS, broker.nowMs + HORIZON_MS + 1);

        broker.nowMs += HORIZON_MS;
        give(session, "a", DedupId.of("1"));
        give(session, "n", new DedupId.Sequence("p", 1));
        broker.settle();
        assertThat(records(RecordType.MESSAGE)).as("copies within the horizon").isEqualTo(2);

        for (int i = 0; i < 3; i++) {
            broker.nowMs += HORIZON_MS + 1;
            broker.settle();
        }
        assertThat(records(RecordType.DEDUP)).isZero();
        assertThat(records(RecordType.PRODUCER)).isZero();
        assertThat(broker.engine.dueMs()).isEqualTo(Long.MAX_VALUE);
        give(session, "a", DedupId.of("1"));
        give(session, "n", new DedupId.Sequence("p", 1));
        broker.settle();
        assertThat(records(RecordType.MESSAGE)).isEqualTo(4);
    }

    @Test
    void recordsAreFoldedAndSurviveACrash() {
        for (int i = 0; i < 1_000; i++) {
            give(session, "a", DedupId.of("id" + i));
            give(session, "n", new DedupId.Sequence("p", i));
        }
        broker.settle();
        assertThat(records(RecordType.DEDUP)).isEqualTo(1_000 / 256 + 1_000 % 256);
        assertThat(records(RecordType.PRODUCER)).isEqualTo(1);

        broker.crash();
        session = broker.session();
        for (int i = 0; i < 1_000; i++) {
            give(session, "a", DedupId.of("id" + i));
            give(session, "n", new DedupId.Sequence("p", i));
        }
        broker.settle();

        assertThat(records(RecordType.MESSAGE)).isEqualTo(2_000);
        give(session, "a", DedupId.of("id1000"));
        broker.settle();
        assertThat(records(RecordType.MESSAGE)).isEqualTo(2_001);
        for (int i = 0; i < 3; i++) {
            broker.nowMs += HORIZON_MS + 1;
            broker.settle();
        }
        assertThat(records(RecordType.DEDUP)).isZero();
    }

    @Test
    void whatIsTooMuchIsForgottenEarlyAndCounted() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.DEDUP_IDS_MAX, 10).with(Limit.DEDUP_PRODUCERS_MAX, 2));
        session = broker.session();
        for (int i = 0; i < 20; i++) {
            give(session, "a", DedupId.of("id" + i));
        }
        for (String producer : new String[] {"a", "b", "c"}) {
            give(session, "n", new DedupId.Sequence(producer, 1));
        }
        broker.settle();
        assertThat(broker.engine.identitiesEvicted()).isBetween(10L, 16L);
        assertThat(records(RecordType.DEDUP)).isLessThanOrEqualTo(10);
        assertThat(records(RecordType.PRODUCER)).isEqualTo(2);
        assertThat(records(RecordType.MESSAGE)).isEqualTo(23);

        give(session, "a", DedupId.of("id19"));
        give(session, "n", new DedupId.Sequence("c", 1));
        broker.settle();
        assertThat(records(RecordType.MESSAGE)).as("the latest are remembered").isEqualTo(23);
    }

    @Test
    void aFleetingMessagesIdentityIsNotWritten() {
        TestSession.Result result = new TestSession.Result();
        Send fleeting =
                Send.of(TestSession.text("q", "f").persistent(false).build()).with(DedupId.of("1"));
        session.port.send(fleeting, result);
        session.port.send(fleeting, new TestSession.Result());
        session.port.flush();
        broker.settle();
        session.drain();

        assertThat(result.done).isTrue();
        assertThat(records(RecordType.DEDUP)).isZero();
        session.subscribe(1, "q", 10);
        assertThat(session.deliveries).hasSize(1);
    }

    @Test
    void theLogTellsOfProducersThatAreForgottenEarlyOnceAMinute() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger("dev.turnstone.broker.dedup");
        lines.start();
        log.addAppender(lines);
        try {
            broker = new TestBroker(Limits.DEFAULTS.with(Limit.DEDUP_PRODUCERS_MAX, 2));
            session = broker.session();
            for (int i = 0; i < 10; i++) {
                give(session, "m" + i, new DedupId.Sequence("p" + i, 1));
            }
            broker.nowMs += 60_000;
            broker.settle();
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .hasSize(2)
                    .allMatch(line -> line.contains("dedup.producersMax=2"))
                    .anyMatch(line -> line.startsWith("7 producers"));
        } finally {
            log.detachAppender(lines);
        }
    }
}
