package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a subscription has settled of messages that others still hold. */
final class SettlesFoldTest {
    private static final Address TOPIC = Address.topic("t");
    private static final int FOLD = 100;
    private static final int COUNT = 6_000;

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.SETTLE_FOLD, FOLD));

    private TestSession subscriber(String name, int credit) {
        TestSession session = broker.session(broker.connect(name));
        session.subscribe(new Subscribe(1, TOPIC, new SubscriptionName(name, "s"), null, false), credit);
        return session;
    }

    private void fill() {
        TestSession sender = broker.session();
        for (int i = 0; i < COUNT; i++) {
            sender.port.send(Send.of(MessageBuilder.to(TOPIC).property("n", i).build()), new TestSession.Result());
            if (i % 100 == 0) {
                sender.port.flush();
                broker.settle();
            }
        }
        sender.port.flush();
        broker.settle();
    }

    private static List<Integer> numbers(List<Delivery> deliveries) {
        List<Integer> numbers = new ArrayList<>();
        deliveries.forEach(delivery -> numbers.add((Integer) delivery.message().property("n")));
        return numbers;
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private long settleRecords() {
        return broker.disk.values().stream()
                .filter(record -> record.type() == 5 || record.type() == 6)
                .count();
    }

    private void settle(TestSession session, int first, int last) {
        session.settle(new Settle(1, first, last, Outcome.ACCEPTED, 0));
        broker.settle();
    }

    @Test
    void manyDeliveriesInFrontThatStayDoNotKeepSettlesBehindThemApart() {
        int held = 3_000;
        subscriber("slow", 0);
        TestSession fast = subscriber("fast", COUNT);
        fill();
        assertThat(numbers(fast.receive())).isEqualTo(range(0, COUNT));
        for (int i = held; i < COUNT; i += 50) {
            settle(fast, i + 1, i + 50);
            assertThat(settleRecords()).as("after %d", i).isLessThan(3 * FOLD);
        }
        broker.crash();
        TestSession again = subscriber("fast", COUNT);
        assertThat(numbers(again.receive())).isEqualTo(range(0, held));
        for (int i = 0; i < held - 1_000; i += 50) {
            // Every second one, and later those between.
            for (int n = i; n < i + 50; n += 2) {
                again.port.settle(new Settle(1, n + 1, n + 1, Outcome.ACCEPTED, 0), new TestSession.Result());
            }
            again.port.flush();
            broker.settle();
            assertThat(settleRecords()).as("after %d", i).isLessThan(4 * FOLD);
        }
        broker.crash();
        TestSession last = subscriber("fast", COUNT);
        List<Integer> left = new ArrayList<>(range(0, held));
        left.removeIf(n -> n < held - 1_000 && n % 2 == 0);
        assertThat(numbers(last.receive())).isEqualTo(left);
        settle(last, 1, held);
        broker.crash();
        assertThat(subscriber("fast", COUNT).receive()).isEmpty();
        assertThat(settleRecords()).isLessThan(3 * FOLD);
        assertThat(numbers(subscriber("slow", COUNT).receive())).isEqualTo(range(0, COUNT));
    }
}
