package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.binding.VirtualTopics;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
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
import dev.turnstone.spi.Action;
import dev.turnstone.spi.AuditLog;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Authorizer;
import dev.turnstone.spi.Principal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is kept for one user is not taken, dropped or seen by another, whatever client identifier that one has, also
 * when permissions change.
 */
final class SubscriptionOwnersTest {
    private static final Address ALL = Address.pattern(AddressKind.TOPIC, "a.>");
    private static final Address OPEN = Address.topic("a.open");
    private static final Address SECRET = Address.topic("a.secret");
    private static final SubscriptionName NAME = new SubscriptionName("phone", "all");
    private static final SubscriptionName DEVICE = new SubscriptionName("phone", "mqtt session");
    private static final Address DEVICES_QUEUE = Address.subscription(DEVICE);

    private final Set<String> allowed = new HashSet<>();
    private final TestBroker broker = new TestBroker(Limits.DEFAULTS, security());

    private Security security() {
        Authenticator users = login -> CompletableFuture.completedStage(
                new Principal(String.valueOf(login.user()), Set.of(), Principal.NEVER, "test"));
        Authorizer rules = (principal, clientId, action, address) ->
                action == Action.SEND || allowed.contains(principal.name() + " " + action + " " + address);
        return new Security(users, rules, AuditLog.NONE);
    }

    private void allow(String user, Action action, Address... addresses) {
        for (Address address : addresses) {
            allowed.add(user + " " + action + " " + address);
        }
    }

    private void forbid(String user, Action action, Address address) {
        assertThat(allowed.remove(user + " " + action + " " + address)).isTrue();
        broker.engine.secure(security());
        broker.settle();
    }

    private TestSession session(String user, @Nullable String clientId) {
        var login = broker.engine
                .broker()
                .connect(new Login(user, null, clientId, "test", "vm"), cause -> {})
                .toCompletableFuture();
        broker.run();
        return broker.session(login.join());
    }

    private void leave(TestSession session) {
        session.connection.close();
        broker.settle();
    }

    private void publish(Address... topics) {
        TestSession sender = session("sender", null);
        for (Address topic : topics) {
            sender.send(MessageBuilder.to(topic).text(topic.name()).build());
        }
        broker.settle();
        leave(sender);
    }

    private static Subscribe named(SubscriptionName name, Mode mode) {
        return new Subscribe(1, ALL, name, null, false, mode);
    }

    private static Subscribe queueOf(SubscriptionName name) {
        return Subscribe.to(1, Address.subscription(name));
    }

    private static @Nullable ErrorCode code(TestSession session, Subscribe subscribe) {
        TestSession.Result result = session.subscribe(subscribe, 100);
        session.broker.settle();
        session.drain();
        assertThat(session.deliveries).isEmpty();
        return result.code();
    }

    private static void unsubscribe(TestSession session) {
        TestSession.Result result = new TestSession.Result();
        session.port.unsubscribe(1, 0, result);
        session.flushed(result);
        assertThat(result.cause).isNull();
    }

    private void makeDurable(SubscriptionName name, Mode mode) {
        TestSession alice = session("alice", name.clientId());
        assertThat(alice.subscribe(named(name, mode), 0).cause).isNull();
        broker.settle();
        leave(alice);
    }

    @Test
    void whoMayNotHaveThePatternTakesAndDropsNothingOfItsBacklog() {
        allow("alice", Action.CREATE, ALL);
        allow("alice", Action.CONSUME, ALL, OPEN, SECRET);
        makeDurable(NAME, Mode.DURABLE);
        publish(OPEN, SECRET);
        allow("bob", Action.CREATE, ALL);
        allow("bob", Action.CONSUME, OPEN);
        TestSession bob = session("bob", NAME.clientId());
        assertThat(code(bob, queueOf(NAME))).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(code(bob, named(NAME, Mode.DURABLE))).isEqualTo(ErrorCode.FORBIDDEN);
        leave(bob);
        broker.crash();
        TestSession again = session("bob", NAME.clientId());
        assertThat(code(again, queueOf(NAME))).as("after a restart").isEqualTo(ErrorCode.FORBIDDEN);
        leave(again);
        TestSession alice = session("alice", NAME.clientId());
        alice.subscribe(named(NAME, Mode.DURABLE), 100);
        assertThat(alice.texts()).containsExactly("a.open", "a.secret");
    }

