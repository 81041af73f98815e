package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BrowseTest {
    private static final Address Q = Address.queue("q");

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.TURN_SCAN, 8));
    private final TestSession session = broker.session();

    private void send(int from, int to) {
        for (int i = from; i <= to; i++) {
            session.send(TestSession.text("q", "m" + i)
                    .type(i % 2 == 0 ? "even" : "odd")
                    .build());
        }
        broker.settle();
    }

    @Test
    void aBrowserIsShownWhatWaitsInOrderAndTakesNothing() {
        send(1, 5);
        TestSession browser = broker.session();
        browser.subscribe(Subscribe.browse(1, Q, null), 100);
        broker.settle();
        browser.drain();
        assertThat(browser.events).hasSize(6);
        assertThat(browser.events.get(5)).isEqualTo("end of 1");
        List<Delivery> shown = browser.receive();
        assertThat(shown).extracting(d -> d.message().text()).containsExactly("m1", "m2", "m3", "m4", "m5");
        TestSession.Result settled = browser.settle(shown.get(0), Outcome.ACCEPTED);
        browser.receive();
        assertThat(settled.code()).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        session.subscribe(1, "q", 10);
        assertThat(session.receive()).hasSize(5).noneMatch(Delivery::redelivered);
    }

    @Test
    void aBrowserEndsWhereTheQueueEndedWhenItBegan() {
        send(1, 3);
        TestSession browser = broker.session();
        browser.subscribe(Subscribe.browse(1, Q, null), 2);
        assertThat(browser.texts()).containsExactly("m1", "m2");
        send(4, 40);
        browser.port.credit(1, 100);
        browser.flushed(new TestSession.Result());
        broker.settle();
        browser.drain();
        assertThat(browser.events).hasSize(2).contains("end of 1");
        assertThat(browser.texts()).containsExactly("m3");
        browser.port.credit(1, 100);
        browser.flushed(new TestSession.Result());
        assertThat(browser.receive()).isEmpty();
    }

    @Test
    void aBrowserOfAnEmptyQueueEndsAtOnceAndLeavesNothingBehind() {
        TestSession browser = broker.session();
        browser.subscribe(Subscribe.browse(1, Q, null), 1);
        broker.settle();
        browser.drain();
        assertThat(browser.events).containsExactly("end of 1");
    }

    @Test
    void aBrowserWithASelectorIsShownWhatMatchesHoweverManyOthersLieBetween() {
        send(1, 60);
        TestSession browser = broker.session();
        browser.subscribe(Subscribe.browse(1, Q, "JMSType = 'even' AND JMSPriority = 4"), 100);
        broker.settle();
        browser.drain();
        assertThat(browser.events).hasSize(31).contains("end of 1");
    }

    @Test
    void whatIsWithAConsumerOrDelayedIsNotShownAndNothingIsShownTwice() {
        send(1, 4);
        session.send(TestSession.text("q", "later")
                .deliveryTimeMs(broker.nowMs + 1_000)
                .build());
        session.subscribe(1, "q", 2);
        List<Delivery> taken = session.receive();
        TestSession browser = broker.session();
        browser.subscribe(Subscribe.browse(1, Q, null), 1);
        assertThat(browser.texts()).containsExactly("m3");
        session.settle(taken.get(0), Outcome.RELEASED);
        browser.port.credit(1, 10);
        browser.flushed(new TestSession.Result());
        assertThat(browser.texts()).containsExactly("m4");
    }

    @Test
    void aBrowserIsShownAllThatIsDueAlsoIfMoreIsDueThanATurnReleases() {
        TestBroker slow = new TestBroker(Limits.DEFAULTS.with(Limit.TURN_DELIVERIES, 2));
        TestSession sender = slow.session();
        for (int i = 1; i <= 7; i++) {
            sender.send(TestSession.text("q", "m" + i)
                    .deliveryTimeMs(slow.nowMs + 1_000 - i)
                    .build());
        }
        slow.settle();
        TestSession browser = slow.session();
        slow.nowMs += 1_000;
        browser.subscribe(Subscribe.browse(1, Q, null), 100);
        slow.settle();
        browser.drain();
        assertThat(browser.events).hasSize(8).contains("end of 1");
    }
}
