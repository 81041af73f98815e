package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Authorizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscriptions to patterns of topics. */
final class WildcardTest {
    private TestBroker broker = new TestBroker();

    private static Message message(String topic, String text) {
        return MessageBuilder.to(Address.topic(topic)).text(text).build();
    }

    private static Address pattern(String name) {
        return Address.pattern(AddressKind.TOPIC, name);
    }

    private static Subscribe plain(int consumer, String pattern) {
        return Subscribe.to(consumer, pattern(pattern));
    }

    private static Subscribe named(int consumer, String pattern, String name, @Nullable String selector, Mode mode) {
        return new Subscribe(consumer, pattern(pattern), new SubscriptionName("client", name), selector, false, mode);
    }

    private static Subscribe durable(int consumer, String pattern, String name) {
        return named(consumer, pattern, name, null, Mode.DURABLE);
    }

    private static void unsubscribe(TestSession session, int consumer) {
        TestSession.Result result = new TestSession.Result();
        session.port.unsubscribe(consumer, 0, result);
        session.flushed(result);
        assertThat(result.cause).isNull();
    }

    private List<String> seen(TestSession session) {
        return session.receive().stream()
                .map(d -> d.consumer() + " " + d.message().text())
                .toList();
    }

    private long records(RecordType type) {
        return broker.disk.values().stream()
                .filter(r -> r.type() == type.code())
                .count();
    }

    @Test
    void aPatternGetsTopicsThatNeverExistedBeforeAndThoseWithSubscribersOfTheirOwn() {
        TestSession session = broker.session();
        session.subscribe(plain(1, "a.*"), 100);
        session.subscribe(plain(2, "a.>"), 100);
        session.subscribe(plain(3, "a.b"), 100);
        session.subscribe(plain(4, ">"), 100);
        session.send(message("a.b", "ab"));
        assertThat(seen(session)).containsExactlyInAnyOrder("1 ab", "2 ab", "3 ab", "4 ab");
        session.send(message("a", "a"));
        assertThat(seen(session)).containsExactlyInAnyOrder("2 a", "4 a");
        session.send(message("a.b.c", "abc"));
        assertThat(seen(session)).containsExactlyInAnyOrder("2 abc", "4 abc");
        session.send(message("$sys.x", "sys"));
        assertThat(seen(session)).isEmpty();
        session.send(message("a.", "empty level"));
        assertThat(seen(session)).containsExactlyInAnyOrder("1 empty level", "2 empty level", "4 empty level");
    }

