package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What leaves memory for pages, and comes back as it was. */
final class PagingTest {
    private static final int BODY = 1_000;
    private static final int COUNT = 500;

    private TestBroker broker = paging();

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

    private static Subscribe durable(Address topic, String clientId) {
        return new Subscribe(1, topic, new SubscriptionName(clientId, "s"), null, false);
    }

    private void credit(TestSession session, int consumer) {
        session.port.credit(consumer, 10);
        session.port.flush();
        broker.settle();
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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeepQueueTakesLittleMemoryAndKeepsItsOrder(boolean persistent) {
        fill(COUNT, persistent);
        assertThat(broker.engine.memoryUsed()).isLessThan(40_000);
        assertThat(broker.pageDisk).hasSizeGreaterThan(40);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        List<Delivery> all = take(consumer, 1, COUNT);
        assertThat(numbers(all)).isEqualTo(upTo(COUNT));
        assertThat(all).noneMatch(Delivery::redelivered);
        broker.settle();
        assertThat(broker.pageDisk).as("consumed pages are deleted").isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aRestartFindsThePagesAndReadsNoneBeforeSomebodyConsumes() {
        fill(COUNT, true);
        long messagesInJournal = broker.disk.values().stream()
                .filter(record -> record.type() == 1)
                .count();
        assertThat(messagesInJournal).isLessThan(25);
        broker.crash();
        assertThat(broker.engine.memoryUsed()).isLessThan(40_000);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 1);
        List<Delivery> some = take(consumer, 1, 100);
        assertThat(numbers(some)).isEqualTo(upTo(100));
        broker.crash();
        TestSession again = broker.session();
        again.subscribe(1, "q", COUNT);
        List<Delivery> rest = take(again, 1, COUNT - 100);
        assertThat(numbers(rest)).isEqualTo(upTo(COUNT).subList(100, COUNT));
        broker.crash();
        assertThat(broker.pageDisk).isEmpty();
        assertThat(broker.disk.values())
                .as("nothing speaks of pages that are gone")
                .noneMatch(record -> record.type() >= 40);
    }

    @Test
    void afterARestartAReportFindsOutHowOldTheFirstMessageOfAPageIs() {
        TestSession sender = broker.session();
        for (int i = 0; i < COUNT; i++) {
            sender.send(MessageBuilder.to(Address.queue("q"))
                    .text("x".repeat(BODY))
                    .timestampMs(1_000 + i)
                    .persistent(true)
                    .build());
            broker.settle();
        }
        broker.crash(Limits.DEFAULTS
                .with(Limit.ADDRESS_MEMORY_MAX, 2_000)
                .with(Limit.MEMORY_MAX, 1 << 20)
                .with(Limit.PAGE_BYTES, 8_000));
        assertThat(broker.report().details()).hasSize(1);
        assertThat(broker.report().details().get(0).oldestMs()).isEqualTo(1_000);
        assertThat(broker.report().details().get(0).oldestMs()).isEqualTo(1_000);
        assertThat(broker.engine.memoryUsed()).isLessThan(40_000);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        take(consumer, 1, 100);
        broker.crash();
        broker.report();
        assertThat(broker.report().details().get(0).oldestMs()).isEqualTo(1_100);
    }

    @Test
    void queuesThatAreManyAndShortLeaveRoomForWhoeverSendsMore() {
        long memoryMax = 60 << 20;
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.MEMORY_MAX, memoryMax));
        TestSession sender = broker.session();
        for (int i = 0; i < 34_000; i++) {
            TestSession.Result sent = sender.send(MessageBuilder.to(Address.queue("q" + i))
                    .text("x".repeat(BODY))
                    .persistent(false)
                    .build());
            if (!sent.done) {
                broker.settle();
                sender.receive();
            }
            assertThat(sent.done).as("message %s", i).isTrue();
        }
    }

    @Test
    void aReportReadsNoMorePagesThanMemoryHasRoomFor() {
        Limits limits = Limits.DEFAULTS.with(Limit.MEMORY_MAX, 1 << 20).with(Limit.PAGE_BYTES, 128 << 10);
        broker = new TestBroker(limits);
        for (int queue = 0; queue < 16; queue++) {
            send(broker.session(), Address.queue("q" + queue), 0, 150, true);
        }
        broker.crash(limits.with(Limit.ADDRESS_MEMORY_MAX, 2_000));
        long used = broker.engine.memoryUsed();
        int readBefore = broker.pages.reads();
        assertThat(broker.report().details()).hasSize(16);
        int read = broker.pages.reads() - readBefore;
        assertThat(read).isPositive();
        assertThat(used + read * (256L << 10)).isLessThanOrEqualTo((1L << 20) / 100 * 70);
    }

    @Test
    void aStoreThatWasWrittenWithMoreMemoryStartsWithLittle() {
        int count = 3 * COUNT;
        broker = new TestBroker();
        Address topic = Address.topic("t");
        TestSession ahead = broker.session(broker.connect("ahead"));
        TestSession behind = broker.session(broker.connect("behind"));
        ahead.subscribe(durable(topic, "ahead"), 10);
        behind.subscribe(durable(topic, "behind"), 0);
        send(broker.session(), topic, 0, count, true);
        send(broker.session(), Address.queue("q"), 0, count, true);
        assertThat(numbers(take(ahead, 1, COUNT))).isEqualTo(upTo(COUNT));
        assertThat(broker.pageDisk).isEmpty();

        broker.crash(Limits.DEFAULTS.with(Limit.MEMORY_MAX, 1 << 20).with(Limit.PAGE_BYTES, 8_000));
        assertThat(broker.engine.memoryUsed()).isLessThan(1 << 20);
        assertThat(broker.journal.visitedMax()).as("read at a time").isLessThan(count / 2);
        assertThat(broker.pageDisk).hasSizeGreaterThan(100);
        broker.crash();
        TestSession back = broker.session(broker.connect("ahead"));
        back.subscribe(durable(topic, "ahead"), 10);
        assertThat(numbers(take(back, 1, count - COUNT))).isEqualTo(upTo(count).subList(COUNT, count));
        TestSession late = broker.session(broker.connect("behind"));
        late.subscribe(durable(topic, "behind"), 10);
        assertThat(numbers(take(late, 1, count))).isEqualTo(upTo(count));
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        assertThat(numbers(take(consumer, 1, count))).isEqualTo(upTo(count));
        assertThat(broker.pageDisk).isEmpty();
    }

    @Test
    void whatIsLeftOfManyPagesIsBroughtTogether() {
        int count = 3_000;
        fill(count, true);
        TestSession selective = broker.session();
        selective.subscribe(new Subscribe(1, Address.queue("q"), null, "kind = 'usual'", false), 10);
        take(selective, 1, count - count / 100);
        broker.settle();
        long live = count / 100 * (BODY + 200L);
        assertThat(pageBytes()).as("on the disk").isLessThan(3 * live + 4 * 8_000);

        broker.crash();
        assertThat(pageBytes()).as("on the disk").isLessThan(3 * live + 4 * 8_000);
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        List<Integer> rare = new ArrayList<>();
        upTo(count / 100).forEach(hundreds -> rare.add(100 * hundreds + 7));
        assertThat(numbers(take(consumer, 1, rare.size()))).isEqualTo(rare);
        assertThat(broker.pageDisk).isEmpty();
        broker.crash();
        assertThat(broker.disk.values()).noneMatch(record -> record.type() >= 40);
    }

    private long pageBytes() {
        return broker.pageDisk.values().stream().mapToLong(file -> file.length).sum();
    }

    @Test
    void whatIsNotPersistentIsInPagesThatARestartDeletes() {
        fill(COUNT, false);
        assertThat(broker.disk.values()).noneMatch(record -> record.type() >= 40);
        broker.crash();
        assertThat(broker.pageDisk).isEmpty();
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        broker.settle();
        assertThat(consumer.receive()).isEmpty();
    }

    @Test
    void aSelectorFindsItsMessagesInPagesAndTheOthersLeaveMemoryAgain() {
        fill(COUNT, true);
        TestSession selective = broker.session();
        selective.subscribe(new Subscribe(1, Address.queue("q"), null, "kind = 'rare'", false), 10);
        assertThat(numbers(take(selective, 1, 5))).containsExactly(7, 107, 207, 307, 407);
        assertThat(broker.engine.memoryUsed()).isLessThan(80_000);
        TestSession all = broker.session();
        all.subscribe(1, "q", 10);
        assertThat(numbers(take(all, 1, COUNT - 5)))
                .isSorted()
                .doesNotContain(7, 107)
                .hasSize(COUNT - 5);
    }

    @Test
    void aBrowserSeesAllThatWasThereAndKeepsNothingInMemory() {
        fill(COUNT, true);
        TestSession session = broker.session();
        session.subscribe(Subscribe.browse(1, Address.queue("q"), null), COUNT);
        broker.settle();
        assertThat(numbers(session.receive())).isEqualTo(upTo(COUNT));
    }

    @Test
    void subscriptionsShareAPageAndTheLastOneEndsIt() {
        TestSession first = broker.session(broker.connect("c"));
        for (int i = 1; i <= 3; i++) {
            SubscriptionName name = new SubscriptionName("c", "s" + i);
            first.subscribe(new Subscribe(i, Address.topic("t"), name, null, false), 0);
        }
        send(broker.session(), Address.topic("t"), 0, 200, true);
        assertThat(broker.engine.memoryUsed()).isLessThan(80_000);
        int files = broker.pageDisk.size();
        credit(first, 1);
        assertThat(numbers(take(first, 1, 200))).isEqualTo(upTo(200));
        assertThat(broker.pageDisk).as("others hold them").hasSizeGreaterThanOrEqualTo(files);
        broker.crash();
        TestSession again = broker.session(broker.connect("c"));
        for (int i = 1; i <= 3; i++) {
            SubscriptionName name = new SubscriptionName("c", "s" + i);
            again.subscribe(new Subscribe(i, Address.topic("t"), name, null, false), 0);
        }
        credit(again, 1);
        broker.settle();
        assertThat(again.receive()).as("the first has had all").isEmpty();
        credit(again, 2);
        assertThat(numbers(take(again, 2, 200))).isEqualTo(upTo(200));
        credit(again, 3);
        assertThat(numbers(take(again, 3, 200))).isEqualTo(upTo(200));
        assertThat(broker.pageDisk).isEmpty();
    }

    @Test
    void aQueueThatEndsTakesItsPagesWithIt() {
        TestSession session = broker.session(broker.connect("c"));
        SubscriptionName name = new SubscriptionName("c", "s");
        session.subscribe(new Subscribe(1, Address.topic("t"), name, null, false), 0);
        send(broker.session(), Address.topic("t"), 0, 200, true);
        session.port.unsubscribe(1, 0, new TestSession.Result());
        session.port.deleteSubscription(name, new TestSession.Result());
        session.port.flush();
        broker.settle();
        assertThat(broker.pageDisk).isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
        broker.crash();
        assertThat(broker.disk.values()).noneMatch(record -> record.type() >= 40);
    }

    @Test
    void aBrowserIsShownWhatIsDueThoughItsPageIsStillToBeRead() {
        TestSession producer = broker.session();
        for (int i = 0; i < COUNT; i++) {
            producer.send(TestSession.text("q", "x".repeat(BODY))
                    .property("n", i)
                    .deliveryTimeMs(broker.nowMs + 10_000)
                    .build());
            broker.settle();
        }
        broker.nowMs += 10_000;
        TestSession browser = broker.session();
        browser.subscribe(Subscribe.browse(1, Address.queue("q"), null), COUNT);
        broker.settle();
        assertThat(numbers(browser.receive())).isEqualTo(upTo(COUNT));
    }

    @Test
    void delayedMessagesLeaveMemoryAndComeInTime() {
        TestSession producer = broker.session();
        for (int i = 0; i < COUNT; i++) {
            Message message = TestSession.text("q", "x".repeat(BODY))
                    .property("n", i)
                    .deliveryTimeMs(broker.nowMs + 10_000 + i)
                    .build();
            producer.send(message);
            broker.settle();
        }
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", COUNT);
        broker.settle();
        assertThat(consumer.receive()).isEmpty();
        assertThat(broker.engine.memoryUsed())
                .as("nobody reads what is not due")
                .isLessThan(40_000);
        long first = broker.engine.dueMs();
        assertThat(first).isEqualTo(broker.nowMs + 10_000);
        broker.nowMs += 10_000 + 99;
        broker.settle();
        assertThat(numbers(consumer.receive())).isEqualTo(upTo(100));
        broker.crash();
        broker.nowMs += 10_000;
        TestSession late = broker.session();
        late.subscribe(1, "q", COUNT);
        broker.settle();
        assertThat(numbers(late.receive())).isEqualTo(upTo(COUNT));
    }

    @Test
    void whatIsInPagesExpiresInTimeWithoutAConsumerAndOverARestart() {
        TestSession producer = broker.session();
        for (int i = 0; i < COUNT; i++) {
            producer.send(TestSession.text("q", "x".repeat(BODY))
                    .expiryMs(broker.nowMs + 10_000 + i)
                    .build());
            broker.settle();
        }
        assertThat(broker.pageDisk).hasSizeGreaterThan(40);
        int files = broker.pageDisk.size();
        broker.nowMs += 10_000 + COUNT / 2;
        broker.settle();
        assertThat(broker.pageDisk.size()).isLessThan(files * 2 / 3);
        broker.crash();
        broker.nowMs += COUNT;
        broker.settle();
        assertThat(broker.pageDisk).isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void whatReturnsKeepsItsFlagAndCountThroughPagesAndRestarts() {
        fill(COUNT, true);
        TestSession session = broker.session();
        session.subscribe(1, "q", 20);
        broker.settle();
        for (Delivery delivery : session.receive()) {
            session.settle(delivery, Outcome.MODIFIED);
        }
        broker.settle();
        broker.crash();
        TestSession again = broker.session();
        again.subscribe(1, "q", 20);
        broker.settle();
        assertThat(again.receive()).hasSize(20).allMatch(Delivery::redelivered).allMatch(d -> d.deliveryCount() == 2);
    }
}
