package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
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
}
