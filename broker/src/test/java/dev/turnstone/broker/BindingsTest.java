package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.broker.binding.Binding.Mode;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.binding.VirtualTopics;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.spi.Action;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where messages go beside, or instead of, the address that they are sent to. */
final class BindingsTest {
    private TestBroker broker = new TestBroker();

    private static Address queue(String name) {
        return Address.queue(name);
    }

    private static Address topic(String pattern) {
        return Address.pattern(AddressKind.TOPIC, pattern);
    }

    private static MessageBuilder to(Address address, String text) {
        return MessageBuilder.to(address).text(text);
    }

    private TestSession.Result send(MessageBuilder message) {
        TestSession sender = broker.session();
        TestSession.Result result = sender.send(message.build());
        broker.settle();
        sender.drain();
        assertThat(result.done).isEqualTo(result.cause == null);
        return result;
    }

    /** Takes all that waits in a queue. */
    private List<String> drain(String queue) {
        TestSession session = broker.session();
        session.subscribe(1, queue, 1000);
        List<Delivery> received = session.receive();
        session.settle(new Settle(1, 1, Long.MAX_VALUE, Outcome.ACCEPTED, 0));
        session.port.close(new TestSession.Result());
        broker.settle();
        return received.stream().map(d -> d.message().text()).toList();
    }

    private long messages() {
        return broker.disk.values().stream()
                .filter(r -> r.type() == RecordType.MESSAGE.code())
                .count();
    }

    private static void assertRefused(Binding... bindings) {
        assertThatThrownBy(() -> Bindings.of(bindings))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining("circle");
    }

    @Test
    void bindingsThatGoInACircleAreRefused() {
        assertRefused(Binding.copy(topic("a.>"), topic("a.audit")));
        assertRefused(Binding.copy(queue("a"), queue("b")), Binding.alias(queue("b"), queue("a")));
        assertRefused(
                Binding.copy(topic("x"), queue("a")),
                Binding.copy(queue("a"), queue("b")),
                Binding.copy(queue("b"), queue("c")),
                Binding.alternate(queue("c"), queue("b")));
        assertThat(Bindings.of(Binding.copy(queue("a"), queue("b")), Binding.copy(queue("a"), queue("c")))
                        .bindings())
                .hasSize(2);
        assertThatThrownBy(() -> Binding.copy(queue("a"), topic("b.*"))).isInstanceOf(BrokerException.class);
        assertThatThrownBy(() -> new Binding(queue("a"), "n =", queue("b"), Mode.COPY))
                .isInstanceOf(BrokerException.class);
    }

    @Test
    void anAliasIsAnotherNameOfAQueue() {
        broker.bind(Bindings.of(Binding.alias(queue("old"), queue("new"))));
        send(to(queue("old"), "m"));
        assertThat(drain("old")).isEmpty();
        assertThat(drain("new")).containsExactly("m");
    }

    @Test
    void aTopicFansOutToQueuesWhichShareOneBodyAlsoOverACrash() {
        broker.bind(Bindings.of(
                Binding.copy(topic("orders"), queue("billing")), Binding.copy(topic("orders"), queue("shipping"))));
        send(to(topic("orders"), "1"));
        send(to(topic("orders"), "2"));
        assertThat(messages()).isEqualTo(2);
        assertThat(drain("billing")).containsExactly("1", "2");
        broker.crash();
        assertThat(drain("billing")).isEmpty();
        assertThat(drain("shipping")).containsExactly("1", "2");
        assertThat(messages()).isZero();
        assertThat(broker.disk.values()).noneMatch(r -> r.type() == RecordType.SUBSCRIBER_SET.code());
    }

    @Test
    void routingByTopicPatternAndByHeader() {
        broker.bind(Bindings.of(
                Binding.copy(topic("log.*.error"), queue("errors")),
                Binding.copy(topic("log.>"), queue("everything")),
                new Binding(topic("log.>"), "size > 10", queue("large"), Mode.COPY)));
        send(to(topic("log.web.error"), "1").property("size", 5));
        send(to(topic("log.web.info"), "2").property("size", 50));
        assertThat(drain("errors")).containsExactly("1");
        assertThat(drain("everything")).containsExactly("1", "2");
        assertThat(drain("large")).containsExactly("2");
    }

