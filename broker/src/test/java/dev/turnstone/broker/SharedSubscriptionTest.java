package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shared subscriptions (Jakarta Messaging 3.1 §8.3.2 and §8.3.4). */
final class SharedSubscriptionTest {
    private static final Address NEWS = Address.topic("news");
    private static final SubscriptionName NAME = new SubscriptionName(null, "s");

    private final TestBroker broker = new TestBroker();
    private final TestSession sender = broker.session();

    private static Message news(int number) {
        return MessageBuilder.to(NEWS).text("n" + number).property("n", number).build();
    }

    private static Subscribe shared(Mode mode, @Nullable String selector) {
        return new Subscribe(1, NEWS, NAME, selector, false, mode);
    }

    private static void unsubscribe(TestSession session) {
        TestSession.Result result = new TestSession.Result();
        session.port.unsubscribe(1, 0, result);
        session.flushed(result);
    }

    private static @Nullable ErrorCode code(TestSession session, TestSession.Result result) {
        session.receive();
        assertThat(result.done).isEqualTo(result.cause == null);
        return result.code();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"SHARED", "SHARED_DURABLE"})
    void eachMessageGoesToOneOfThoseWhoShare(Mode mode) {
        TestSession first = broker.session();
        TestSession second = broker.session();
        assertThat(code(first, first.subscribe(shared(mode, null), 100))).isNull();
        assertThat(code(second, second.subscribe(shared(mode, null), 100))).isNull();
        for (int i = 0; i < 100; i++) {
            sender.send(news(i));
        }
        List<Delivery> all = new ArrayList<>(first.receive());
        assertThat(all).hasSize(50);
        all.addAll(second.receive());
        assertThat(all).extracting(Delivery::position).hasSize(100).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"SHARED", "SHARED_DURABLE"})
    void anotherSelectorIsRefusedWhileSomebodyConsumes(Mode mode) {
        TestSession first = broker.session();
        first.subscribe(shared(mode, null), 100);
        TestSession second = broker.session();
        assertThat(code(second, second.subscribe(shared(mode, "n > 5"), 100))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        unsubscribe(first);
        assertThat(code(second, second.subscribe(shared(mode, "n > 5"), 100))).isNull();
        sender.send(news(5));
        sender.send(news(6));
        assertThat(second.texts()).containsExactly("n6");
    }

    @Test
    void aDurableOneKeepsMessagesForWhoeverComesBackAlsoOverACrash() {
        TestSession first = broker.session();
        first.subscribe(shared(Mode.SHARED_DURABLE, null), 100);
        unsubscribe(first);
        for (int i = 0; i < 10; i++) {
            sender.send(news(i));
        }
        broker.settle();
        broker.crash();
        TestSession again = broker.session();
        again.subscribe(shared(Mode.SHARED_DURABLE, null), 100);
        TestSession other = broker.session();
        assertThat(code(other, other.subscribe(shared(Mode.SHARED_DURABLE, null), 0)))
                .isNull();
        assertThat(again.receive()).hasSize(10);
    }

    @Test
    void oneThatIsNotDurableEndsWithItsLastConsumer() {
        TestSession first = broker.session();
        TestSession second = broker.session();
        first.subscribe(shared(Mode.SHARED, null), 0);
        second.subscribe(shared(Mode.SHARED, null), 0);
        sender.send(news(1));
        unsubscribe(first);
        second.port.credit(1, 1);
        second.flushed(new TestSession.Result());
        assertThat(second.texts()).containsExactly("n1");
        second.settle(new Settle(1, 1, 1, Outcome.ACCEPTED, 0));
        unsubscribe(second);
        sender.send(news(2));
        first.subscribe(shared(Mode.SHARED, null), 10);
        assertThat(first.receive()).isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aDurableNameIsEitherSharedOrNot() {
        TestSession session = broker.session();
        session.subscribe(shared(Mode.SHARED_DURABLE, null), 0);
        unsubscribe(session);
        assertThat(code(session, session.subscribe(new Subscribe(1, NEWS, NAME, null, false), 0)))
                .isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        assertThat(code(session, session.subscribe(shared(Mode.SHARED, null), 0)))
                .as("one that is not durable has names of its own")
                .isNull();
    }

    @Test
    void whatOneHasNotSeenGoesToTheOthersInItsPlace() {
        TestSession first = broker.session();
        first.subscribe(shared(Mode.SHARED_DURABLE, null), 100);
        for (int i = 0; i < 5; i++) {
            sender.send(news(i));
        }
        assertThat(first.receive()).hasSize(5);
        TestSession second = broker.session();
        second.subscribe(shared(Mode.SHARED_DURABLE, null), 100);
        TestSession.Result ended = new TestSession.Result();
        first.port.unsubscribe(1, 2, ended);
        first.flushed(ended);
        List<Delivery> rest = second.receive();
        assertThat(rest).extracting(d -> d.message().text()).containsExactly("n2", "n3", "n4");
        assertThat(rest).noneMatch(Delivery::redelivered);
    }

    private static Subscribe durable(int consumer, String clientId, String name) {
        return new Subscribe(consumer, NEWS, new SubscriptionName(clientId, name), null, false, Mode.DURABLE);
    }

    /** They stand in records beside messages, which have to fit. */
    @Test
    void namesOfSubscriptionsAndClientsAreNoLongerThanThoseOfAddresses() {
        String longest = "n".repeat(Address.NAME_BYTES_MAX);
        TestSession session = broker.session(broker.connect(longest));
        assertThat(code(session, session.subscribe(durable(1, longest, longest), 1)))
                .isNull();
        assertThat(code(session, session.subscribe(durable(2, longest, longest + "n"), 1)))
                .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThatThrownBy(() -> broker.connect(longest + "n")).hasMessageContaining("4096 bytes");
    }
}
