package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Delayed messages of a queue that is deeper than its memory. */
final class DelaysInPagesTest {
    private final TestBroker broker = new TestBroker(
            Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 400_000).with(Limit.PAGE_BYTES, 50_000));

    /** Each that is due would bring its page back. */
    @Test
    void timesAtRandomBringAPageBackOnceForManyOfThem() {
        TestSession producer = broker.session();
        int count = 1_000;
        for (int i = 0; i < count; i++) {
            // Every time once, in an order of no use.
            producer.send(TestSession.text("q", "x".repeat(1_000))
                    .property("n", i)
                    .deliveryTimeMs(broker.nowMs + 10_000 + i * 617 % count)
                    .build());
            broker.settle();
        }
        assertThat(broker.pageDisk).hasSizeGreaterThan(10);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", count);
        int before = broker.pages.reads();
        broker.nowMs += 9_999;
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            broker.nowMs++;
            for (Delivery delivery : consumer.receive()) {
                all.add((Integer) delivery.message().property("n"));
                consumer.settle(delivery, Outcome.ACCEPTED);
            }
            assertThat(all).as("after %d ms", i).hasSize(i + 1);
        }
        assertThat(broker.pages.reads() - before).isLessThan(count / 5);
    }

    /** There are none that are due first. */
    @Test
    void whatIsDueAtOneTimeLeavesMemoryAsAWhole() {
        TestSession producer = broker.session();
        int count = 1_000;
        for (int i = 0; i < count; i++) {
            producer.send(TestSession.text("q", "x".repeat(1_000))
                    .deliveryTimeMs(broker.nowMs + 10_000)
                    .build());
            broker.settle();
        }
        assertThat(broker.engine.memoryUsed()).isLessThan(500_000);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", count);
        broker.nowMs += 10_000;
        List<Delivery> all = new ArrayList<>();
        for (List<Delivery> some = consumer.receive(); !some.isEmpty(); some = consumer.receive()) {
            all.addAll(some);
        }
        assertThat(all).hasSize(count);
        assertThat(broker.pages.reads()).isLessThan(100);
    }
}
