package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is delivered and not settled, and locked by transactions, is more than memory. */
final class PagedDeliveriesTest {
    private static final int BODY = 1_000;
    private static final int COUNT = 500;

    private final TestBroker broker = paging();

    private static TestBroker paging() {
        return new TestBroker(Limits.DEFAULTS
                .with(Limit.ADDRESS_MEMORY_MAX, 20_000)
                .with(Limit.PAGE_BYTES, 8_000)
                .with(Limit.SETTLE_FOLD, 5));
    }

    private void send(TestSession session, Address address, int first, int count, boolean persistent) {
        for (int i = first; i < first + count; i++) {
            session.send(MessageBuilder.to(address)
                    .text("x".repeat(BODY))
                    .property("n", i)
                    .property("kind", i % 100 == 7 ? "rare" : "usual")
                    .persistent(persistent)
                    .build());
            broker.settle();
        }
    }

    private void fill(int count, boolean persistent) {
        send(broker.session(), Address.queue("q"), 0, count, persistent);
    }

    private static List<Integer> numbers(List<Delivery> deliveries) {
        List<Integer> numbers = new ArrayList<>();
        deliveries.forEach(delivery -> numbers.add((Integer) delivery.message().property("n")));
        return numbers;
    }

    private static List<Integer> upTo(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    /** Takes and settles one message after the other until so many are there. */
    private List<Delivery> take(TestSession session, int consumer, int count) {
        List<Delivery> all = new ArrayList<>();
        while (all.size() < count) {
            broker.settle();
            List<Delivery> some = session.receive();
            assertThat(some).as("after %d", all.size()).isNotEmpty();
            for (Delivery delivery : some) {
                all.add(delivery);
                session.port.credit(consumer, 1);
                session.settle(delivery, Outcome.ACCEPTED);
            }
        }
        broker.settle();
        return all;
    }

    private static List<Integer> whole(List<Delivery> deliveries) {
        deliveries.forEach(delivery ->
                assertThat(delivery.message().bodyBytes()).as("its body").isEqualTo(BODY));
        return numbers(deliveries);
    }

    /** Takes all that there is, without settling it or in a transaction. */
    private List<Delivery> takeAll(TestSession session, int count, long transaction) {
        List<Delivery> all = new ArrayList<>();
        while (all.size() < count) {
            session.port.credit(1, 10);
            session.port.flush();
            broker.settle();
            List<Delivery> some = session.receive();
            assertThat(some).as("after %d", all.size()).isNotEmpty();
            all.addAll(some);
            if (transaction != 0) {
                some.forEach(delivery -> session.accept(delivery, transaction));
            }
        }
        broker.settle();
        return all;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatATransactionHasTakenKeepsNoBodiesInMemoryAndComesBackWhole(boolean persistent) {
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        consumer.begin(1);
        List<Delivery> all = new ArrayList<>();
        for (int from = 0; from < COUNT; from += 50) {
            send(broker.session(), Address.queue("q"), from, 50, persistent);
            all.addAll(takeAll(consumer, 50, 1));
        }
        assertThat(whole(all)).isEqualTo(upTo(COUNT));
        assertThat(broker.engine.memoryUsed()).isLessThan(COUNT * 500L);

        consumer.rollback(1);
        consumer.begin(2);
        List<Delivery> again = takeAll(consumer, COUNT, 2);
        assertThat(whole(again)).isEqualTo(upTo(COUNT));
        assertThat(again).allMatch(delivery -> delivery.redelivered() && delivery.deliveryCount() == 2);
        consumer.commit(2);
        broker.settle();
        assertThat(broker.pageDisk).isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsDeliveredAndNotSettledKeepsNoBodiesInMemory(boolean persistent) {
        fill(COUNT, persistent);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        assertThat(whole(takeAll(consumer, COUNT, 0))).isEqualTo(upTo(COUNT));
        assertThat(broker.engine.memoryUsed()).isLessThan(COUNT * 500L);
        consumer.connection.close();
        broker.settle();

        TestSession rare = broker.session();
        rare.subscribe(new Subscribe(1, Address.queue("q"), null, "kind = 'rare'", false), 0);
        assertThat(whole(takeAll(rare, 5, 0))).containsExactly(7, 107, 207, 307, 407);
        rare.connection.close();
        TestSession next = broker.session();
        next.subscribe(1, "q", 10);
        List<Delivery> again = take(next, 1, COUNT);
        assertThat(whole(again)).isEqualTo(upTo(COUNT));
        assertThat(again).allMatch(Delivery::redelivered);
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void whoLooksAtWhatCameBackKeepsNoBodiesInMemory() {
        fill(COUNT, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        takeAll(consumer, COUNT, 0);
        consumer.connection.close();
        broker.settle();

        TestSession browser = broker.session();
        browser.subscribe(Subscribe.browse(1, Address.queue("q"), null), 0);
        assertThat(whole(takeAll(browser, COUNT, 0))).isEqualTo(upTo(COUNT));
        fill(1, true);
        broker.settle();
        assertThat(broker.engine.memoryUsed()).isLessThan(COUNT * 500L);
    }

    @Test
    void whatWasLockedIsThereAfterACrashAndFlagged() {
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        consumer.begin(1);
        fill(100, true);
        takeAll(consumer, 100, 1);
        broker.crash();
        TestSession next = broker.session();
        next.subscribe(1, "q", 10);
        List<Delivery> again = take(next, 1, 100);
        assertThat(whole(again)).isEqualTo(upTo(100));
        assertThat(again).allMatch(Delivery::redelivered);
    }

    @Test
    void whatIsHandedOverComesWithItsBody() {
        fill(COUNT, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        takeAll(consumer, COUNT, 0);
        TestSession other = broker.session(consumer.connection);
        TestSession.Result done = new TestSession.Result();
        consumer.port.handOver(new HandOver(1, 1, 20, other.port, 5), done);
        consumer.port.flush();
        broker.settle();
        assertThat(whole(other.receive())).isEqualTo(upTo(20));
    }

    @Test
    void whatFailsForGoodGoesToItsDeadLetterAddressWithItsBody() {
        fill(COUNT, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        for (Delivery delivery : takeAll(consumer, COUNT, 0)) {
            consumer.settle(delivery, Outcome.REJECTED);
        }
        broker.settle();
        TestSession dead = broker.session();
        dead.subscribe(1, "DLQ", 10);
        assertThat(whole(take(dead, 1, COUNT))).isEqualTo(upTo(COUNT));
    }

    /** The reads that there may be at a time are under way, so that the next ones have to wait for their turn. */
    private TestSession.Result handOverWithoutDisk(TestSession from, int count, TestSession to) {
        TestSession.Result done = new TestSession.Result();
        from.port.handOver(new HandOver(1, 1, count, to.port, 5), done);
        return from.flushed(done);
    }

    private long pageBytes() {
        return broker.pageDisk.values().stream().mapToLong(file -> file.length).sum();
    }

    private TestSession subscriber(Connection connection, int number, int credit) {
        TestSession subscriber = broker.session(connection);
        SubscriptionName name = new SubscriptionName("c", "s" + number);
        subscriber.subscribe(new Subscribe(1, Address.topic("t"), name, null, false), credit);
        return subscriber;
    }

    /** Settles one in ten, or all others. */
    private static void settle(TestSession session, List<Delivery> deliveries, boolean tenth) {
        for (int n = 0; n < deliveries.size(); n++) {
            if ((n % 10 == 7) == tenth) {
                session.settle(deliveries.get(n), Outcome.ACCEPTED);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void pagesAreBroughtTogetherThoughWhoHeldABodyThatIsAskedForLeaves(int leaves) {
        Connection connection = broker.connect("c");
        List<TestSession> subscribers = List.of(subscriber(connection, 0, 0), subscriber(connection, 1, 0));
        send(broker.session(), Address.topic("t"), 0, COUNT, true);
        List<List<Delivery>> received = new ArrayList<>();
        subscribers.forEach(subscriber -> received.add(takeAll(subscriber, COUNT, 0)));
        fill(200, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        takeAll(consumer, 200, 0);
        TestSession other = broker.session(consumer.connection);
        handOverWithoutDisk(consumer, 200, other);
        assertThat(broker.pages.pending()).isGreaterThanOrEqualTo(16);

        settle(subscribers.get(0), received.get(0), false);
        settle(subscribers.get(1), received.get(1), false);
        settle(subscribers.get(leaves), received.get(leaves), true);
        broker.settle();
        other.receive().forEach(delivery -> other.settle(delivery, Outcome.ACCEPTED));
        broker.settle();
        long live = COUNT / 10 * (BODY + 200L);
        assertThat(pageBytes()).as("on the disk").isLessThan(3 * live + 4 * 8_000);

        subscribers.get(1 - leaves).connection.close();
        broker.crash();
        TestSession again = subscriber(broker.connect("c"), 1 - leaves, 10);
        assertThat(whole(take(again, 1, COUNT / 10))).startsWith(7, 17, 27).hasSize(COUNT / 10);
        assertThat(broker.pageDisk).isEmpty();
    }

    @Test
    void whatLeavesWhileItsBodyIsReadGetsNoneInMemory() {
        TestSession sender = broker.session();
        sender.send(MessageBuilder.to(Address.queue("q"))
                .text("x".repeat(BODY))
                .property("n", -1)
                .persistent(true)
                .expiryMs(broker.nowMs + 10_000)
                .build());
        fill(COUNT, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        takeAll(consumer, COUNT + 1, 0);
        consumer.connection.close();
        broker.settle();
        TestSession next = broker.session();
        next.subscribe(1, "q", 1);
        assertThat(broker.pages.pending()).as("reads of the page of the first").isEqualTo(1);

        broker.nowMs += 20_000;
        assertThat(whole(take(next, 1, COUNT))).isEqualTo(upTo(COUNT));
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aHandOverThatIsRefusedAsksForNoBodies() {
        fill(COUNT, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        takeAll(consumer, COUNT, 0);
        assertThat(handOverWithoutDisk(consumer, COUNT, broker.session()).code())
                .isEqualTo(ErrorCode.FORBIDDEN);
        TestSession busy = broker.session(consumer.connection);
        busy.subscribe(5, "other", 1);
        broker.settle();
        assertThat(handOverWithoutDisk(consumer, COUNT, busy).code()).isEqualTo(ErrorCode.DUPLICATE_CONSUMER);
        assertThat(broker.pages.pending()).isZero();
        assertThat(broker.engine.memoryUsed()).isLessThan(COUNT * 500L);
    }

    @Test
    void aHandOverThatIsRefusedWhenTheBodiesHaveComeLetsThemGoAgain() {
        fill(COUNT, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        takeAll(consumer, COUNT, 0);
        TestSession other = broker.session(consumer.connection);
        TestSession.Result refused = handOverWithoutDisk(consumer, COUNT, other);
        assertThat(broker.pages.pending()).isPositive();
        other.port.close(new TestSession.Result());
        other.port.flush();
        broker.settle();
        consumer.drain();
        assertThat(refused.code()).isEqualTo(ErrorCode.CLOSED);
        fill(1, true);
        assertThat(broker.engine.memoryUsed()).isLessThan(COUNT * 500L);
    }

    @Test
    void whatReturnsWhileAHandOverWaitsForItsBodyKeepsNoneInMemory() {
        fill(COUNT, true);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 0);
        takeAll(consumer, COUNT, 0);
        handOverWithoutDisk(consumer, COUNT, broker.session(consumer.connection));
        consumer.connection.close();
        broker.settle();
        fill(1, true);
        assertThat(broker.engine.memoryUsed()).isLessThan(COUNT * 500L);
    }

    @Test
    void whoWaitsForABodyThatLeavesMeanwhileGetsTheNext() {
        broker.session()
                .send(MessageBuilder.to(Address.queue("q"))
                        .text("x".repeat(8 * BODY))
                        .property("n", -1)
                        .expiryMs(broker.nowMs + 60_000)
                        .build());
        fill(COUNT, true);
        TestSession first = broker.session();
        first.subscribe(1, "q", 0);
        takeAll(first, COUNT, 0);
        TestSession.Result left = new TestSession.Result();
        first.port.unsubscribe(1, 0, left);
        first.flushed(left);
        broker.settle();
        TestSession second = broker.session();
        second.subscribe(1, "q", 1);
        broker.run();
        assertThat(broker.pages.pending()).as("a body is being read").isPositive();
        broker.nowMs += 60_000;
        broker.run();
        assertThat(numbers(second.receive())).containsExactly(0);
    }
}
