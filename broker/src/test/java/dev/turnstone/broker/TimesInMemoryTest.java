package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import org.junit.jupiter.api.Test;

/** Nothing waits for the time of what has left its queue, and so keeps it in memory. */
final class TimesInMemoryTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int COUNT = 100;

    private final TestBroker broker =
            new TestBroker(Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 5_000).with(Limit.PAGE_BYTES, 2_000));
    private final TestSession session = broker.session();

    private MessageBuilder message() {
        return TestSession.text("q", "x".repeat(100));
    }

    @Test
    void whatWasConsumedBeforeItExpired() {
        for (int i = 0; i < 3; i++) {
            session.send(message().expiryMs(broker.nowMs + 10_000 + i).build());
        }
        session.subscribe(1, "q", 3);
        for (Delivery delivery : session.receive()) {
            session.settle(delivery, Outcome.ACCEPTED);
        }
        broker.settle();
        assertThat(broker.engine.memoryUsed()).isZero();
        assertThat(broker.engine.dueMs()).isEqualTo(NEVER);
    }

    @Test
    void whatIsInPagesThatEnd() {
        for (int i = 0; i < COUNT; i++) {
            session.send(message()
                    .expiryMs(broker.nowMs + 20_000 + i)
                    .deliveryTimeMs(i % 2 == 0 ? 0 : broker.nowMs + 10_000 - i)
                    .build());
            broker.settle();
        }
        assertThat(broker.pageDisk).isNotEmpty();
        assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 10_000 - COUNT + 1);
        session.port.deleteQueue(Address.queue("q"), new TestSession.Result());
        session.port.flush();
        session.receive();
        assertThat(broker.engine.memoryUsed()).isZero();
        assertThat(broker.engine.dueMs()).isEqualTo(NEVER);
    }
}