    @Test
    void whoMayNotHaveThePatternJoinsNoSharedDurableSubscription() {
        SubscriptionName shared = new SubscriptionName(null, "all");
        allow("alice", Action.CREATE, ALL);
        allow("alice", Action.CONSUME, ALL, OPEN, SECRET);
        makeDurable(shared, Mode.SHARED_DURABLE);
        publish(SECRET);
        TestSession bob = session("bob", null);
        assertThat(code(bob, named(shared, Mode.SHARED_DURABLE))).isEqualTo(ErrorCode.FORBIDDEN);
        allow("carol", Action.CONSUME, ALL, SECRET);
        TestSession carol = session("carol", null);
        carol.subscribe(named(shared, Mode.SHARED_DURABLE), 100);
        assertThat(carol.texts()).containsExactly("a.secret");
    }

    @Test
    void theOwnerOfAPatternGoesOnWithWhatItMayReadAfterARestartToo() {
        allow("alice", Action.CREATE, ALL);
        allow("alice", Action.CONSUME, OPEN);
        makeDurable(NAME, Mode.DURABLE);
        publish(OPEN, SECRET);
        broker.crash();
        TestSession alice = session("alice", NAME.clientId());
        alice.subscribe(named(NAME, Mode.DURABLE), 100);
        broker.engine.secure(security());
        List<Delivery> received = alice.receive();
        assertThat(received).extracting(d -> d.message().text()).containsExactly("a.open");
        alice.settle(received.get(0), Outcome.ACCEPTED);
        unsubscribe(alice);
        publish(OPEN);
        alice.subscribe(queueOf(NAME), 100);
        assertThat(alice.texts()).containsExactly("a.open");
    }

    @Test
    void aMemberOfASharedPatternDropsNothingThatAnotherMayHaveLater() {
        allow("alice", Action.CONSUME, OPEN, SECRET);
        allow("bob", Action.CONSUME, OPEN);
        for (ConsumerOptions options : List.of(
                ConsumerOptions.DEFAULTS,
                ConsumerOptions.DEFAULTS.exclusive(true),
                ConsumerOptions.DEFAULTS.priority(9))) {
            SubscriptionName shared = new SubscriptionName(null, "shared" + options);
            TestSession bob = session("bob", null);
            bob.subscribe(named(shared, Mode.SHARED).with(options), 100);
            TestSession alice = session("alice", null);
            alice.subscribe(named(shared, Mode.SHARED), 0);
            publish(SECRET, SECRET, OPEN);
            alice.port.credit(1, 2);
            alice.flushed(new TestSession.Result());
            assertThat(alice.texts()).as("%s", options).containsExactly("a.secret", "a.secret");
            assertThat(bob.texts()).as("%s", options).containsExactly("a.open");
            leave(alice);
            leave(bob);
        }
    }

    @Test
    void whatNobodyWhoIsThereMayHaveHoldsUpNothing() {
        allow("bob", Action.CONSUME, OPEN);
        allow("alice", Action.CONSUME, SECRET);
        SubscriptionName shared = new SubscriptionName(null, "shared");
        TestSession bob = session("bob", null);
        bob.subscribe(named(shared, Mode.SHARED), 100);
        TestSession alice = session("alice", null);
        alice.subscribe(named(shared, Mode.SHARED), 0);
        publish(Address.topic("a.other"), SECRET, OPEN);
        assertThat(bob.texts()).as("behind what waits for alice").isEmpty();
        leave(alice);
        assertThat(bob.texts()).containsExactly("a.open");
    }

