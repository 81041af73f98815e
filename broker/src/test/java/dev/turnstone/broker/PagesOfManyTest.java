package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Pages that many subscriptions hold. */
@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
final class PagesOfManyTest {
    private static final Address TOPIC = Address.topic("t");
    private static final int COUNT = 400;

    private static final Limits LIMITS = Limits.DEFAULTS
            .with(Limit.MESSAGE_BYTES_MAX, 1_000)
            .with(Limit.MESSAGE_HEADER_BYTES_MAX, 2_000)
            .with(Limit.MEMORY_MAX, 1 << 20)
            .with(Limit.PAGE_BYTES, 8_000)
            .with(Limit.SETTLE_FOLD, 5);

    private TestBroker broker = new TestBroker(LIMITS);

    private static String name(int subscription) {
        return "s" + subscription;
    }

    private TestSession subscriber(int subscription, @Nullable String selector, int credit) {
        TestSession session = broker.session(broker.connect(name(subscription)));
        SubscriptionName name = new SubscriptionName(name(subscription), "s");
        session.subscribe(new Subscribe(1, TOPIC, name, selector, false), credit);
        return session;
    }

    private void makeSubscriptions(int count, boolean selective) {
        for (int i = 0; i < count; i++) {
            TestSession session = subscriber(i, selective ? "takers LIKE '%," + i + ",%'" : null, 0);
            session.connection.close();
            broker.settle();
        }
    }

    private static Message message(int number, String takers, int bytes) {
        return MessageBuilder.to(TOPIC)
                .property("n", number)
                .property("takers", takers)
                .text("x".repeat(bytes))
                .build();
    }

    private void fill(int count, int subscriptions, int bytes) {
        TestSession sender = broker.session();
        for (int i = 0; i < count; i++) {
            StringBuilder takers = new StringBuilder(",");
            for (int s = 0; s < subscriptions; s++) {
                if (takes(s, i)) {
                    takers.append(s).append(',');
                }
            }
            sender.send(message(i, takers.toString(), bytes));
            broker.settle();
        }
    }

    /** Each another part of any few neighbours. */
    private static boolean takes(int subscription, int number) {
        int mixed = subscription * 0x9E3779B9 ^ number * 0x85EBCA6B;
        mixed = (mixed ^ mixed >>> 15) * 0x2C1B3C6D;
        return (mixed >>> 20 & 1) == 0;
    }

    private List<Integer> takeAll(TestSession session) {
        List<Integer> numbers = new ArrayList<>();
        for (List<Delivery> some = session.receive(); !some.isEmpty(); some = session.receive()) {
            for (Delivery delivery : some) {
                numbers.add((Integer) delivery.message().property("n"));
                session.port.credit(1, 1);
                session.settle(delivery, Outcome.ACCEPTED);
            }
        }
        return numbers;
    }

