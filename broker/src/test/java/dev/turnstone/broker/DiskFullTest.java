package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DiskFullTest {
    private static final long WAIT_MS = 5_000;

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.DISK_WAIT_MS, WAIT_MS));
    private final TestSession producer = broker.session();
    private final TestSession consumer = broker.session();

    @Test
    void aPersistentSendWaitsAndGoesOnByItselfWhenThereIsRoom() {
        broker.journal.room(false);
        TestSession.Result sent = producer.send("q", "a");
        producer.receive();
        assertThat(sent.done).isFalse();
        assertThat(sent.cause).isNull();
        int wakes = broker.wakes;
        broker.journal.room(true);
        assertThat(broker.wakes).isGreaterThan(wakes);
        producer.receive();
        assertThat(sent.done).isTrue();
    }

    @Test
    void aSendThatWaitedInVainIsRefusedAndSoAreLaterOnesAtOnceUntilThereIsRoom() {
        broker.journal.room(false);
        TestSession.Result waiting = producer.send("q", "a");
        producer.receive();
        long due = broker.engine.dueMs();
        assertThat(due).isBetween(broker.nowMs + 1, broker.nowMs + WAIT_MS);
        broker.nowMs = due;
        producer.receive();
        assertThat(waiting.code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(broker.engine.dueMs()).isEqualTo(Long.MAX_VALUE);
        TestSession.Result later = producer.send("q", "b");
        producer.receive();
        assertThat(later.code()).isEqualTo(ErrorCode.DISK_FULL);
        broker.journal.room(true);
        TestSession.Result after = producer.send("q", "c");
        producer.receive();
        assertThat(after.done).isTrue();
    }

    @Test
    void consumersDrainAndNonPersistentMessagesAndCommitsGoOn() {
        producer.send("q", "a");
        producer.begin(1);
        TestSession.Result inTransaction =
                producer.send(TestSession.text("q", "b").build(), 1);
        producer.receive();
        broker.journal.room(false);
        broker.nowMs += 2 * WAIT_MS;
        broker.run();
        broker.nowMs += 2 * WAIT_MS;
        TestSession.Result fleeting =
                producer.send(TestSession.text("q", "v").persistent(false).build());
        TestSession.Result committed = producer.commit(1);
        consumer.subscribe(1, "q", 10);
        var deliveries = consumer.receive();
        producer.receive();
        assertThat(inTransaction.done).isTrue();
        assertThat(fleeting.done).isTrue();
        assertThat(committed.done).isTrue();
        assertThat(deliveries).hasSize(3);
        TestSession.Result settled = consumer.settle(deliveries.get(0), Outcome.ACCEPTED);
        consumer.receive();
        assertThat(settled.done).isTrue();
    }

    @Test
    void aRefusedSendOfATransactionMakesItRollBack() {
        broker.journal.room(false);
        broker.run();
        broker.nowMs += 2 * WAIT_MS;
        producer.begin(1);
        TestSession.Result refused = producer.send(TestSession.text("q", "b").build(), 1);
        TestSession.Result committed = producer.commit(1);
        producer.receive();
        assertThat(refused.code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(committed.code()).isEqualTo(ErrorCode.DISK_FULL);
    }

    /** What was sent while there was room is recorded by the commit. */
    @Test
    void commitsTakeNoMoreThanHalfOfWhatIsLeft() {
        producer.send("q", "a");
        consumer.subscribe(1, "q", 10);
        var first = consumer.receive().get(0);
        for (int number = 1; number <= 3; number++) {
            producer.begin(number);
            producer.send(TestSession.text("q", "x".repeat(10_000)).build(), number);
        }
        broker.journal.room(false);
        broker.journal.freeBytes(30_000);
        broker.run();
        assertThat(producer.commit(1).code()).isNull();
        TestSession.Result second = producer.commit(2);
        producer.receive();
        assertThat(second.code()).isEqualTo(ErrorCode.DISK_FULL);
        consumer.begin(9);
        consumer.accept(first, 9);
        TestSession.Result settled = consumer.commit(9);
        consumer.receive();
        assertThat(settled.done).isTrue();
        broker.journal.freeBytes(30_001);
        TestSession.Result third = producer.commit(3);
        producer.receive();
        assertThat(third.done).isTrue();
        assertThat(consumer.receive()).as("that of the third").hasSize(1);
    }

    /** A branch writes its messages twice, and what is prepared must commit. */
    @Test
    void aBranchIsVotedDownWhoseMessagesTheDiskHasNoRoomFor() {
        BranchId id = new BranchId(1, new byte[] {1}, new byte[] {2});
        producer.port.branches().start(new BranchStart(id, BranchStart.Mode.NEW, 1, 0), new TestSession.Result());
        producer.send(TestSession.text("q", "x".repeat(10_000)).build(), 1);
        producer.port.branches().end(id, BranchEnd.SUCCESS, new TestSession.Result());
        broker.journal.room(false);
        broker.journal.freeBytes(30_000);
        TestSession.Result vote = new TestSession.Result();
        producer.port.branches().prepare(id, prepared -> {}, vote);
        producer.flushed(vote);
        producer.receive();
        assertThat(vote.code()).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
    }

    /** Chunks take the disk's last byte whether they must survive or not. */
    @Test
    void chunksOfBodiesThatNeedNotSurviveWaitAndAreRefusedToo() {
        producer.port.bodies().start(1, false, new TestSession.Result());
        producer.flushed(new TestSession.Result());
        broker.journal.room(false);
        TestSession.Result chunk = new TestSession.Result();
        producer.port.bodies().append(1, ByteBuffer.wrap(new byte[1_000]), chunk);
        producer.flushed(chunk);
        producer.receive();
        assertThat(chunk.done || chunk.cause != null).isFalse();
        broker.nowMs += 2 * WAIT_MS;
        producer.receive();
        assertThat(chunk.code()).isEqualTo(ErrorCode.DISK_FULL);
        TestSession.Result started = new TestSession.Result();
        producer.port.bodies().start(2, false, started);
        producer.flushed(started);
        producer.receive();
        assertThat(started.code()).isEqualTo(ErrorCode.DISK_FULL);
    }

    /** In one post there may be more than there is room for. */
    @Test
    void eachSendOfAPostWaitsForMemory() {
        TestBroker small = new TestBroker(Limits.DEFAULTS
                .with(Limit.MEMORY_MAX, 1 << 20)
                .with(Limit.MEMORY_PAGE_OUT, 100)
                .with(Limit.ADDRESS_MEMORY_MAX, 1 << 30));
        TestSession sender = small.session();
        List<TestSession.Result> results = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            TestSession.Result result = new TestSession.Result();
            sender.port.send(Send.of(TestSession.text("q", "x".repeat(6_000)).build()), result);
            results.add(result);
        }
        sender.flushed(results.get(0));
        assertThat(small.engine.memoryUsed()).isBetween((1L << 20) - Memory.QUEUE_OVERHEAD, (1 << 20) + 20_000L);
        sender.receive();
        assertThat(results).allMatch(result -> result.done);
    }
}