    @Test
    void whatOfAGroupWaitsForWhoMayNoLongerHaveItGoesToAnother() {
        allow("alice", Action.CONSUME, SECRET);
        allow("bob", Action.CONSUME, SECRET);
        SubscriptionName shared = new SubscriptionName(null, "shared");
        TestSession alice = session("alice", null);
        alice.subscribe(named(shared, Mode.SHARED), 1);
        TestSession bob = session("bob", null);
        bob.subscribe(named(shared, Mode.SHARED), 100);
        for (String text : List.of("one", "two")) {
            bob.send(MessageBuilder.to(SECRET).group("g", 0).text(text).build());
        }
        assertThat(alice.texts()).containsExactly("one");
        assertThat(bob.texts()).as("the group is alice's").isEmpty();
        forbid("alice", Action.CONSUME, SECRET);
        alice.port.credit(1, 10);
        alice.flushed(new TestSession.Result());
        assertThat(alice.texts()).isEmpty();
        assertThat(bob.texts()).containsExactly("two");
    }

    @Test
    void whoMayNoLongerConsumeFromASubscriptionsQueueLeavesTheBacklogWhole() {
        for (Address topic : List.of(OPEN, ALL)) {
            allow("alice", Action.CREATE, topic);
            allow("alice", Action.CONSUME, topic, OPEN);
            allow("bob", Action.CONSUME, topic, OPEN);
            SubscriptionName name = new SubscriptionName("phone", "of " + topic.name());
            Subscribe subscribe = new Subscribe(1, topic, name, null, false, Mode.DURABLE);
            TestSession alice = session("alice", "phone");
            assertThat(alice.subscribe(subscribe, 0).cause).isNull();
            leave(alice);
            TestSession bob = session("bob", "phone");
            assertThat(bob.subscribe(queueOf(name), 100).cause).isNull();
            forbid("bob", Action.CONSUME, topic);
            bob.drain();
            assertThat(bob.events)
                    .singleElement()
                    .satisfies(event ->
                            assertThat((BrokerException) event).hasMessage("user 'bob' may not consume from " + topic));
            publish(OPEN);
            leave(bob);
            TestSession back = session("alice", "phone");
            back.subscribe(subscribe, 100);
            assertThat(back.texts()).as("%s", topic).containsExactly("a.open");
            leave(back);
        }
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

    private static @Nullable ErrorCode delete(TestSession session) {
        TestSession.Result result = new TestSession.Result();
        session.port.deleteSubscription(DEVICE, result);
        session.flushed(result);
        session.broker.settle();
        session.drain();
        assertThat(result.done).isEqualTo(result.cause == null);
        return result.code();
    }

    private static QueueChange.AddFilter filter() {
        return new QueueChange.AddFilter(DEVICE, new SubscriptionFilter(OPEN, null, false, 1, Retained.NEVER));
    }

    @Test
    void aQueueWithFiltersIsItsUsersAlone() {
        for (boolean durable : List.of(true, false)) {
            allow("alice", Action.CONSUME, OPEN);
            allow("bob", Action.CONSUME, OPEN);
            allow("bob", Action.BROWSE, OPEN);
            SubscriptionQueue queue = new SubscriptionQueue(DEVICE, durable, SubscriptionQueue.FOREVER, 0);
            TestSession alice = session("alice", "phone");
            assertThat(change(alice, new QueueChange.Declare(queue))).isNull();
            assertThat(change(alice, filter())).isNull();
            leave(alice);
            publish(OPEN);
            if (durable) {
                broker.crash();
            }
            TestSession bob = session("bob", "phone");
            assertThat(code(bob, Subscribe.browse(1, DEVICES_QUEUE, null))).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(code(bob, Subscribe.to(1, DEVICES_QUEUE))).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(change(bob, filter())).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(change(bob, new QueueChange.RemoveFilter(DEVICE, OPEN))).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(change(bob, new QueueChange.Revise(queue))).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(change(bob, new QueueChange.Declare(queue))).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(delete(bob)).isEqualTo(ErrorCode.FORBIDDEN);
            leave(bob);
            TestSession back = session("alice", "phone");
            assertThat(change(back, new QueueChange.Revise(queue))).isNull();
            back.subscribe(Subscribe.to(1, DEVICES_QUEUE), 100);
            assertThat(back.texts()).containsExactly("a.open");
            back.settle(new Settle(1, 1, 1, Outcome.ACCEPTED, 0));
            unsubscribe(back);
            assertThat(delete(back)).isNull();
            leave(back);
        }
    }

    @Test
    void whoBrowsesItsQueueWithFiltersSeesNoMoreThanItMayConsume() {
        allow("alice", Action.CONSUME, OPEN);
        SubscriptionQueue queue = new SubscriptionQueue(DEVICE, true, SubscriptionQueue.FOREVER, 0);
        TestSession alice = session("alice", "phone");
        assertThat(change(alice, new QueueChange.Declare(queue))).isNull();
        SubscriptionFilter all = new SubscriptionFilter(ALL, null, false, 1, Retained.NEVER);
        assertThat(change(alice, new QueueChange.AddFilter(DEVICE, all))).isNull();
        publish(SECRET, OPEN, SECRET);
        alice.subscribe(Subscribe.browse(1, DEVICES_QUEUE, null), 100);
        assertThat(alice.texts()).containsExactly("a.open");
    }

    @Test
    void aBrowserGoesOnAsLongAsItMayBrowse() {
        Address orders = Address.queue("orders");
        allow("alice", Action.BROWSE, orders);
        TestSession alice = session("alice", null);
        for (String text : List.of("one", "two", "three")) {
            alice.send("orders", text);
        }
        alice.subscribe(Subscribe.browse(1, orders, null), 1);
        assertThat(alice.texts()).containsExactly("one");
        broker.engine.secure(security());
        alice.port.credit(1, 1);
        alice.flushed(new TestSession.Result());
        assertThat(alice.texts()).containsExactly("two");
        allow("alice", Action.CONSUME, orders);
        forbid("alice", Action.BROWSE, orders);
        alice.drain();
        assertThat(alice.events)
                .singleElement()
                .satisfies(event ->
                        assertThat((BrokerException) event).hasMessage("user 'alice' may not browse queue:orders"));
    }

    @Test
    void aQueueOfAVirtualTopicIsForThoseWhoMayConsumeFromItsTopic() {
        broker.bind(new Bindings(
                List.of(), List.of(new VirtualTopics("Consumer.*", Address.pattern(AddressKind.TOPIC, "a.>")))));
        Address queue = Address.queue("Consumer.B.a.secret");
        allow("bob", Action.CONSUME, queue);
        allow("bob", Action.BROWSE, queue);
        TestSession bob = session("bob", null);
        TestSession.Result refused = bob.subscribe(Subscribe.to(1, queue), 1);
        assertThat(refused.cause).hasMessage("user 'bob' may not consume from topic:a.secret");
        assertThat(code(bob, Subscribe.browse(1, queue, null))).isEqualTo(ErrorCode.FORBIDDEN);
        allow("bob", Action.CONSUME, SECRET);
        broker.engine.secure(security());
        assertThat(bob.subscribe(Subscribe.to(1, queue), 100).cause).isNull();
        publish(SECRET);
        assertThat(bob.texts()).containsExactly("a.secret");
        forbid("bob", Action.CONSUME, SECRET);
        bob.drain();
        assertThat(bob.events)
                .singleElement()
                .satisfies(event -> assertThat((BrokerException) event)
                        .hasMessage("user 'bob' may not consume from topic:a.secret"));
    }
}