    @Test
    void aDivertMovesWhatItsSelectorTakes() {
        broker.bind(Bindings.of(new Binding(queue("in"), "vip", queue("fast"), Mode.MOVE)));
        send(to(queue("in"), "plain"));
        send(to(queue("in"), "vip").property("vip", true));
        assertThat(drain("in")).containsExactly("plain");
        assertThat(drain("fast")).containsExactly("vip");
    }

    @Test
    void bindingsFollowEachOtherAndAQueueGetsAMessageOnce() {
        broker.bind(Bindings.of(
                Binding.copy(queue("a"), topic("t")),
                Binding.copy(topic("t"), queue("b")),
                Binding.copy(queue("a"), queue("b"))));
        TestSession session = broker.session();
        session.subscribe(Subscribe.to(1, topic("*")), 10);
        session.subscribe(Subscribe.to(2, topic("t")), 10);
        send(to(queue("a"), "m"));
        List<Delivery> received = session.receive();
        assertThat(received).hasSize(2).allMatch(d -> d.message().address().equals(topic("t")));
        assertThat(drain("a")).containsExactly("m");
        assertThat(drain("b")).containsExactly("m");
    }

    @Test
    void theAlternateGetsWhatNobodyGets() {
        broker.bind(Bindings.of(
                new Binding(topic("t"), "n = 1", queue("ones"), Mode.COPY),
                Binding.alternate(topic("t"), queue("rest"))));
        send(to(topic("t"), "1").property("n", 1));
        send(to(topic("t"), "2").property("n", 2));
        TestSession session = broker.session();
        session.subscribe(Subscribe.to(1, topic("t")), 10);
        send(to(topic("t"), "3").property("n", 3));
        assertThat(session.texts()).containsExactly("3");
        assertThat(drain("ones")).containsExactly("1");
        assertThat(drain("rest")).containsExactly("2");
    }

    @Test
    void aMandatoryMessageIsRefusedIfNobodyGetsIt() {
        assertThat(send(to(topic("t"), "m")).cause).isNull();
        assertThat(send(to(topic("t"), "m").mandatory(true)).code()).isEqualTo(ErrorCode.NO_ROUTE);
        assertThat(send(to(queue("q"), "m").mandatory(true)).cause).isNull();
        broker.bind(Bindings.of(new Binding(topic("t"), "n = 1", queue("ones"), Mode.COPY)));
        assertThat(send(to(topic("t"), "m").mandatory(true)).code()).isEqualTo(ErrorCode.NO_ROUTE);
        assertThat(send(to(topic("t"), "m").mandatory(true).property("n", 1)).cause)
                .isNull();
        TestSession session = broker.session();
        session.begin(1);
        session.send(to(queue("q"), "in").build(), 1);
        session.send(to(topic("nobody"), "m").mandatory(true).build(), 1);
        TestSession.Result commit = session.commit(1);
        session.receive();
        assertThat(commit.code()).isEqualTo(ErrorCode.NO_ROUTE);
        assertThat(drain("q")).containsExactly("m");
    }

    @Test
    void aCompositeDestinationIsSeveralAtOnce() {
        TestSession session = broker.session();
        session.subscribe(Subscribe.to(1, topic("c")), 10);
        send(to(queue("a, queue://b,topic:c,a"), "m"));
        assertThat(session.texts()).containsExactly("m");
        assertThat(drain("a")).containsExactly("m");
        broker.crash();
        assertThat(drain("b")).containsExactly("m");
        assertThatThrownBy(() -> queue("a,,b")).isInstanceOf(BrokerException.class);
        assertThatThrownBy(() -> Subscribe.to(1, queue("a,b"))).isInstanceOf(BrokerException.class);
        Address comma = Address.of(AddressKind.QUEUE, List.of("a,b"));
        assertThat(comma.isComposite()).isFalse();
        assertThat(comma.levels()).containsExactly("a,b");
    }

