package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.binding.VirtualTopics;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionFilter.Retained;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a session is told of what another has just made is said when that is durable: a crash must not undo it. */
final class ToldWhenDurableTest {
    private static final Address NEWS = Address.topic("news");
    private static final SubscriptionName NAME = new SubscriptionName(null, "readers");
    private static final SubscriptionName DEVICE = new SubscriptionName("device", "mqtt");

    private final TestBroker broker = new TestBroker();
    private final TestSession first = broker.session(broker.connect("device"));
    private final TestSession second = broker.session(first.connection);

    private void isToldWhenDurable(TestSession.Result result) {
        assertThat(broker.journal.undurable()).isPositive();
        assertThat(result.done).isFalse();
        assertThat(result.cause).isNull();
        second.receive();
        assertThat(result.done || result.cause != null).isTrue();
    }

    private static TestSession.Result change(TestSession session, QueueChange change) {
        TestSession.Result result = new TestSession.Result();
        session.port.changeQueue(change, result);
        return session.flushed(result);
    }

    @Test
    void thatASubscriptionIsShared() {
        Subscribe shared = new Subscribe(1, NEWS, NAME, null, false, Mode.SHARED_DURABLE);
        first.subscribe(shared, 0);
        isToldWhenDurable(second.subscribe(shared, 0));
    }

    @Test
    void thatAQueueGetsWhatATopicGets() {
        broker.bind(new Bindings(
                List.of(), List.of(new VirtualTopics("Consumer.*", Address.pattern(AddressKind.TOPIC, ">")))));
        first.subscribe(1, "Consumer.a.news", 0);
        isToldWhenDurable(second.subscribe(1, "Consumer.a.news", 0));
        broker.crash();
        broker.session().send(MessageBuilder.to(NEWS).text("new").build());
        TestSession reader = broker.session();
        reader.subscribe(1, "Consumer.a.news", 10);
        assertThat(reader.texts()).containsExactly("new");
    }

    @Test
    void thatAFilterIsThere() {
        change(first, new QueueChange.Declare(new SubscriptionQueue(DEVICE, true, SubscriptionQueue.FOREVER, 0)));
        SubscriptionFilter filter = new SubscriptionFilter(NEWS, null, false, 1, Retained.NEVER);
        broker.settle();
        change(first, new QueueChange.AddFilter(DEVICE, filter));
        isToldWhenDurable(change(second, new QueueChange.AddFilter(DEVICE, filter)));
    }

    private static void retain(TestSession session, String text) {
        session.send(MessageBuilder.to(NEWS).text(text).retain(true).build());
    }

    @Test
    void thatATopicRetainsNothingAnyMore() {
        retain(first, "old");
        broker.settle();
        retain(first, "");
        ConsumerOptions options = ConsumerOptions.DEFAULTS.retained(true);
        isToldWhenDurable(second.subscribe(Subscribe.to(1, NEWS).with(options), 10));
        assertThat(second.texts()).isEmpty();
        broker.crash();
        TestSession reader = broker.session();
        reader.subscribe(Subscribe.to(1, NEWS).with(options), 10);
        assertThat(reader.texts()).isEmpty();
    }

    @Test
    void thatWhatATopicRetainsInPlaceOfAnotherIsOver() {
        retain(first, "old");
        broker.settle();
        first.send(MessageBuilder.to(NEWS)
                .text("fleeting")
                .persistent(false)
                .retain(true)
                .build());
        retain(first, "");
        ConsumerOptions options = ConsumerOptions.DEFAULTS.retained(true);
        isToldWhenDurable(second.subscribe(Subscribe.to(1, NEWS).with(options), 10));
    }

    @Test
    void thatTheTimeOfWhatATopicRetainsInPlaceOfAnotherIsOver() {
        retain(first, "old");
        broker.settle();
        first.send(MessageBuilder.to(NEWS)
                .text("brief")
                .retain(true)
                .expiryMs(broker.nowMs + 10)
                .build());
        first.port.flush();
        broker.run();
        broker.nowMs += 10;
        ConsumerOptions options = ConsumerOptions.DEFAULTS.retained(true);
        isToldWhenDurable(second.subscribe(Subscribe.to(1, NEWS).with(options), 10));
    }

    @Test
    void thatATopicRetainsNothingAnyMoreThatASelectorTakes() {
        first.send(MessageBuilder.to(NEWS)
                .text("old")
                .property("hot", true)
                .retain(true)
                .build());
        broker.settle();
        retain(first, "new");
        ConsumerOptions options = ConsumerOptions.DEFAULTS.retained(true);
        Subscribe hot = new Subscribe(1, NEWS, null, "hot", false, Mode.CONSUME).with(options);
        isToldWhenDurable(second.subscribe(hot, 10));
        assertThat(second.texts()).isEmpty();
        broker.crash();
        TestSession reader = broker.session();
        reader.subscribe(hot, 10);
        assertThat(reader.texts()).isEmpty();
    }

    @Test
    void thatATopicRetainsNothingAnyMoreForAFilter() {
        change(first, new QueueChange.Declare(new SubscriptionQueue(DEVICE, false, SubscriptionQueue.FOREVER, 0)));
        retain(first, "old");
        broker.settle();
        retain(first, "");
        SubscriptionFilter filter = new SubscriptionFilter(NEWS, null, false, 1, Retained.ALWAYS);
        isToldWhenDurable(change(second, new QueueChange.AddFilter(DEVICE, filter)));
    }

    @Test
    void thatANameIsTaken() {
        SubscriptionQueue queue = new SubscriptionQueue(DEVICE, true, SubscriptionQueue.FOREVER, 0);
        change(first, new QueueChange.Declare(queue));
        TestSession.Result again = change(second, new QueueChange.Declare(queue));
        isToldWhenDurable(again);
        assertThat(again.code()).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
    }
}
