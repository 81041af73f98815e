package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A consumer gets no more bytes than it may have that nobody has taken, whatever credit it has. */
final class UntakenBytesTest {
    private static final int BODY = 10_000;
    /** So many bodies reach the limit. */
    private static final int FULL = 10;

    private static final int COUNT = 50;

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.CONSUMER_BYTES_MAX, FULL * BODY));
    private final TestSession session = broker.session();

    private static Message message(int number, int bytes) {
        return TestSession.text("q", number + " " + "x".repeat(bytes)).build();
    }

    private void fill() {
        TestSession sender = broker.session();
        for (int i = 0; i < COUNT; i++) {
            sender.send(message(i, BODY));
        }
        broker.settle();
    }

    private long delivered() {
        return broker.report().flow().delivered();
    }

    private static List<Integer> numbers(List<Delivery> deliveries) {
        List<Integer> numbers = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            String text = String.valueOf(delivery.message().text());
            numbers.add(Integer.valueOf(text.substring(0, text.indexOf(' '))));
        }
        return numbers;
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    /** The edge passes its deliveries on, which the broker hears of. */
    private void taken(List<Delivery> deliveries) {
        for (Delivery delivery : deliveries) {
            session.port.taken(delivery.consumer(), delivery.message().encodedBytes());
        }
    }

    @Test
    void whatNobodyHasDrainedIsBounded() {
        fill();
        session.port.subscribe(Subscribe.to(1, Address.queue("q")), new TestSession.Result());
        session.port.credit(1, 1_000);
        session.port.flush();
        broker.settle();
        assertThat(delivered()).isEqualTo(FULL);

        List<Delivery> all = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            List<Delivery> some = session.receive();
            assertThat(some).hasSizeLessThanOrEqualTo(2 * FULL);
            all.addAll(some);
        }
        assertThat(numbers(all)).as("drained is taken").isEqualTo(range(0, COUNT));
    }

    @Test
    void whatAnEdgeKeepsIsBoundedUntilItHasTakenIt() {
        session.port.keepsDeliveries();
        fill();
        session.subscribe(1, "q", 1_000);
        List<Delivery> first = session.receive();
        assertThat(numbers(first)).isEqualTo(range(0, FULL));
        first.forEach(delivery -> session.settle(delivery, Outcome.ACCEPTED));
        assertThat(session.receive()).as("that it is settled says nothing").isEmpty();
        taken(first.subList(0, 7));
        assertThat(numbers(session.receive())).isEqualTo(range(FULL, FULL + 7));
        session.port.taken(9, 1 << 20);
        assertThat(session.receive()).as("there is no such consumer").isEmpty();
    }

    @Test
    void oneThatIsLargerThanTheLimitPassesAlone() {
        session.port.keepsDeliveries();
        for (int i = 0; i < 3; i++) {
            session.send(message(i, 2 * FULL * BODY));
        }
        session.subscribe(1, "q", 1_000);
        for (int i = 0; i < 3; i++) {
            List<Delivery> one = session.receive();
            assertThat(numbers(one)).isEqualTo(range(i, i + 1));
            taken(one);
        }
    }

    @Test
    void otherConsumersGetWhatOneHasNoRoomFor() {
        session.port.keepsDeliveries();
        fill();
        session.subscribe(1, "q", 1_000);
        session.receive();
        TestSession other = broker.session();
        other.subscribe(1, "q", 1_000);
        List<Delivery> rest = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            rest.addAll(other.receive());
        }
        assertThat(numbers(rest)).isEqualTo(range(FULL, COUNT));
    }

    @Test
    void anExclusiveConsumerGetsTheRestWhenItHasRoom() {
        session.port.keepsDeliveries();
        fill();
        session.subscribe(Subscribe.to(1, Address.queue("q")).with(ConsumerOptions.DEFAULTS.exclusive(true)), 1_000);
        TestSession other = broker.session();
        other.subscribe(1, "q", 1_000);
        List<Delivery> first = session.receive();
        assertThat(other.receive()).isEmpty();
        taken(first);
        assertThat(numbers(session.receive())).isEqualTo(range(FULL, 2 * FULL));
    }

    @Test
    void aGroupWaitsForItsConsumerToHaveRoom() {
        session.port.keepsDeliveries();
        for (int i = 0; i < 2 * FULL; i++) {
            session.send(TestSession.text("q", i + " " + "x".repeat(BODY))
                    .group(i % 2 == 0 || i < FULL ? "a" : "b", 0)
                    .build());
        }
        session.subscribe(1, "q", 1_000);
        List<Delivery> first = session.receive();
        assertThat(numbers(first)).isEqualTo(range(0, FULL));
        TestSession other = broker.session();
        other.subscribe(1, "q", 1_000);
        assertThat(numbers(other.receive())).isEqualTo(List.of(11, 13, 15, 17, 19));
        taken(first);
        assertThat(numbers(session.receive())).isEqualTo(List.of(10, 12, 14, 16, 18));
    }

    @Test
    void aBrowserIsShownTheRestWhenItHasRoom() {
        session.port.keepsDeliveries();
        fill();
        session.subscribe(Subscribe.browse(1, Address.queue("q"), null), 1_000);
        List<Delivery> all = new ArrayList<>();
        while (all.size() < COUNT) {
            List<Delivery> some = session.receive();
            assertThat(some).hasSize(FULL);
            taken(some);
            all.addAll(some);
        }
        assertThat(numbers(all)).isEqualTo(range(0, COUNT));
    }

    @Test
    void whatWasRecalledBurdensNobody() {
        session.port.keepsDeliveries();
        fill();
        session.subscribe(1, "q", 1_000);
        assertThat(session.receive()).hasSize(FULL);
        session.port.recall(1, 0, new TestSession.Result());
        session.port.credit(1, 1_000);
        session.port.flush();
        assertThat(numbers(session.receive())).isEqualTo(range(0, FULL));
    }

    /** Consumers of a topic, which have no credit yet, and of which each keeps what it is given. */
    private static List<TestSession> subscribers(TestBroker of, int count) {
        List<TestSession> sessions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestSession one = of.session();
            one.port.keepsDeliveries();
            one.subscribe(Subscribe.to(1, Address.topic("t")), 0);
            sessions.add(one);
        }
        return sessions;
    }

    private static void publish(TestBroker to) {
        TestSession sender = to.session();
        for (int i = 0; i < COUNT; i++) {
            sender.send(MessageBuilder.to(Address.topic("t"))
                    .text(i + " " + "x".repeat(BODY))
                    .build());
        }
        to.settle();
    }

    private static List<Delivery> takeAll(TestSession session) {
        List<Delivery> all = new ArrayList<>();
        for (List<Delivery> some = session.receive(); !some.isEmpty(); some = session.receive()) {
            all.addAll(some);
            for (Delivery delivery : some) {
                session.port.taken(1, delivery.message().encodedBytes());
            }
        }
        return all;
    }

    /** Each alone is within its limit. */
    @Test
    void manyConsumersTogetherGetNoMoreThanTheirShareOfMemory() {
        long max = 2 << 20;
        int most = FULL * BODY * 3;
        TestBroker small =
                new TestBroker(Limits.DEFAULTS.with(Limit.MEMORY_MAX, max).with(Limit.CONSUMER_BYTES_MAX, most));
        List<TestSession> sessions = subscribers(small, 20);
        publish(small);
        for (TestSession each : sessions) {
            each.port.credit(1, 1_000);
            each.port.flush();
        }
        small.settle();
        long bytes = small.report().flow().delivered() * BODY;
        assertThat(bytes).isBetween(max / 4, max / 4 + 20 * (Session.UNTOLD_BYTES_MAX + BODY) + most);
        for (TestSession each : sessions) {
            assertThat(numbers(takeAll(each))).isEqualTo(range(0, COUNT));
        }
    }
}
