package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Delivering: credit, order, priority, selectors, topics. */
public abstract class DeliveryContract extends BrokerContract {
    @Test
    void aConsumerStartsWithoutCredit() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "waits");
        peer.awaitDone(peer.subscribe(Subscribe.to(1, ORDERS)));
        assertThat(peer.settledTexts(1)).isEmpty();

        peer.credit(1, 1);
        assertThat(Peer.texts(peer.awaitDeliveries(1, 1))).containsExactly("waits");
    }

    @Test
    void creditIsNeverExceededAndAddsUp() {
        Peer peer = peer();
        for (int i = 0; i < 20; i++) {
            peer.send(text(ORDERS, "m" + i));
        }
        peer.sync();
        peer.consume(1, ORDERS, 3);
        assertThat(peer.settledTexts(1)).containsExactly("m0", "m1", "m2");

        peer.settle(peer.received(1).get(0), Outcome.ACCEPTED);
        assertThat(peer.settledTexts(1)).as("settling gives no credit").hasSize(3);

        peer.credit(1, 2);
        peer.credit(1, 2);
        assertThat(peer.settledTexts(1)).hasSize(7).endsWith("m5", "m6");
    }

    @Test
    void creditForAnUnknownConsumerIsIgnored() {
        Peer peer = peer();
        peer.credit(42, 5);
        peer.sync();
    }

    @Test
    void deliveriesAreNumberedFromOnePerConsumer() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 10);
        peer.consume(2, BILLS, 10);
        peer.sendTexts(ORDERS, "a", "b");
        peer.sendTexts(BILLS, "c", "d");

        assertThat(peer.awaitDeliveries(1, 2)).extracting(Delivery::number).containsExactly(1L, 2L);
        assertThat(peer.awaitDeliveries(2, 2)).extracting(Delivery::number).containsExactly(1L, 2L);
    }

    @Test
    void aFirstDeliveryIsUnflaggedWithCountOne() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 10);
        peer.sendTexts(ORDERS, "new");
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        assertThat(delivery.redelivered()).isFalse();
        assertThat(delivery.deliveryCount()).isEqualTo(1);
    }

    @Test
    void twoConsumersShareAQueueAndNoMessageGoesToBoth() {
        Peer one = peer();
        Peer other = peer();
        one.consume(1, ORDERS, 100);
        other.consume(1, ORDERS, 100);
        Peer sender = peer();
        for (int i = 0; i < 100; i++) {
            sender.send(text(ORDERS, "m" + i));
        }
        sender.sync();
        List<String> all = new ArrayList<>(one.settledTexts(1));
        all.addAll(other.settledTexts(1));

        assertThat(all).hasSize(100).doesNotHaveDuplicates();
        assertThat(one.received(1)).as("both have a share").isNotEmpty();
        assertThat(other.received(1)).as("both have a share").isNotEmpty();
    }

    @Test
    void aConsumerWithoutCreditDoesNotHoldUpTheOther() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 1);
        peer.consume(2, ORDERS, 10);
        peer.sendTexts(ORDERS, "a", "b", "c", "d");
        assertThat(peer.settledTexts(1).size() + peer.settledTexts(2).size()).isEqualTo(4);
    }

    @Test
    void higherPriorityOvertakesAndEqualPriorityKeepsOrder() {
        Peer peer = peer();
        for (int i = 0; i < 10; i++) {
            peer.send(MessageBuilder.to(ORDERS)
                    .priority(i % 5)
                    .text(i % 5 + "-" + i)
                    .build());
        }
        peer.sync();
        peer.consume(1, ORDERS, 20);
        assertThat(peer.settledTexts(1))
                .containsExactly("4-4", "4-9", "3-3", "3-8", "2-2", "2-7", "1-1", "1-6", "0-0", "0-5");
    }

    @Test
    void aSelectorTakesItsMatchesAndLeavesTheRestInPlace() {
        Peer peer = peer();
        for (int i = 0; i < 10; i++) {
            peer.send(MessageBuilder.to(ORDERS)
                    .property("n", i)
                    .property("even", i % 2 == 0)
                    .text("m" + i)
                    .build());
        }
        peer.sync();
        peer.consume(new Subscribe(1, ORDERS, null, "even = TRUE AND n > 2", false), 10);
        assertThat(peer.settledTexts(1)).containsExactly("m4", "m6", "m8");

        peer.consume(2, ORDERS, 20);
        assertThat(peer.settledTexts(2)).containsExactly("m0", "m1", "m2", "m3", "m5", "m7", "m9");
    }

    @Test
    void aSelectorSeesHeaderFields() {
        Peer peer = peer();
        peer.send(
                MessageBuilder.to(ORDERS).priority(8).type("order").text("yes").build());
        peer.send(
                MessageBuilder.to(ORDERS).priority(3).type("order").text("low").build());
        peer.send(
                MessageBuilder.to(ORDERS).priority(8).type("bill").text("bill").build());
        peer.sync();
        peer.consume(new Subscribe(1, ORDERS, null, "JMSPriority > 5 AND JMSType = 'order'", false), 10);
        assertThat(peer.settledTexts(1)).containsExactly("yes");
    }

    @Test
    void anAbsentPropertyIsUnknownAndMatchesNeitherTestNorItsOpposite() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "bare");
        int consumer = 0;
        for (String selector : List.of("x = 1", "NOT (x = 1)", "x <> 1", "x NOT IN ('a')", "NOT (x + 1 > 0)")) {
            peer.consume(new Subscribe(++consumer, ORDERS, null, selector, false), 10);
            assertThat(peer.settledTexts(consumer)).as(selector).isEmpty();
        }
    }

    @Test
    void aSelectorThatDoesNotParseIsRefusedAndTheSessionGoesOn() {
        Peer peer = peer();
        for (String selector : List.of("(a='y' AND ( OR ))", "n > 4 AND", "a LIKE 5")) {
            Reply reply = peer.subscribe(new Subscribe(1, ORDERS, null, selector, false));
            assertThat(peer.awaitRefusal(reply)).as(selector).isEqualTo(ErrorCode.INVALID_SELECTOR);
        }
        peer.consume(1, ORDERS, 1);
        peer.sendTexts(ORDERS, "fine");
        assertThat(Peer.texts(peer.awaitDeliveries(1, 1))).containsExactly("fine");
    }

    @Test
    void aConsumerNumberInUseIsRefused() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 10);
        assertThat(peer.awaitRefusal(peer.subscribe(Subscribe.to(1, BILLS)))).isEqualTo(ErrorCode.DUPLICATE_CONSUMER);
        peer.sendTexts(ORDERS, "still for 1");
        assertThat(peer.settledTexts(1)).containsExactly("still for 1");
    }

    @Test
    void sessionsNumberTheirConsumersIndependently() {
        Peer peer = peer();
        Peer sibling = peer.sibling();
        peer.consume(1, ORDERS, 10);
        sibling.consume(1, BILLS, 10);
        peer.sendTexts(BILLS, "for the sibling");
        assertThat(sibling.settledTexts(1)).containsExactly("for the sibling");
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void aTopicGivesEachSubscriptionWhatIsSentAfterItAndNothingEarlier() {
        Peer sender = peer();
        sender.sendTexts(PRICES, "too early");
        Peer one = peer();
        Peer other = peer();
        one.consume(1, PRICES, 10);
        sender.sendTexts(PRICES, "first");
        other.consume(1, PRICES, 10);
        sender.sendTexts(PRICES, "second");

        assertThat(one.settledTexts(1)).containsExactly("first", "second");
        assertThat(other.settledTexts(1)).containsExactly("second");
        assertThat(one.received(1).get(1).position())
                .as("the same position in every queue that holds it")
                .isEqualTo(other.received(1).get(0).position());
    }

    @Test
    void twoSubscriptionsOfOneSessionEachGetACopy() {
        Peer peer = peer();
        peer.consume(1, PRICES, 10);
        peer.consume(2, PRICES, 10);
        peer.sendTexts(PRICES, "twice");
        assertThat(peer.settledTexts(1)).containsExactly("twice");
        assertThat(peer.settledTexts(2)).containsExactly("twice");
        peer.awaitDone(peer.settle(peer.received(1).get(0), Outcome.ACCEPTED));
        peer.awaitDone(peer.settle(peer.received(2).get(0), Outcome.ACCEPTED));
    }

    @Test
    void aTopicWithoutSubscriptionsTakesMessagesAndKeepsNone() {
        Peer peer = peer();
        peer.sendTexts(PRICES, "heard by nobody");
        peer.consume(1, PRICES, 10);
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void aTopicSubscriptionWithASelectorGetsItsMatches() {
        Peer peer = peer();
        peer.consume(new Subscribe(1, PRICES, null, "symbol = 'A'", false), 10);
        peer.send(MessageBuilder.to(PRICES).property("symbol", "A").text("a").build());
        peer.send(MessageBuilder.to(PRICES).property("symbol", "B").text("b").build());
        assertThat(peer.settledTexts(1)).containsExactly("a");
    }

    @Test
    void noLocalLeavesOutWhatTheOwnConnectionSends() {
        Peer peer = peer();
        Peer sibling = peer.sibling();
        Peer stranger = peer();
        peer.consume(new Subscribe(1, PRICES, null, null, true), 10);
        peer.sendTexts(PRICES, "own session");
        sibling.sendTexts(PRICES, "own connection");
        stranger.sendTexts(PRICES, "stranger");
        assertThat(peer.settledTexts(1)).containsExactly("stranger");
    }

    @Test
    void theWakeUpCallsForADrainThatFindsSomething() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 100);
        peer.sync();
        assertThat(peer.drain()).isZero();
        int before = peer.wakeups();

        Peer sender = peer();
        sender.sendTexts(ORDERS, "a", "b", "c");

        peer.await("a wake-up", () -> peer.wakeups() > before);
        assertThat(peer.awaitDeliveries(1, 3)).hasSize(3);
    }

    @Test
    void theWakeUpComesOnceUntilADrainHasFoundNothingMore() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 100);
        peer.sync();
        assertThat(peer.drain()).isZero();
        int before = peer.wakeups();

        Peer sender = peer();
        for (int i = 0; i < 10; i++) {
            sender.sendTexts(ORDERS, "m" + i);
        }

        assertThat(peer.wakeups() - before).isEqualTo(1);
        assertThat(peer.awaitDeliveries(1, 10)).hasSize(10);
    }

    @Test
    void aDrainHandsOutNoMoreThanItIsAskedFor() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 100);
        Peer sender = peer();
        for (int i = 0; i < 30; i++) {
            sender.send(text(ORDERS, "m" + i));
        }
        sender.sync();
        List<Delivery> taken = new ArrayList<>();
        Set<Integer> sizes = new HashSet<>();
        peer.sibling().sync();
        while (taken.size() < 30) {
            host().pump();
            int before = taken.size();
            int count = peer.session().drain(new Taking(taken), 7);
            assertThat(count).isEqualTo(taken.size() - before).isLessThanOrEqualTo(7);
            sizes.add(count);
        }
        assertThat(Peer.texts(taken)).startsWith("m0", "m1").endsWith("m29");
        assertThat(sizes).contains(7);
    }

    @Test
    void aQueueKeepsWhatComesWhileNobodyConsumes() {
        Peer peer = peer();
        Address queue = Address.queue("a.name.with.levels");
        peer.sendTexts(queue, "one", "two");
        peer.consume(1, queue, 10);
        assertThat(peer.settledTexts(1)).containsExactly("one", "two");
    }
}
