package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AddressesTest {
    private TestBroker broker = new TestBroker();

    private static void unsubscribe(TestSession session) {
        TestSession.Result result = new TestSession.Result();
        session.port.unsubscribe(1, 0, result);
        session.flushed(result);
    }

    @Test
    void aQueueThatIsEmptyAndUnusedIsForgottenWithAllItsRecords() {
        TestSession session = broker.session();
        broker.settle();
        int before = broker.disk.size();
        session.send("q", "a");
        session.subscribe(1, "q", 1);
        Delivery delivery = session.receive().get(0);
        assertThat(broker.disk).as("queue, message, mark").hasSize(before + 3);
        session.settle(delivery, Outcome.ACCEPTED);
        unsubscribe(session);
        broker.settle();
        assertThat(broker.disk).hasSize(before);
    }

    @Test
    void manyNamesUsedOnceCountNoLongerAgainstTheLimit() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.ADDRESSES_MAX, 3));
        TestSession session = broker.session();
        for (int i = 0; i < 20; i++) {
            session.subscribe(1, "q" + i, 1);
            session.receive();
            unsubscribe(session);
            broker.settle();
        }
        for (int i = 0; i < 3; i++) {
            session.send("kept" + i, "m");
        }
        TestSession.Result tooMany = session.send("kept4", "m");
        session.receive();
        assertThat(tooMany.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(tooMany.cause).hasMessageContaining("addresses.max");
        session.begin(1);
        assertThat(session.send(TestSession.text("kept5", "m").build(), 1).code())
                .as("refused when sent, not half-way through the commit")
                .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    void aTemporaryQueueBelongsToItsConnectionAndEndsWithIt() {
        TestSession owner = broker.session();
        Address temporary = Address.temporary(AddressKind.QUEUE, owner.connection.id(), "1");
        assertThat(declare(owner, temporary)).isNull();
        owner.subscribe(Subscribe.to(1, temporary), 10);
        TestSession other = broker.session();
        TestSession.Result foreign = other.subscribe(Subscribe.to(1, temporary), 1);
        other.receive();
        assertThat(foreign.code()).isEqualTo(ErrorCode.FORBIDDEN);
        other.send(MessageBuilder.to(temporary).text("answer").build());
        assertThat(owner.texts()).containsExactly("answer");
        other.send(MessageBuilder.to(temporary).text("late").build());
        owner.connection.close();
        broker.settle();
        TestSession.Result gone = other.send(MessageBuilder.to(temporary).build());
        other.receive();
        assertThat(gone.code()).isEqualTo(ErrorCode.INVALID_ADDRESS);
        assertThat(broker.engine.memoryUsed()).isZero();
        int before = broker.disk.size();
        broker.crash();
        assertThat(broker.disk.size()).as("nothing of it was durable").isLessThanOrEqualTo(before + 1);
    }

    private static @Nullable ErrorCode declare(TestSession session, Address temporary) {
        TestSession.Result result = new TestSession.Result();
        session.port.declareTemporary(temporary, result);
        session.flushed(result);
        session.receive();
        return result.code();
    }

    private static @Nullable ErrorCode delete(TestSession session, Address temporary) {
        TestSession.Result result = new TestSession.Result();
        session.port.deleteTemporary(temporary, result);
        session.flushed(result);
        session.receive();
        return result.code();
    }

    @Test
    void aTemporaryDestinationExistsFromItsDeclarationToItsDeletion() {
        TestSession owner = broker.session();
        TestSession other = broker.session();
        for (AddressKind kind : AddressKind.values()) {
            Address temporary = Address.temporary(kind, owner.connection.id(), "1");
            TestSession.Result early =
                    other.send(MessageBuilder.to(temporary).text("early").build());
            other.receive();
            assertThat(early.code()).isEqualTo(ErrorCode.INVALID_ADDRESS);
            assertThat(declare(other, temporary)).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(declare(owner, temporary)).isNull();
            owner.subscribe(Subscribe.to(1, temporary), 10);
            other.send(MessageBuilder.to(temporary).text("m").build());
            assertThat(owner.texts()).containsExactly("m");
            assertThat(delete(owner, temporary)).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
            unsubscribe(owner);
            assertThat(delete(other, temporary)).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(delete(owner, temporary)).isNull();
            TestSession.Result late =
                    other.send(MessageBuilder.to(temporary).text("late").build());
            other.receive();
            assertThat(late.code()).isEqualTo(ErrorCode.INVALID_ADDRESS);
        }
        assertThat(declare(owner, Address.queue("q"))).isEqualTo(ErrorCode.INVALID_ADDRESS);
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aDurableSubscriptionOfATemporaryTopicIsRefused() {
        TestSession owner = broker.session();
        Address temporary = Address.temporary(AddressKind.TOPIC, owner.connection.id(), "1");
        assertThat(declare(owner, temporary)).isNull();
        SubscriptionName name = new SubscriptionName("c", "s");
        TestSession.Result result = owner.subscribe(new Subscribe(1, temporary, name, null, false), 1);
        owner.receive();
        assertThat(result.code()).isEqualTo(ErrorCode.INVALID_ADDRESS);
    }

    @Test
    void nobodySendsToTheBrokersOwnNames() {
        TestSession session = broker.session();
        for (Address address : new Address[] {
            Address.topic("$SYS.load"),
            Address.queue("$SYS"),
            Address.topic("$share.a"),
            Address.queue("ok,queue:$SYS.x")
        }) {
            TestSession.Result sent =
                    session.send(MessageBuilder.to(address).text("x").build());
            session.receive();
            assertThat(sent.code()).as(address.toString()).isEqualTo(ErrorCode.FORBIDDEN);
        }
        TestSession.Result sent = session.send(
                MessageBuilder.to(Address.topic("$SYSTEM.x")).text("x").build());
        session.receive();
        assertThat(sent.done).isTrue();
    }

    @Test
    void aQueueThatIsNotDeletedByItselfIsThereAfterARestart() {
        broker = new TestBroker(AddressRules.DEFAULTS.with("model.>", AddressSetting.AUTO_DELETE, false));
        TestSession session = broker.session();
        session.subscribe(1, "model.a", 1);
        session.receive();
        unsubscribe(session);
        broker.settle();
        assertThat(broker.report().details())
                .singleElement()
                .satisfies(r -> assertThat(r.address()).isEqualTo(Address.queue("model.a")));
        broker.crash();
        assertThat(broker.report().details())
                .singleElement()
                .satisfies(r -> assertThat(r.address()).isEqualTo(Address.queue("model.a")));
    }

    @Test
    void aQueueMayHaveToBeIdleForAWhileBeforeItEnds() {
        broker = new TestBroker(AddressRules.DEFAULTS.with("q", AddressSetting.AUTO_DELETE_DELAY_MS, 1_000));
        TestSession session = broker.session();
        session.subscribe(1, "q", 1);
        session.receive();
        unsubscribe(session);
        broker.settle();
        broker.nowMs += 900;
        broker.settle();
        session.subscribe(1, "q", 1);
        session.receive();
        broker.nowMs += 200;
        broker.settle();
        assertThat(broker.report().details()).hasSize(1);
        unsubscribe(session);
        broker.settle();
        broker.nowMs += 999;
        broker.settle();
        assertThat(broker.report().details()).hasSize(1);
        broker.nowMs += 1;
        broker.settle();
        assertThat(broker.report().details()).isEmpty();
    }

    private static @Nullable ErrorCode deleteQueue(TestSession session, Address queue) {
        TestSession.Result result = new TestSession.Result();
        session.port.deleteQueue(queue, result);
        session.flushed(result);
        session.receive();
        return result.code();
    }

    @Test
    void aQueueThatStaysIsDeletedWithItsMessagesOnlyWhenNobodyUsesIt() {
        broker = new TestBroker(AddressRules.DEFAULTS.with("model.>", AddressSetting.AUTO_DELETE, false));
        TestSession session = broker.session();
        Address queue = Address.queue("model.a");
        assertThat(deleteQueue(session, queue)).isEqualTo(ErrorCode.INVALID_ADDRESS);
        session.send("model.a", "1");
        session.send("model.a", "2");
        session.subscribe(1, "model.a", 1);
        assertThat(deleteQueue(session, queue)).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        session.receive();
        session.port.unsubscribe(1, 1, new TestSession.Result());
        assertThat(deleteQueue(session, queue)).as("a delivery is out").isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        session.settle(new Settle(1, 1, 1, Outcome.ACCEPTED, Session.NO_TRANSACTION));
        assertThat(deleteQueue(session, queue)).isNull();
        broker.settle();
        assertThat(broker.report().details()).isEmpty();
        broker.crash();
        assertThat(broker.report().details()).isEmpty();
        session = broker.session();
        session.subscribe(1, "model.a", 10);
        assertThat(session.texts()).isEmpty();
    }

    @Test
    void whoWaitsForRoomInAQueueGoesOnWhenItIsDeleted() {
        broker = new TestBroker(AddressRules.DEFAULTS
                .with("q", AddressSetting.MAX_MESSAGES, 1)
                .with("q", AddressSetting.WHEN_FULL, "block"));
        TestSession waits = broker.session();
        waits.send("q", "1");
        TestSession.Result second = waits.send("q", "2");
        waits.receive();
        assertThat(second.done).isFalse();
        assertThat(deleteQueue(broker.session(), Address.queue("q"))).isNull();
        waits.receive();
        assertThat(second.done).isTrue();
        TestSession taker = broker.session();
        taker.subscribe(1, "q", 10);
        assertThat(taker.texts()).containsExactly("2");
    }

    @Test
    void whoWaitsForRoomInAQueueGoesOnThoughAllThatIsDeletedIsInPages() {
        broker = new TestBroker(
                Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 1),
                Security.OPEN,
                AddressRules.DEFAULTS
                        .with("q", AddressSetting.MAX_MESSAGES, 1)
                        .with("q", AddressSetting.WHEN_FULL, "block"));
        TestSession waits = broker.session();
        waits.send("q", "1");
        waits.receive();
        TestSession.Result second = waits.send("q", "2");
        waits.receive();
        assertThat(broker.pageDisk).hasSize(1);
        assertThat(second.done).isFalse();
        assertThat(deleteQueue(broker.session(), Address.queue("q"))).isNull();
        waits.receive();
        assertThat(second.done).isTrue();
    }

    @Test
    void whatIsNoQueueOfItsOwnIsNotDeletedAsOne() {
        TestSession session = broker.session();
        Address temporary = Address.temporary(AddressKind.QUEUE, session.connection.id(), "1");
        assertThat(declare(session, temporary)).isNull();
        assertThat(deleteQueue(session, temporary)).isEqualTo(ErrorCode.INVALID_ADDRESS);
        assertThat(deleteQueue(session, Address.topic("t"))).isEqualTo(ErrorCode.INVALID_ADDRESS);
        assertThat(deleteQueue(session, Address.subscription(new SubscriptionName("c", "s"))))
                .isEqualTo(ErrorCode.INVALID_ADDRESS);
    }
}
