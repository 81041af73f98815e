package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import org.junit.jupiter.api.Test;

/** The time of delivery (Jakarta Messaging 3.1 §7.9). */
final class DelayTest {
    private final TestBroker broker = new TestBroker();
    private final TestSession session = broker.session();

    private Message in(long delayMs, String text) {
        return TestSession.text("q", text)
                .deliveryTimeMs(broker.nowMs + delayMs)
                .build();
    }

    @Test
    void aMessageIsDeliveredAtItsTimeAndNotBefore() {
        session.subscribe(1, "q", 10);
        session.send(in(1_000, "late"));
        session.send(in(500, "earlier"));
        session.send("q", "now");
        assertThat(session.texts()).containsExactly("now");
        assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 500);
        broker.nowMs += 499;
        assertThat(session.texts()).isEmpty();
        broker.nowMs += 1;
        assertThat(session.texts()).containsExactly("earlier");
        broker.nowMs += 500;
        assertThat(session.texts()).containsExactly("late");
        assertThat(broker.engine.dueMs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aMessageWhoseTimeHasPassedIsDeliveredAtOnceAndInItsPlace() {
        session.send(in(100, "a"));
        session.send("q", "b");
        broker.settle();
        broker.nowMs += 100;
        session.subscribe(1, "q", 10);
        assertThat(session.texts()).containsExactly("a", "b");
    }

    @Test
    void aMessageWhoseTimeHasComeWhenItIsSentIsNotLate() {
        session.subscribe(1, "q", 10);
        session.send(in(0, "a"));
        session.send("q", "b");
        assertThat(session.texts()).containsExactly("a", "b");
    }

    @Test
    void aDelaySurvivesACrashAndWhatStillWaitedIsNotFlagged() {
        session.send(in(1_000, "late"));
        session.send("q", "now");
        session.subscribe(1, "q", 10);
        assertThat(session.texts()).containsExactly("now");
        broker.crash();
        TestSession next = broker.session();
        next.subscribe(1, "q", 10);
        assertThat(next.receive()).extracting(Delivery::redelivered).containsExactly(true);
        broker.nowMs += 1_000;
        Delivery late = next.receive().get(0);
        assertThat(late.message().text()).isEqualTo("late");
        assertThat(late.redelivered()).isFalse();
        next.settle(late, Outcome.MODIFIED);
        broker.settle();
        broker.crash();
        TestSession third = broker.session();
        third.subscribe(1, "q", 10);
        assertThat(third.receive())
                .filteredOn(d -> "late".equals(d.message().text()))
                .extracting(Delivery::deliveryCount)
                .containsExactly(2);
    }

    @Test
    void aMessageThatExpiresBeforeItsTimeIsNeverDelivered() {
        session.subscribe(1, "q", 10);
        session.send(TestSession.text("q", "m")
                .deliveryTimeMs(broker.nowMs + 100)
                .expiryMs(broker.nowMs + 50)
                .build());
        broker.settle();
        broker.nowMs += 200;
        assertThat(session.texts()).isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aSubscriptionGetsADelayedMessageOnlyIfItExistedWhenThatWasSent() {
        Address topic = Address.topic("t");
        session.subscribe(Subscribe.to(1, topic), 10);
        session.send(MessageBuilder.to(topic)
                .deliveryTimeMs(broker.nowMs + 100)
                .text("m")
                .build());
        session.subscribe(Subscribe.to(2, topic), 10);
        broker.settle();
        broker.nowMs += 100;
        assertThat(session.receive()).extracting(Delivery::consumer).containsExactly(1);
    }

    @Test
    void whatWaitsInAQueueThatEndsIsForgotten() {
        Address topic = Address.topic("t");
        for (int i = 0; i < 3_000; i++) {
            session.subscribe(Subscribe.to(1, topic), 10);
            session.send(MessageBuilder.to(topic)
                    .persistent(false)
                    .deliveryTimeMs(broker.nowMs + 100_000)
                    .build());
            TestSession.Result ended = new TestSession.Result();
            session.port.unsubscribe(1, 0, ended);
            session.flushed(ended);
        }
        assertThat(broker.engine.memoryUsed()).isZero();
        broker.nowMs += 100_000;
        assertThat(session.receive()).isEmpty();
    }

    @Test
    void aDelayBeforeTheNextAttemptOutlivesACrash() {
        TestBroker slow = new TestBroker(AddressRules.DEFAULTS.with("q", AddressSetting.REDELIVERY_DELAY_MS, 60_000));
        TestSession session = slow.session();
        session.send("q", "m");
        session.subscribe(1, "q", 1);
        session.settle(session.receive().get(0), Outcome.MODIFIED);
        slow.settle();
        slow.nowMs += 10_000;
        slow.crash();
        TestSession next = slow.session();
        next.subscribe(1, "q", 1);
        assertThat(next.receive()).isEmpty();
        slow.nowMs += 49_999;
        assertThat(next.receive()).isEmpty();
        slow.nowMs += 1;
        assertThat(next.receive()).singleElement().satisfies(delivery -> {
            assertThat(delivery.redelivered()).isTrue();
            assertThat(delivery.deliveryCount()).isEqualTo(2);
        });
    }
}
