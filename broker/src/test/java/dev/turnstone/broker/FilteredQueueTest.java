package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionFilter.Retained;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Queues that subscribe by filters that come and go. */
final class FilteredQueueTest {
    private static final SubscriptionName NAME = new SubscriptionName("device.1", "mqtt");
    private static final Address QUEUE = Address.subscription(NAME);

    private TestBroker broker = new TestBroker();
    private Connection client = broker.connect("device.1");
    private TestSession device = broker.session(client);

    private static Message message(String topic, String text) {
        return MessageBuilder.to(Address.topic(topic)).text(text).build();
    }

    private static SubscriptionQueue queue(boolean durable, long idleMs) {
        return new SubscriptionQueue(NAME, durable, idleMs, 0);
    }

    private static @Nullable ErrorCode change(TestSession session, QueueChange change) {
        TestSession.Result result = new TestSession.Result();
        session.port.changeQueue(change, result);
        session.flushed(result);
        session.broker.settle();
        session.drain();
        assertThat(result.done).isEqualTo(result.cause == null);
        return result.code();
    }

    private void declare(boolean durable, long idleMs) {
        assertThat(change(device, new QueueChange.Declare(queue(durable, idleMs))))
                .isNull();
    }

    private static SubscriptionFilter filter(String topic, long options) {
        return new SubscriptionFilter(Address.pattern(AddressKind.TOPIC, topic), null, false, options, Retained.NEVER);
    }

    private void add(String topic, long options) {
        assertThat(change(device, new QueueChange.AddFilter(NAME, filter(topic, options))))
                .isNull();
    }

    private @Nullable ErrorCode remove(String topic) {
        return change(device, new QueueChange.RemoveFilter(NAME, Address.pattern(AddressKind.TOPIC, topic)));
    }

    private void consume() {
        TestSession.Result result = device.subscribe(Subscribe.to(1, QUEUE), 1000);
        assertThat(result.cause).isNull();
    }

    private void unsubscribe() {
        TestSession.Result result = new TestSession.Result();
        device.port.unsubscribe(1, 0, result);
        device.flushed(result);
        assertThat(result.cause).isNull();
        broker.settle();
    }

    private void crash() {
        broker.crash();
        client = broker.connect("device.1");
        device = broker.session(client);
    }

    private static List<String> seen(List<Delivery> deliveries) {
        return deliveries.stream().map(d -> d.message().text() + d.filters()).toList();
    }

    private @Nullable ErrorCode delete() {
        TestSession.Result result = new TestSession.Result();
        device.port.deleteSubscription(NAME, result);
        device.flushed(result);
        device.receive();
        return result.code();
    }

    @Test
    void aMessageOfSeveralFiltersComesOnceAndTellsWhichTheyWere() {
        declare(true, SubscriptionQueue.FOREVER);
        add("a.*", 1);
        add("a.>", 2);
        add("b", 3);
        consume();
        device.send(message("a.b", "ab"));
        device.send(message("a", "a"));
        device.send(message("b", "b"));
        device.send(message("c", "c"));
        assertThat(seen(device.receive())).containsExactly("ab[1, 2]", "a[2]", "b[3]");
    }

    @Test
    void filtersAndMessagesSurviveACrashWhileNobodyConsumes() {
        declare(true, SubscriptionQueue.FOREVER);
        add("a.*", 1);
        add("gone", 2);
        assertThat(remove("gone")).isNull();
        assertThat(remove("gone")).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        device.send(message("a.b", "one"));
        broker.settle();
        crash();
        device.send(message("a.c", "two"));
        device.send(message("gone", "not this"));
        consume();
        List<Delivery> received = device.receive();
        assertThat(seen(received)).containsExactly("one[1]", "two[1]");
        device.settle(new Settle(1, 1, 2, Outcome.ACCEPTED, 0));
        unsubscribe();
        assertThat(delete()).isNull();
        assertThat(delete()).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        crash();
        assertThat(change(device, new QueueChange.Revise(queue(true, 5)))).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        assertThat(broker.disk.values()).as("nothing of it is left").noneMatch(r -> r.type() >= 60 || r.type() == 1);
    }

    @Test
    void aFilterThatIsReplacedLosesNothingAndOldMessagesKeepItsOptions() {
        declare(true, SubscriptionQueue.FOREVER);
        add("a.*", 1);
        device.send(message("a.b", "old"));
        add("a.*", 2);
        device.send(message("a.b", "new"));
        assertThat(remove("a.*")).isNull();
        device.send(message("a.b", "not this"));
        consume();
        assertThat(seen(device.receive())).containsExactly("old[1]", "new[2]");
    }

    @Test
    void ofTwoFilterRecordsForOneTopicTheLaterCountsAfterACrash() {
        declare(true, SubscriptionQueue.FOREVER);
        add("a.*", 1);
        add("a.*", 2);
        crash();
        consume();
        device.send(message("a.b", "m"));
        assertThat(seen(device.receive())).containsExactly("m[2]");
    }

