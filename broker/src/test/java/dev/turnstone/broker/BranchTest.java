package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.BranchRecord;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.spi.Principal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What prepared branches hold of queues that are in pages, and what operators decide. */
final class BranchTest {
    private static final BranchId BRANCH = new BranchId(1, new byte[] {1}, new byte[] {2});
    private static final int COUNT = 60;

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS
            .with(Limit.ADDRESS_MEMORY_MAX, 6_000)
            .with(Limit.PAGE_BYTES, 4_000)
            .with(Limit.SETTLE_FOLD, 5));

    private TestSession session = broker.session();

    private TestSession.Result done(TestSession.Result result) {
        session.port.flush();
        broker.settle();
        session.drain();
        return result;
    }

    private TestSession.Result start(BranchStart.Mode mode) {
        TestSession.Result result = new TestSession.Result();
        session.port.branches().start(new BranchStart(BRANCH, mode, 1, 0), result);
        return done(result);
    }

    private TestSession.Result end() {
        TestSession.Result result = new TestSession.Result();
        session.port.branches().end(BRANCH, BranchEnd.SUCCESS, result);
        return done(result);
    }

    private TestSession.Result prepare() {
        TestSession.Result result = new TestSession.Result();
        session.port.branches().prepare(BRANCH, vote -> {}, result);
        return done(result);
    }

    private TestSession.Result finish(boolean commit) {
        TestSession.Result result = new TestSession.Result();
        if (commit) {
            session.port.branches().commit(BRANCH, false, result);
        } else {
            session.port.branches().rollback(BRANCH, result);
        }
        return done(result);
    }

    private static String text(int number) {
        return number + "x".repeat(500);
    }

    private List<String> consumeAll() {
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 1_000);
        return consumer.allTexts();
    }

    private static List<String> texts(int... without) {
        List<Integer> gone = IntStream.of(without).boxed().toList();
        return IntStream.range(0, COUNT)
                .filter(i -> !gone.contains(i))
                .mapToObj(BranchTest::text)
                .toList();
    }

    /** Fills the queue so that it is in pages, and prepares a branch that has settled some of the first. */
    private void prepareSettles(int... numbers) {
        for (int i = 0; i < COUNT; i++) {
            session.send("q", text(i));
            broker.settle();
        }
        // Nobody has consumed: all but the last are in pages now, and come back for this consumer.
        assertThat(broker.pageDisk).hasSizeGreaterThan(3);
        session.subscribe(1, "q", 20);
        List<Delivery> deliveries = new ArrayList<>();
        while (deliveries.size() < 20) {
            broker.settle();
            deliveries.addAll(session.receive());
        }
        assertThat(start(BranchStart.Mode.NEW).done).isTrue();
        for (int i : numbers) {
            long number = deliveries.get(i).number();
            assertThat(session.settle(new Settle(1, number, number, Outcome.ACCEPTED, 1)).cause)
                    .isNull();
        }
        assertThat(end().done).isTrue();
        assertThat(prepare().done).isTrue();
        broker.crash();
        session = broker.session();
    }

    @Test
    void whatAPreparedBranchHasSettledInAPageStaysAwayOverCrashesAndIsGoneAfterItsCommit() {
        prepareSettles(0, 7, 19);
        assertThat(consumeAll()).isEqualTo(texts(0, 7, 19));
        broker.crash();
        session = broker.session();
        assertThat(finish(true).done).isTrue();
        assertThat(consumeAll()).isEqualTo(texts(0, 7, 19));
        broker.crash();
        assertThat(consumeAll()).isEqualTo(texts(0, 7, 19));
    }

    @Test
    void whatAPreparedBranchHasSettledInAPageComesBackInItsPlaceAfterItsRollback() {
        prepareSettles(0, 7, 19);
        assertThat(finish(false).done).isTrue();
        assertThat(consumeAll()).isEqualTo(texts());
        broker.crash();
        assertThat(consumeAll()).isEqualTo(texts());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAnOperatorHasDecidedIsRememberedUntilItIsForgotten(boolean committed) {
        BranchRecord decided = new BranchRecord(
                BRANCH, committed ? BranchRecord.State.COMMITTED : BranchRecord.State.ROLLED_BACK, Principal.ANONYMOUS);
        ByteBuffer bytes = ByteBuffer.allocate(decided.sizeBytes());
        decided.writeTo(bytes);
        broker.disk.put(900_000L, new MemoryJournal.Stored(RecordType.BRANCH.code(), bytes.array()));
        for (int life = 0; life < 2; life++) {
            broker.crash();
            session = broker.session();
            ErrorCode expected = committed ? ErrorCode.HEURISTIC_COMMIT : ErrorCode.HEURISTIC_ROLLBACK;
            assertThat(finish(true).code()).isEqualTo(expected);
            assertThat(finish(false).code()).isEqualTo(expected);
            assertThat(start(BranchStart.Mode.JOIN).code()).isEqualTo(ErrorCode.BRANCH_STATE);
        }
        TestSession.Result forgotten = new TestSession.Result();
        session.port.branches().forget(BRANCH, forgotten);
        assertThat(done(forgotten).done).isTrue();
        broker.crash();
        session = broker.session();
        assertThat(finish(true).code()).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
    }

    @Test
    void aVoteIsNotHeardBeforeItIsDurable() {
        start(BranchStart.Mode.NEW);
        session.send(TestSession.text("q", "a").build(), 1);
        end();
        TestSession.Result vote = new TestSession.Result();
        session.port.branches().prepare(BRANCH, prepared -> {}, vote);
        session.port.flush();
        broker.run();
        session.drain();
        assertThat(vote.done).isFalse();
        broker.crash();
        session = broker.session();
        assertThat(finish(true).code()).as("what nobody has heard of is gone").isEqualTo(ErrorCode.NO_SUCH_BRANCH);
    }
}
