package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long messages wait for a consumer once they are confirmed: told of one in 16. */
final class WaitsTest {
    private static final int SAMPLE = 16;

    private final TestBroker broker = new TestBroker();
    private final TestSession session = broker.session();
    private final List<Integer> told = new ArrayList<>();

    WaitsTest() {
        broker.engine.meter(told::add);
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            session.port.send(Send.of(TestSession.text("q", "x").build()), new TestSession.Result());
        }
        session.port.flush();
        broker.run();
    }

    private void consume(int count) {
        session.port.credit(1, count);
        session.port.flush();
        broker.settle();
    }

    @Test
    void countsFromTheConfirmationNotFromTheArrival() {
        send(2 * SAMPLE);
        broker.nowMs += 500;
        broker.settle();
        broker.nowMs += 30;
        session.subscribe(1, "q", SAMPLE);
        assertThat(told).containsExactly(30);
        broker.nowMs += 7;
        consume(SAMPLE);
        assertThat(told).containsExactly(30, 37);
    }

    @Test
    void isNothingForWhatGoesOutWithItsConfirmation() {
        session.subscribe(1, "q", SAMPLE);
        send(SAMPLE);
        broker.nowMs += 500;
        broker.settle();
        assertThat(told).containsExactly(0);
    }

    @Test
    void isToldOfAMessagesFirstDeliveryAlone() {
        send(SAMPLE);
        broker.settle();
        session.subscribe(1, "q", SAMPLE);
        session.receive().forEach(delivery -> session.settle(delivery, Outcome.RELEASED));
        broker.nowMs += 100;
        consume(SAMPLE);
        assertThat(told).hasSize(1);
    }

    @Test
    void isNothingWhenTheClockIsSetBack() {
        send(SAMPLE);
        broker.settle();
        broker.nowMs -= 60_000;
        session.subscribe(1, "q", SAMPLE);
        assertThat(told).containsExactly(0);
    }
}