    @Test
    void subscribersComeAndGoWhileATopicIsInUse() {
        TestSession session = broker.session();
        session.subscribe(plain(1, "a.*"), 100);
        session.send(message("a.b", "1"));
        session.subscribe(plain(2, "a.>"), 100);
        session.send(message("a.b", "2"));
        session.subscribe(plain(3, "a.b"), 100);
        session.send(message("a.b", "3"));
        unsubscribe(session, 1);
        session.send(message("a.b", "4"));
        assertThat(seen(session)).containsExactlyInAnyOrder("1 1", "1 2", "2 2", "1 3", "2 3", "3 3", "2 4", "3 4");
        unsubscribe(session, 2);
        unsubscribe(session, 3);
        session.send(message("a.b", "5"));
        assertThat(seen(session)).isEmpty();
        session.port.close(new TestSession.Result());
        broker.settle();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aDurablePatternKeepsMessagesOverACrashWithSelectorAndOrder() {
        TestSession session = broker.session();
        session.subscribe(durable(1, "a.>", "all"), 0);
        session.subscribe(named(2, "a.*", "some", "n > 1", Mode.DURABLE), 0);
        for (int n = 1; n <= 3; n++) {
            session.send(MessageBuilder.to(Address.topic("a.t" + n))
                    .text("m" + n)
                    .property("n", n)
                    .build());
        }
        broker.settle();
        broker.crash();
        TestSession again = broker.session();
        again.send(message("a.late", "late"));
        again.subscribe(durable(1, "a.>", "all"), 100);
        again.subscribe(named(2, "a.*", "some", "n > 1", Mode.DURABLE), 100);
        List<Delivery> all = again.receive();
        assertThat(all.stream()
                        .filter(d -> d.consumer() == 1)
                        .map(d -> d.message().text()))
                .containsExactly("m1", "m2", "m3", "late");
        assertThat(all.stream()
                        .filter(d -> d.consumer() == 2)
                        .map(d -> d.message().text()))
                .containsExactly("m2", "m3");
        again.settle(new Settle(1, 1, Long.MAX_VALUE, Outcome.ACCEPTED, 0));
        again.settle(new Settle(2, 1, Long.MAX_VALUE, Outcome.ACCEPTED, 0));
        broker.settle();
        assertThat(records(RecordType.MESSAGE)).isZero();
    }

    @Test
    void aDurableSubscriptionThatBecomesAPatternIsAnotherOne() {
        TestSession session = broker.session();
        session.subscribe(durable(1, "a.b", "s"), 0);
        unsubscribe(session, 1);
        session.send(message("a.b", "old"));
        session.subscribe(durable(1, "a.*", "s"), 100);
        session.send(message("a.c", "new"));
        assertThat(seen(session)).containsExactly("1 new");
    }

    @Test
    void consumersShareAPattern() {
        for (Mode mode : List.of(Mode.SHARED, Mode.SHARED_DURABLE)) {
            TestSession first = broker.session();
            TestSession second = broker.session();
            first.subscribe(named(1, "s.>", "shared" + mode, null, mode), 100);
            second.subscribe(named(1, "s.>", "shared" + mode, null, mode), 100);
            for (int i = 0; i < 10; i++) {
                first.send(message("s." + i, "m" + i));
            }
            List<String> texts = new ArrayList<>(first.texts());
            assertThat(texts).hasSize(5);
            texts.addAll(second.texts());
            assertThat(texts).hasSize(10).doesNotHaveDuplicates();
        }
    }

    @Test
    void manyTopicsWithTheSameSubscriptionsShareOneSet() {
        TestSession session = broker.session();
        for (int i = 1; i <= 3; i++) {
            session.subscribe(durable(i, "a.>", "s" + i), 0);
        }
        session.subscribe(durable(4, "a.t7", "exact"), 0);
        for (int i = 0; i < 500; i++) {
            session.send(message("a.t" + i, "m" + i));
        }
        broker.settle();
        assertThat(records(RecordType.SUBSCRIBER_SET)).isEqualTo(2);
        broker.crash();
        TestSession again = broker.session();
        for (int i = 500; i < 1000; i++) {
            again.send(message("a.t" + i, "m" + i));
        }
        broker.settle();
        assertThat(records(RecordType.SUBSCRIBER_SET))
                .as("also after a restart")
                .isEqualTo(2);
        for (int i = 1; i <= 3; i++) {
            again.subscribe(durable(i, "a.>", "s" + i), 1000);
            assertThat(again.receive()).hasSize(1000);
            again.settle(new Settle(i, 1, Long.MAX_VALUE, Outcome.ACCEPTED, 0));
        }
        again.subscribe(durable(4, "a.t7", "exact"), 1000);
        assertThat(again.texts()).containsExactly("m7");
        again.settle(new Settle(4, 1, 1, Outcome.ACCEPTED, 0));
        broker.settle();
        assertThat(records(RecordType.MESSAGE)).isZero();
    }

    @Test
    void rememberedRoutesAreBoundedAndTheirSetsGoWithThem() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.ROUTES_MAX, 3));
        TestSession session = broker.session();
        session.subscribe(durable(1, "a.>", "x"), 1000);
        for (int i = 0; i < 20; i++) {
            session.subscribe(durable(10 + i, "a.t" + i, "y" + i), 1000);
        }
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 20; i++) {
                session.send(message("a.t" + i, "m"));
            }
        }
        List<Delivery> received = session.receive();
        assertThat(received).hasSize(80);
        received.forEach(delivery -> session.settle(delivery, Outcome.ACCEPTED));
        broker.settle();
        assertThat(records(RecordType.SUBSCRIBER_SET)).isEqualTo(3);
    }

    @Test
    void aPatternNeitherBrowsesNorConsumesQueuesNorFindsTemporaryTopics() {
        assertThatThrownBy(() -> Subscribe.to(1, Address.pattern(AddressKind.QUEUE, "q.*")))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
        TestSession session = broker.session();
        TestSession.Result refused = session.subscribe(plain(1, "$temporary.*.x"), 1);
        session.receive();
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ADDRESS);
    }

    @Test
    void aPatternGetsOnlyWhatItsOwnerMayReadAlsoWhenThatChanges() {
        Set<String> readable = new HashSet<>(Set.of("a.open"));
        Authorizer rules =
                (principal, client, action, address) -> action != Action.CONSUME || readable.contains(address.name());
        broker = new TestBroker(
                Limits.DEFAULTS, new Security(Security.OPEN.authenticator(), rules, Security.OPEN.audit()));
        TestSession session = broker.session();
        session.subscribe(plain(1, "a.*"), 100);
        session.subscribe(durable(2, "a.>", "d"), 0);
        session.send(message("a.open", "1"));
        session.send(message("a.secret", "2"));
        assertThat(seen(session)).containsExactly("1 1");
        readable.add("a.secret");
        broker.engine.secure(new Security(Security.OPEN.authenticator(), rules, Security.OPEN.audit()));
        session.send(message("a.secret", "3"));
        assertThat(seen(session)).containsExactly("1 3");
        readable.remove("a.secret");
        broker.engine.secure(new Security(Security.OPEN.authenticator(), rules, Security.OPEN.audit()));
        broker.run();
        session.port.credit(2, 100);
        assertThat(session.flushed(new TestSession.Result()).cause).isNull();
        assertThat(seen(session)).containsExactly("2 1");
        session.settle(new Settle(2, 1, 1, Outcome.ACCEPTED, 0));
        broker.settle();
        assertThat(records(RecordType.MESSAGE))
                .as("what may not be read is not kept")
                .isZero();
    }

    @Test
    void aMessageOfASharedPatternGoesToAMemberThatMayReadIt() {
        Authorizer rules = (principal, client, action, address) -> action != Action.CONSUME
                || !"weak".equals(client)
                || address.name().equals("a.open");
        broker = new TestBroker(
                Limits.DEFAULTS, new Security(Security.OPEN.authenticator(), rules, Security.OPEN.audit()));
        TestSession weak = broker.session(broker.connect("weak"));
        TestSession strong = broker.session(broker.connect("strong"));
        weak.subscribe(named(1, "a.*", "s", null, Mode.SHARED), 100);
        strong.subscribe(named(1, "a.*", "s", null, Mode.SHARED), 100);
        for (int i = 0; i < 6; i++) {
            strong.send(message("a.secret", "m" + i));
        }
        assertThat(strong.texts()).containsExactly("m0", "m1", "m2", "m3", "m4", "m5");
        assertThat(weak.texts()).isEmpty();
    }
}