    @Test
    void selectorsAndNoLocalWorkForEachFilter() {
        declare(false, SubscriptionQueue.FOREVER);
        change(
                device,
                new QueueChange.AddFilter(
                        NAME, new SubscriptionFilter(Address.topic("a"), "n = 1", false, 1, Retained.NEVER)));
        change(
                device,
                new QueueChange.AddFilter(
                        NAME, new SubscriptionFilter(Address.topic("b"), null, true, 2, Retained.NEVER)));
        assertThat(change(
                        device,
                        new QueueChange.AddFilter(
                                NAME, new SubscriptionFilter(Address.topic("b"), "n =", true, 2, Retained.NEVER))))
                .isEqualTo(ErrorCode.INVALID_SELECTOR);
        consume();
        device.send(MessageBuilder.to(Address.topic("a"))
                .property("n", 1)
                .text("a1")
                .build());
        device.send(MessageBuilder.to(Address.topic("a"))
                .property("n", 2)
                .text("a2")
                .build());
        device.send(message("b", "own"));
        broker.session().send(message("b", "other"));
        assertThat(seen(device.receive())).containsExactly("a1[1]", "other[2]");
    }

    /** Such a transaction goes to pages before its commit, where all who get a message would get the same one. */
    @Test
    void noLocalHoldsForWhatATransactionBeyondItsShareOfMemorySends() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.TX_MEMORY, 10_000));
        client = broker.connect("device.1");
        device = broker.session(client);
        declare(true, SubscriptionQueue.FOREVER);
        add("a.*", 1);
        change(
                device,
                new QueueChange.AddFilter(
                        NAME, new SubscriptionFilter(Address.topic("a.b"), null, true, 2, Retained.NEVER)));
        sendMuch(device, "own");
        sendMuch(broker.session(), "other");
        assertThat(broker.pageDisk).as("what is not one's own").isNotEmpty();
        consume();
        List<String> expected = List.of("own[1]", "own[1]", "own[1]", "other[1, 2]", "other[1, 2]", "other[1, 2]");
        assertThat(starts(device.receive())).isEqualTo(expected);
        crash();
        consume();
        assertThat(starts(device.receive())).isEqualTo(expected);
    }

    private void sendMuch(TestSession sender, String text) {
        sender.begin(1);
        for (int i = 0; i < 3; i++) {
            sender.send(message("a.b", text + " ".repeat(9_000)), 1);
        }
        broker.settle();
        assertThat(sender.commit(1).code()).isNull();
        assertThat(sender.receive()).isEmpty();
    }

    private static List<String> starts(List<Delivery> deliveries) {
        return seen(deliveries).stream()
                .map(text -> text.replace(" ".repeat(9_000), ""))
                .toList();
    }

    @Test
    void aQueueThatIsNotDurableLivesWithoutConsumerButNotOverACrash() {
        declare(false, SubscriptionQueue.FOREVER);
        add("a", 1);
        client.close();
        broker.settle();
        broker.session().send(message("a", "kept"));
        client = broker.connect("device.1");
        device = broker.session(client);
        consume();
        assertThat(seen(device.receive())).containsExactly("kept[1]");
        crash();
        TestSession.Result refused = device.subscribe(Subscribe.to(1, QUEUE), 1);
        device.receive();
        assertThat(refused.code()).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        assertThat(broker.disk.values()).noneMatch(r -> r.type() >= 60 || r.type() == 1);
    }

    @Test
    void itEndsWhenItsTimeIsOverWhichRunsOnlyWithoutConsumer() {
        declare(true, 30_000);
        add("a", 1);
        consume();
        broker.nowMs += 60_000;
        broker.settle();
        device.send(message("a", "alive"));
        assertThat(seen(device.receive())).containsExactly("alive[1]");
        unsubscribe();
        assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 30_000);
        broker.nowMs += 29_999;
        consume();
        device.receive();
        unsubscribe();
        broker.nowMs += 30_000;
        broker.settle();
        assertThat(change(device, new QueueChange.Revise(queue(true, 5)))).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        broker.settle();
        assertThat(broker.disk.values()).noneMatch(r -> r.type() >= 60 || r.type() == 1);
    }

    @Test
    void itsTimeRunsOnWhileTheBrokerIsDown() {
        declare(true, 30_000);
        add("a", 1);
        consume();
        unsubscribe();
        broker.nowMs += 10_000;
        broker.crash();
        broker.nowMs += 20_000;
        crash();
        assertThat(change(device, new QueueChange.Revise(queue(true, 5)))).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
    }

    @Test
    void afterACrashWhileItWasConsumedItsTimeBeginsAtTheRestart() {
        declare(true, 30_000);
        add("a", 1);
        consume();
        device.send(message("a", "m"));
        broker.settle();
        broker.nowMs += 100_000;
        crash();
        broker.nowMs += 29_999;
        consume();
        assertThat(device.receive()).extracting(Delivery::redelivered).containsExactly(true);
        crash();
        broker.nowMs += 30_000;
        broker.settle();
        assertThat(change(device, new QueueChange.Revise(queue(true, 5)))).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
    }

    @Test
    void withoutIdleTimeItEndsWithItsConsumerOrTheConnectionThatNeverConsumed() {
        declare(true, 0);
        add("a", 1);
        consume();
        unsubscribe();
        assertThat(delete()).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        declare(true, 0);
        client.close();
        broker.settle();
        client = broker.connect("device.1");
        device = broker.session(client);
        assertThat(delete()).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
    }

    @Test
    void aCrashWithoutIdleTimeLeavesNothing() {
        declare(true, 0);
        add("a", 1);
        consume();
        device.send(message("a", "m"));
        broker.settle();
        crash();
        assertThat(delete()).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        broker.settle();
        assertThat(broker.disk.values()).noneMatch(r -> r.type() >= 60 || r.type() == 1);
    }

    @Test
    void itsTimeCanBeChanged() {
        declare(true, SubscriptionQueue.FOREVER);
        assertThat(change(device, new QueueChange.Revise(queue(false, 5)))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        consume();
        assertThat(change(device, new QueueChange.Revise(queue(true, 1000)))).isNull();
        unsubscribe();
        crash();
        broker.nowMs += 1000;
        broker.settle();
        assertThat(delete()).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
    }

    @Test
    void whenItIsFullItTakesNoMore() {
        assertThat(change(device, new QueueChange.Declare(new SubscriptionQueue(NAME, true, 1000, 2))))
                .isNull();
        add("a.>", 1);
        add("a.b", 2);
        for (int i = 1; i <= 4; i++) {
            broker.session().send(message("a.b", "m" + i));
        }
        consume();
        assertThat(seen(device.receive())).containsExactly("m1[1, 2]", "m2[1, 2]");
        device.settle(new Settle(1, 1, 2, Outcome.ACCEPTED, 0));
        device.send(message("a.b", "m5"));
        assertThat(seen(device.receive())).containsExactly("m5[1, 2]");
    }

    @Test
    void onlyItsClientUsesItAndItsNameIsItsOwn() {
        declare(true, SubscriptionQueue.FOREVER);
        assertThat(change(device, new QueueChange.Declare(queue(true, 5)))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        TestSession.Result durable = device.subscribe(new Subscribe(7, Address.topic("a"), NAME, null, false), 0);
        device.receive();
        assertThat(durable.code()).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        TestSession other = broker.session(broker.connect("other"));
        assertThat(change(other, new QueueChange.AddFilter(NAME, filter("a", 1))))
                .isEqualTo(ErrorCode.FORBIDDEN);
        TestSession.Result stolen = other.subscribe(Subscribe.to(1, QUEUE), 1);
        other.receive();
        assertThat(stolen.code()).isEqualTo(ErrorCode.FORBIDDEN);
        TestSession.Result deleted = new TestSession.Result();
        other.port.deleteSubscription(NAME, deleted);
        other.flushed(deleted);
        other.receive();
        assertThat(deleted.code()).isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void filtersAreLimited() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.FILTERS_MAX, 2));
        client = broker.connect("device.1");
        device = broker.session(client);
        declare(true, SubscriptionQueue.FOREVER);
        add("a", 1);
        add("b", 1);
        add("b", 2);
        assertThat(change(device, new QueueChange.AddFilter(NAME, filter("c", 1))))
                .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    void aDurableSubscriptionsQueueHasAName() {
        SubscriptionName name = new SubscriptionName("device.1", "all");
        Address topic = Address.topic("news");
        device.subscribe(new Subscribe(1, topic, name, null, false, Mode.DURABLE), 0);
        unsubscribe();
        device.send(message("news", "one"));
        TestSession other = broker.session();
        assertThat(Address.queue("news::device%2E1.all").subscriptionName()).isEqualTo(name);
        other.subscribe(Subscribe.browse(1, Address.queue("news::device%2E1.all"), null), 10);
        assertThat(other.texts()).containsExactly("one");
        other.subscribe(Subscribe.to(2, Address.queue("news::device%2E1.all")), 10);
        List<Delivery> received = other.receive();
        assertThat(received).hasSize(1);
        other.settle(received.get(0), Outcome.ACCEPTED);
        TestSession.Result wrong = other.subscribe(Subscribe.to(3, Address.queue("olds::device%2E1.all")), 10);
        TestSession.Result none = other.subscribe(Subscribe.to(4, Address.queue("news::all")), 10);
        other.receive();
        assertThat(List.of(String.valueOf(wrong.code()), String.valueOf(none.code())))
                .containsOnly("NO_SUCH_SUBSCRIPTION");
        TestSession.Result second = device.subscribe(new Subscribe(2, topic, name, null, false, Mode.DURABLE), 10);
        device.receive();
        assertThat(second.code()).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
    }
}
