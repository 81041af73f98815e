package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sends that wait until memory is free again. */
final class HeldSendsTest {
    private static final int SENDERS = 500;

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS
            .with(Limit.MEMORY_MAX, 1 << 20)
            .with(Limit.MEMORY_PAGE_OUT, 100)
            .with(Limit.ADDRESS_MEMORY_MAX, 1 << 30));

    private static Message message(String queue, String text) {
        return TestSession.text(queue, text).persistent(false).build();
    }

    /** A full disk takes no pages. */
    private void fillMemory() {
        broker.journal.room(false);
        TestSession filler = broker.session();
        for (int i = 0; i < 11; i++) {
            filler.send(message("q", "x".repeat(100_000)));
        }
        broker.settle();
    }

    @Test
    void whoWaitsForMemoryIsNotLookedAtBeforeThereIsSome() {
        fillMemory();
        List<TestSession> senders = new ArrayList<>();
        List<TestSession.Result> results = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            TestSession sender = broker.session();
            senders.add(sender);
            results.add(sender.send(message("r", "m")));
        }
        long before = broker.journal.acceptingAsked();
        TestSession other = broker.session();
        for (int i = 1; i <= 100; i++) {
            other.subscribe(i, "s", 1);
        }
        assertThat(broker.journal.acceptingAsked() - before).isLessThan(5_000);
        broker.settle();
        senders.forEach(TestSession::drain);
        assertThat(results).noneMatch(result -> result.done);

        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 20);
        for (Delivery delivery : consumer.receive()) {
            consumer.settle(delivery, Outcome.ACCEPTED);
        }
        broker.settle();
        senders.forEach(TestSession::drain);
        assertThat(results).allMatch(result -> result.done);
    }

    /** It may be the one that frees memory. */
    @Test
    void whoWaitsForMemoryGoesOnWhenItIsGivenSomething() {
        TestSession waits = broker.session();
        waits.subscribe(1, "s", 1);
        fillMemory();
        TestSession.Result sent = waits.send(message("r", "m"));
        broker.settle();
        waits.drain();
        assertThat(sent.done).isFalse();
        TestSession other = broker.session();
        other.begin(1);
        other.send(message("s", "given"), 1);
        other.commit(1);
        assertThat(waits.receive()).hasSize(1);
        broker.settle();
        waits.drain();
        assertThat(sent.done).isTrue();
    }

    @Test
    void aSessionThatEndsWhileItWaitsIsForgotten() {
        fillMemory();
        TestSession waits = broker.session();
        TestSession.Result sent = waits.send(message("r", "m"));
        waits.connection.close();
        broker.settle();
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 20);
        for (Delivery delivery : consumer.receive()) {
            consumer.settle(delivery, Outcome.ACCEPTED);
        }
        broker.settle();
        assertThat(sent.done).isFalse();
        assertThat(broker.engine.drain()).isFalse();
    }
}