    @Test
    void aMarkerThatIsTooLargeForARecordIsSeveral() {
        int subscriptions = 60;
        broker = new TestBroker(LIMITS.with(Limit.MEMORY_MAX, 3 << 19).with(Limit.MEMORY_PAGE_OUT, 45));
        makeSubscriptions(subscriptions, true);
        broker.journal.recordMaxBytes(2_000);
        fill(COUNT, subscriptions, 400);
        assertThat(broker.pageDisk).hasSizeGreaterThan(40);
        assertThat(broker.engine.memoryUsed()).isLessThan(3 << 19);
        broker.crash();
        for (int s = 0; s < subscriptions; s += 20) {
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                if (takes(s, i)) {
                    expected.add(i);
                }
            }
            assertThat(takeAll(subscriber(s, "takers LIKE '%," + s + ",%'", 10)))
                    .isEqualTo(expected);
        }
    }

    private long records(int type) {
        return broker.disk.values().stream()
                .filter(record -> record.type() == type)
                .count();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void whoHasTakenAllOfPagesThatAnotherHoldsKeepsOneRecordForAllOfThem() {
        int subscriptions = 6;
        broker = new TestBroker(LIMITS.with(Limit.ADDRESS_MEMORY_MAX, 20_000));
        makeSubscriptions(subscriptions, false);
        fill(COUNT, 0, 900);
        long before = broker.engine.memoryUsed();
        int files = broker.pageDisk.size();
        assertThat(files).isGreaterThan(10);
        for (int s = 1; s < subscriptions; s++) {
            assertThat(takeAll(subscriber(s, null, 10))).isEqualTo(range(0, COUNT));
        }
        broker.settle();
        assertThat(broker.pageDisk).hasSizeGreaterThanOrEqualTo(files);
        assertThat(records(41) + records(42)).as("settles of pages").isZero();
        assertThat(records(17)).as("floors").isEqualTo(subscriptions - 1);
        assertThat(broker.engine.memoryUsed()).isLessThanOrEqualTo(before);

        broker.crash();
        TestSession first = subscriber(1, null, 10);
        assertThat(first.receive()).isEmpty();
        fill(1, 0, 900);
        for (int s = 2; s < subscriptions; s++) {
            assertThat(takeAll(subscriber(s, null, 10))).isEqualTo(List.of(0));
        }
        assertThat(takeAll(first)).isEqualTo(List.of(0));
        assertThat(takeAll(subscriber(0, null, 10))).startsWith(0, 1, 2).hasSize(COUNT + 1);
        broker.settle();
        assertThat(records(40)).as("markers").isZero();
    }

    @Test
    void whoHasTakenAllOfAPageButStaysBehindKeepsOneRecordForIt() {
        broker = new TestBroker(LIMITS.with(Limit.ADDRESS_MEMORY_MAX, 20_000));
        makeSubscriptions(2, false);
        fill(COUNT, 0, 900);
        int files = broker.pageDisk.size();
        assertThat(files).isGreaterThan(10);
        TestSession stuck = subscriber(1, null, COUNT);
        List<Delivery> all = new ArrayList<>();
        for (List<Delivery> some = stuck.receive(); !some.isEmpty(); some = stuck.receive()) {
            all.addAll(some);
        }
        assertThat(all).hasSize(COUNT);
        for (Delivery delivery : all.subList(1, COUNT)) {
            stuck.settle(delivery, Outcome.ACCEPTED);
        }
        broker.settle();
        assertThat(records(41)).as("single settles: of the first page alone").isLessThan(20);
        assertThat(records(42)).as("folded").isBetween(files / 2L, files + 5L);
        broker.crash();
        assertThat(takeAll(subscriber(1, null, 10))).isEqualTo(List.of(0));
        broker.settle();
        broker.crash();
        assertThat(subscriber(1, null, 10).receive()).isEmpty();
        assertThat(takeAll(subscriber(0, null, 10))).isEqualTo(range(0, COUNT));
    }

    private long mostUsedUntilSettled() {
        long most = 0;
        while (broker.engine.drain() || broker.pages.pending() > 0 || broker.journal.undurable() > 0) {
            most = Math.max(most, broker.engine.memoryUsed());
            if (broker.pages.pending() > 0) {
                broker.pages.step();
            }
            broker.journal.sync();
        }
        return most;
    }

    /** What the subscriptions of {@link #many} have to get. */
    private static final int OF_MANY = 1_000;

    private static final Limits LARGE = LIMITS.with(Limit.MEMORY_MAX, 16 << 20).with(Limit.PAGE_BYTES, 256 << 10);

    private static final long SMALL_MEMORY = 1 << 20;

    /** Sends to so many subscriptions, whose entries take more than a small memory. */
    private void many(int subscriptions) {
        broker = new TestBroker(LARGE);
        makeSubscriptions(subscriptions, false);
        fill(OF_MANY, 0, 50);
    }

    @Test
    void aPageThatManyWaitForComesToEachByAndBy() {
        int subscriptions = 30;
        many(subscriptions);
        broker.crash(LARGE.with(Limit.ADDRESS_MEMORY_MAX, 20_000));
        assertThat(broker.pageDisk).as("nearly all in one page").hasSizeBetween(1, 4);
        broker.crash(LARGE.with(Limit.MEMORY_MAX, SMALL_MEMORY));
        assertThat(broker.engine.memoryUsed()).isLessThan(SMALL_MEMORY / 2);
        List<TestSession> sessions = new ArrayList<>();
        for (int s = 0; s < subscriptions; s++) {
            // The first ones have stayed in memory.
            sessions.add(subscriber(s, null, 40));
        }
        assertThat(mostUsedUntilSettled()).isLessThan(SMALL_MEMORY);
        for (int s = 0; s < subscriptions; s += 17) {
            assertThat(takeAll(sessions.get(s))).isEqualTo(range(0, OF_MANY));
        }
    }

    @Test
    void aStartMovesOutWhatManyHoldBeforeItHasAllOfIt() {
        many(40);
        broker.crashBeforeTheFirstTurn(LARGE.with(Limit.MEMORY_MAX, SMALL_MEMORY));
        assertThat(broker.engine.memoryUsed()).isLessThan(SMALL_MEMORY * 5 / 4);
        assertThat(takeAll(subscriber(7, null, 10))).isEqualTo(range(0, OF_MANY));
    }

    /** What a queue drops of a page while it is placed is not all that the queue gets of it. */
    @Test
    void whatComesOfAPageAfterTheQueueDroppedItsFirstMessageIsThereAfterACrash() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.TX_MEMORY, 20_000));
        makeSubscriptions(2, false);
        TestSession sender = broker.session();
        sender.begin(1);
        int[] bytes = {9_000, 9_000, 1_200, 700};
        for (int i = 0; i < bytes.length; i++) {
            sender.send(message(i, "", bytes[i]), 1);
        }
        broker.settle();
        assertThat(broker.pageDisk).as("all in one page").hasSize(1);
        broker.configure(AddressRules.DEFAULTS
                .with("topic:t", AddressSetting.MAX_BYTES, 1_000)
                .with("topic:t", AddressSetting.WHEN_FULL, "drop-oldest"));
        sender.commit(1);
        broker.settle();
        broker.crash();
        for (int s = 0; s < 2; s++) {
            assertThat(takeAll(subscriber(s, null, 10))).isEqualTo(List.of(3));
        }
    }
}