    @Test
    void theSenderMustBeAllowedToSendToAllThatItsMessageReaches() {
        broker = new TestBroker(
                Limits.DEFAULTS,
                new Security(
                        Security.OPEN.authenticator(),
                        (principal, client, action, address) ->
                                action != Action.SEND || !address.equals(queue("secret")),
                        Security.OPEN.audit()));
        broker.bind(Bindings.of(new Binding(topic("t"), "leak", queue("secret"), Mode.COPY)));
        assertThat(send(to(queue("a,secret"), "m")).code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(drain("a")).isEmpty();
        assertThat(send(to(topic("t"), "m").property("leak", true)).code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(send(to(topic("t"), "m")).cause).isNull();
    }

    @Test
    void aQueueIsTheSubscriberOfAVirtualTopicByItsName() {
        Bindings virtual = new Bindings(List.of(), List.of(new VirtualTopics("Consumer.*", topic("VirtualTopic.>"))));
        broker.bind(virtual);
        drain("Consumer.A.VirtualTopic.Orders");
        drain("Consumer.B.VirtualTopic.Orders");
        drain("Consumer.VirtualTopic.Orders");
        broker.crash();
        send(to(topic("VirtualTopic.Orders"), "1"));
        send(to(topic("VirtualTopic.Other"), "2"));
        assertThat(messages()).isOne();
        broker.crash();
        assertThat(drain("Consumer.A.VirtualTopic.Orders")).containsExactly("1");
        assertThat(drain("Consumer.B.VirtualTopic.Orders")).containsExactly("1");
        assertThat(drain("Consumer.VirtualTopic.Orders")).isEmpty();
        broker.bind(Bindings.NONE);
        send(to(topic("VirtualTopic.Orders"), "3"));
        assertThat(drain("Consumer.A.VirtualTopic.Orders")).isEmpty();
        broker.settle();
        assertThat(broker.disk.values()).noneMatch(r -> r.type() == RecordType.QUEUE.code());
    }

    private void deadLettersOfOrdersTo(String address) {
        broker = new TestBroker(AddressRules.DEFAULTS
                .with("queue:orders", AddressSetting.MAX_ATTEMPTS, 1)
                .with("queue:orders", AddressSetting.DEAD_LETTER, address));
    }

    private void failInOrders() {
        send(to(queue("orders"), "poison"));
        TestSession session = broker.session();
        session.subscribe(1, "orders", 1);
        session.settle(Settle.one(session.receive().get(0), Outcome.MODIFIED));
        session.connection.close();
        broker.settle();
    }

    /** Else a binding that sends dead letters back to work would do so for ever. */
    @Test
    void whatTheBrokerMovesFollowsNoBindings() {
        deadLettersOfOrdersTo("queue:DLQ");
        broker.bind(Bindings.of(Binding.alias(queue("DLQ"), queue("orders"))));
        failInOrders();
        assertThat(drain("orders")).isEmpty();
        assertThat(drain("DLQ")).containsExactly("poison");
        send(to(queue("DLQ"), "sent"));
        assertThat(drain("orders")).containsExactly("sent");
    }

    @Test
    void whatTheBrokerMovesToATopicFollowsNoBindings() {
        deadLettersOfOrdersTo("topic:dead");
        broker.bind(Bindings.of(Binding.copy(topic("dead"), queue("orders"))));
        TestSession watcher = broker.session();
        watcher.subscribe(Subscribe.to(1, topic("dead")), 10);
        failInOrders();
        assertThat(drain("orders")).isEmpty();
        assertThat(watcher.texts()).containsExactly("poison");
    }

    @Test
    void theAlternateGetsNothingOfWhatSomebodyGetsOverAnotherMember() {
        broker.bind(Bindings.of(Binding.alternate(topic("b"), queue("rest"))));
        TestSession session = broker.session();
        session.subscribe(Subscribe.to(1, topic("*")), 10);
        send(to(Address.topic("a,b"), "m"));
        assertThat(session.texts()).containsExactly("m");
        assertThat(drain("rest")).isEmpty();
    }

    @Test
    void theAlternateGetsNothingOfWhatAQueueGetsOverAnotherMember() {
        broker.bind(Bindings.of(
                Binding.alias(queue("a"), queue("c")),
                Binding.alias(queue("b"), queue("c")),
                Binding.alternate(queue("b"), queue("rest"))));
        send(to(queue("a,b"), "m"));
        assertThat(drain("c")).containsExactly("m");
        assertThat(drain("rest")).isEmpty();
    }

    @Test
    void aQueueOfAVirtualTopicGetsAMessageOnceThoughItIsNamedToo() {
        broker.bind(new Bindings(List.of(), List.of(new VirtualTopics("Consumer.*", topic("VirtualTopic.>")))));
        drain("Consumer.A.VirtualTopic.X");
        send(to(queue("Consumer.A.VirtualTopic.X,topic:VirtualTopic.X"), "m"));
        assertThat(drain("Consumer.A.VirtualTopic.X")).containsExactly("m");
    }
}
