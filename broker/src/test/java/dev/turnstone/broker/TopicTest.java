package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TopicTest {
    private static final Address NEWS = Address.topic("news");

    private TestBroker broker = new TestBroker();

    private static Message news(int number) {
        return MessageBuilder.to(NEWS).text("n" + number).property("n", number).build();
    }

    private static Subscribe durable(int consumer, String name, @Nullable String selector) {
        return new Subscribe(consumer, NEWS, new SubscriptionName("client", name), selector, false);
    }

    private static void unsubscribe(TestSession session, int consumer) {
        TestSession.Result result = new TestSession.Result();
        session.port.unsubscribe(consumer, 0, result);
        session.flushed(result);
    }

    private void makeSubscriptions(String... names) {
        TestSession session = broker.session();
        for (String name : names) {
            session.subscribe(durable(1, name, null), 0);
            unsubscribe(session, 1);
        }
        broker.settle();
    }

    private List<String> drain(String name) {
        TestSession session = broker.session();
        session.subscribe(durable(1, name, null), 1000);
        List<Delivery> received = session.receive();
        session.settle(new Settle(1, 1, Long.MAX_VALUE, Outcome.ACCEPTED, 0));
        unsubscribe(session, 1);
        broker.settle();
        return received.stream().map(d -> d.message().text()).toList();
    }

    @Test
    void aTopicGivesEachSubscriptionItsCopyFromTheMomentItExists() {
        TestSession session = broker.session();
        session.send(news(0));
        session.subscribe(Subscribe.to(1, NEWS), 10);
        session.subscribe(Subscribe.to(2, NEWS), 10);
        session.send(news(1));
        assertThat(session.receive()).extracting(Delivery::consumer).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void aSubscriptionWithASelectorGetsWhatMatches() {
        TestSession session = broker.session();
        session.subscribe(new Subscribe(1, NEWS, null, "n > 1", false), 10);
        session.send(news(1));
        session.send(news(2));
        assertThat(session.texts()).containsExactly("n2");
    }

    @Test
    void noLocalLeavesOutWhatTheSameConnectionSends() {
        TestSession session = broker.session();
        session.subscribe(new Subscribe(1, NEWS, null, null, true), 10);
        session.send(news(1));
        broker.session().send(news(2));
        assertThat(session.texts()).containsExactly("n2");
    }

    @Test
    void durableSubscriptionsKeepMessagesOverACrashEachForItself() {
        makeSubscriptions("a", "b");
        TestSession sender = broker.session();
        for (int i = 1; i <= 4; i++) {
            sender.send(news(i));
        }
        broker.settle();
        assertThat(drain("a")).containsExactly("n1", "n2", "n3", "n4");
        broker.crash();
        assertThat(drain("a")).isEmpty();
        assertThat(drain("b")).containsExactly("n1", "n2", "n3", "n4");
    }

    @Test
    void theBodyIsStoredOnceAndDeletedWhenAllHavePassedIt() {
        makeSubscriptions("a", "b", "c");
        int before = broker.disk.size();
        broker.session().send(news(1));
        broker.settle();
        assertThat(broker.disk).as("one message, one subscriber set").hasSize(before + 2);
        drain("a");
        drain("b");
        drain("c");
        assertThat(messages()).isZero();
    }

    private long messages() {
        return broker.disk.values().stream().filter(r -> r.type() == 1).count();
    }

    @Test
    void manySettlesOfOneSubscriptionAreFoldedWhileAnotherKeepsTheMessages() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.SETTLE_FOLD, 10));
        makeSubscriptions("online", "offline");
        TestSession sender = broker.session();
        TestSession online = broker.session();
        online.subscribe(durable(1, "online", null), 1000);
        Delivery kept = null;
        for (int i = 1; i <= 200; i++) {
            sender.send(news(i));
            Delivery delivery = online.receive().get(0);
            if (i == 5) {
                kept = delivery;
            } else {
                online.settle(delivery, Outcome.ACCEPTED);
            }
        }
        broker.settle();
        assertThat(messages()).isEqualTo(200);
        assertThat(broker.disk.size()).isLessThan(200 + 30);
        assertThat(kept).isNotNull();
        broker.crash();
        assertThat(drain("online")).containsExactly("n5");
        assertThat(drain("offline")).hasSize(200).startsWith("n1").endsWith("n200");
        assertThat(messages()).isZero();
    }

    @Test
    void aMessageThatASelectorLeavesOutIsNotThereAfterACrashEither() {
        TestSession session = broker.session();
        session.subscribe(durable(1, "even", "n = 2"), 0);
        session.subscribe(durable(2, "all", null), 0);
        session.subscribe(durable(3, "some", "n < 3"), 0);
        session.send(news(1));
        session.send(news(2));
        session.send(news(3));
        broker.settle();
        broker.crash();
        TestSession next = broker.session();
        next.subscribe(durable(1, "even", "n = 2"), 10);
        next.subscribe(durable(2, "all", null), 10);
        next.subscribe(durable(3, "some", "n < 3"), 10);
        List<String> received = new ArrayList<>();
        next.receive().forEach(d -> received.add(d.consumer() + d.message().text()));
        assertThat(received).containsExactlyInAnyOrder("1n2", "2n1", "2n2", "2n3", "3n1", "3n2");
    }

    @Test
    void manyWhoDoNotTakeAMessageAreNotListedInIt() {
        TestSession session = broker.session();
        for (int i = 1; i <= 600; i++) {
            session.subscribe(durable(i, "s" + i, "n = " + i % 300), 0);
        }
        session.send(news(7));
        broker.settle();
        broker.crash();
        TestSession next = broker.session();
        for (int i = 1; i <= 600; i++) {
            next.subscribe(durable(i, "s" + i, "n = " + i % 300), 1);
        }
        List<Delivery> received = next.receive();
        assertThat(received).extracting(Delivery::consumer).containsExactlyInAnyOrder(7, 307);
        for (Delivery delivery : received) {
            next.settle(delivery, Outcome.ACCEPTED);
        }
        broker.settle();
        assertThat(messages()).isZero();
        assertThat(broker.disk.values().stream().filter(r -> r.type() == 4)).isEmpty();
    }

    @Test
    void anotherSelectorReplacesAnInactiveSubscriptionAndIsRefusedForAnActiveOne() {
        makeSubscriptions("a");
        broker.session().send(news(1));
        TestSession active = broker.session();
        active.subscribe(durable(1, "a", null), 0);
        TestSession other = broker.session();
        TestSession.Result refused = other.subscribe(durable(1, "a", "n > 5"), 0);
        other.receive();
        assertThat(refused.code()).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        unsubscribe(active, 1);
        TestSession.Result replaced = other.subscribe(durable(1, "a", "n > 5"), 10);
        broker.session().send(news(6));
        assertThat(other.texts()).containsExactly("n6");
        assertThat(replaced.done).isTrue();
    }

    @Test
    void aSubscriptionIsDeletedOnlyWhenNobodyUsesIt() {
        makeSubscriptions("a");
        broker.session().send(news(1));
        TestSession session = broker.session();
        session.subscribe(durable(1, "a", null), 1);
        Delivery delivery = session.receive().get(0);
        SubscriptionName name = new SubscriptionName("client", "a");
        assertThat(delete(session, name)).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        TestSession.Result ended = new TestSession.Result();
        session.port.unsubscribe(1, delivery.number(), ended);
        session.flushed(ended);
        assertThat(delete(session, name)).as("a delivery is unsettled").isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        session.settle(delivery, Outcome.RELEASED);
        assertThat(delete(session, name)).isNull();
        assertThat(delete(session, name)).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        broker.settle();
        assertThat(messages()).isZero();
        broker.crash();
        assertThat(drain("a")).isEmpty();
    }

    private static @Nullable ErrorCode delete(TestSession session, SubscriptionName name) {
        TestSession.Result result = new TestSession.Result();
        session.port.deleteSubscription(name, result);
        session.flushed(result);
        session.receive();
        assertThat(result.done).isEqualTo(result.cause == null);
        return result.code();
    }

    @Test
    void aNonDurableSubscriptionEndsWithItsConsumerAndFreesItsMessages() {
        TestSession session = broker.session();
        session.subscribe(Subscribe.to(1, NEWS), 1);
        session.send(news(1));
        session.send(news(2));
        Delivery first = session.receive().get(0);
        TestSession.Result ended = new TestSession.Result();
        session.port.unsubscribe(1, first.number(), ended);
        session.flushed(ended);
        assertThat(session.settle(first, Outcome.ACCEPTED).cause).isNull();
        broker.settle();
        assertThat(broker.engine.memoryUsed()).isZero();
    }
}
