package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settling, recalling and what is honest about a redelivery. */
public abstract class SettleContract extends BrokerContract {
    @Test
    void anAcceptedMessageIsGone() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b");
        peer.consume(1, ORDERS, 10);
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 2).get(0), Outcome.ACCEPTED));
        peer.awaitDone(peer.unsubscribe(1, 0));

        peer.consume(2, ORDERS, 10);
        assertThat(peer.settledTexts(2)).containsExactly("b");
    }

    @Test
    void aReleasedMessageReturnsToItsPlaceUnflaggedAndUncounted() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b", "c");
        peer.consume(1, ORDERS, 2);
        Delivery first = peer.awaitDeliveries(1, 2).get(0);
        peer.awaitDone(peer.settle(first, Outcome.RELEASED));

        peer.credit(1, 2);

        List<Delivery> received = peer.awaitDeliveries(1, 4);
        assertThat(Peer.texts(received)).containsExactly("a", "b", "a", "c");
        Delivery again = received.get(2);
        assertThat(again.position()).isEqualTo(first.position());
        assertThat(again.redelivered()).isFalse();
        assertThat(again.deliveryCount()).isEqualTo(1);
        assertThat(again.number()).isEqualTo(3);
    }

    @Test
    void aModifiedMessageReturnsToItsPlaceFlaggedAndCounted() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b");
        peer.consume(1, ORDERS, 1);
        for (int attempt = 1; attempt <= 3; attempt++) {
            Delivery delivery = peer.awaitDeliveries(1, attempt).get(attempt - 1);
            assertThat(delivery.message().text()).isEqualTo("a");
            assertThat(delivery.redelivered()).isEqualTo(attempt > 1);
            assertThat(delivery.deliveryCount()).isEqualTo(attempt);
            peer.awaitDone(peer.settle(delivery, Outcome.MODIFIED));
            peer.credit(1, 1);
        }
    }

    @Test
    void countedAttemptsSurviveARestart() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 1).get(0), Outcome.MODIFIED));
        peer.credit(1, 1);
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 2).get(1), Outcome.MODIFIED));

        host().restart();

        Peer again = peer();
        again.consume(1, ORDERS, 1);
        Delivery delivery = again.awaitDeliveries(1, 1).get(0);
        assertThat(delivery.redelivered()).isTrue();
        assertThat(delivery.deliveryCount()).isEqualTo(3);
    }

    @Test
    void aRejectedMessageIsNeverDeliveredAgain() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "poison", "food");
        peer.consume(1, ORDERS, 2);
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 2).get(0), Outcome.REJECTED));
        peer.awaitDone(peer.unsubscribe(1, 0));
        peer.consume(2, ORDERS, 10);
        assertThat(peer.settledTexts(2)).containsExactly("food");

        host().restart();

        Peer again = peer();
        again.consume(1, ORDERS, 10);
        assertThat(again.settledTexts(1)).containsExactly("food");
    }

    @Test
    void aRangeSettlesItsUnsettledDeliveriesOfThatConsumerOnly() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b", "c", "d", "e");
        peer.sendTexts(BILLS, "x", "y");
        peer.consume(1, ORDERS, 10);
        peer.consume(2, BILLS, 10);
        peer.awaitDeliveries(1, 5);
        peer.awaitDeliveries(2, 2);
        peer.awaitDone(peer.settle(peer.received(1).get(1), Outcome.ACCEPTED));

        peer.awaitDone(peer.settle(new Settle(1, 1, 4, Outcome.ACCEPTED, Session.NO_TRANSACTION)));
        peer.lose();

        Peer again = peer();
        again.consume(1, ORDERS, 10);
        again.consume(2, BILLS, 10);
        assertThat(again.settledTexts(1)).containsExactly("e");
        assertThat(again.settledTexts(2)).containsExactly("x", "y");
    }

    @Test
    void aRangeMayReachBeyondWhatWasDelivered() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b");
        peer.consume(1, ORDERS, 1);
        peer.awaitDeliveries(1, 1);
        peer.awaitDone(peer.settle(new Settle(1, 1, 100, Outcome.ACCEPTED, Session.NO_TRANSACTION)));
        peer.credit(1, 1);
        assertThat(Peer.texts(peer.awaitDeliveries(1, 2))).containsExactly("a", "b");
    }

    @Test
    void aDeliveryThatIsUnknownOrSettledIsRefusedAndTheSessionGoesOn() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b");
        peer.consume(1, ORDERS, 2);
        Delivery first = peer.awaitDeliveries(1, 2).get(0);
        peer.awaitDone(peer.settle(first, Outcome.ACCEPTED));

        assertThat(peer.awaitRefusal(peer.settle(first, Outcome.ACCEPTED))).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        assertThat(peer.awaitRefusal(peer.settle(new Settle(1, 99, 99, Outcome.ACCEPTED, Session.NO_TRANSACTION))))
                .isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        peer.awaitDone(peer.settle(peer.received(1).get(1), Outcome.ACCEPTED));
    }

    @Test
    void settlingForAConsumerThatNeverWasIsRefused() {
        Peer peer = peer();
        assertThat(peer.awaitRefusal(peer.settle(new Settle(7, 1, 1, Outcome.ACCEPTED, Session.NO_TRANSACTION))))
                .isIn(ErrorCode.NO_SUCH_CONSUMER, ErrorCode.NO_SUCH_DELIVERY);
        peer.sync();
    }

    @Test
    void aRecallReturnsTheUnseenInTheirPlaceUnflagged() {
        Peer one = peer();
        Peer other = peer();
        for (int i = 1; i <= 20; i++) {
            one.send(text(ORDERS, "m" + i));
        }
        one.sync();
        one.consume(1, ORDERS, 10);
        one.awaitDeliveries(1, 10);

        one.awaitDone(one.recall(1, 4));
        other.consume(1, ORDERS, 100);

        assertThat(other.settledTexts(1)).hasSize(16).startsWith("m5", "m6").endsWith("m19", "m20");
        assertThat(other.received(1)).noneMatch(Delivery::redelivered).allMatch(d -> d.deliveryCount() == 1);
        assertThat(one.settledTexts(1)).as("its credit is zero").hasSize(10);
    }

    @Test
    void whatWasSeenBeforeARecallStaysAndCanBeSettled() {
        Peer one = peer();
        one.sendTexts(ORDERS, "a", "b", "c");
        one.consume(1, ORDERS, 10);
        one.awaitDeliveries(1, 3);
        one.awaitDone(one.recall(1, 2));

        one.awaitDone(one.settle(one.received(1).get(0), Outcome.ACCEPTED));
        one.awaitDone(one.settle(one.received(1).get(1), Outcome.ACCEPTED));
        assertThat(one.awaitRefusal(one.settle(one.received(1).get(2), Outcome.ACCEPTED)))
                .isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
    }

    @Test
    void aRecalledConsumerGoesOnWithNewCreditAndNewNumbers() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b", "c");
        peer.consume(1, ORDERS, 10);
        peer.awaitDeliveries(1, 3);
        peer.awaitDone(peer.recall(1, 1));

        peer.credit(1, 2);

        List<Delivery> received = peer.awaitDeliveries(1, 5);
        assertThat(Peer.texts(received)).containsExactly("a", "b", "c", "b", "c");
        assertThat(received).extracting(Delivery::number).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void deliveriesThatWereOnTheirWayWhenARecallCameAreVoid() {
        Peer one = peer();
        one.sendTexts(ORDERS, "a", "b", "c");
        one.awaitDone(one.subscribe(Subscribe.to(1, ORDERS)));
        one.credit(1, 2);
        Reply recall = one.recall(1, 0);
        one.awaitDone(recall);
        int handedOut = one.received(1).size();

        Peer other = peer();
        other.consume(1, ORDERS, 10);
        assertThat(other.settledTexts(1)).containsExactly("a", "b", "c");
        assertThat(other.received(1)).noneMatch(Delivery::redelivered);
        one.sync();
        assertThat(one.received(1)).as("nothing comes after the recall").hasSize(handedOut);
    }

    @Test
    void recallingAnUnknownConsumerIsRefused() {
        Peer peer = peer();
        assertThat(peer.awaitRefusal(peer.recall(9, 0))).isEqualTo(ErrorCode.NO_SUCH_CONSUMER);
        assertThat(peer.awaitRefusal(peer.unsubscribe(9, 0))).isEqualTo(ErrorCode.NO_SUCH_CONSUMER);
    }

    /** J09. */
    @Test
    void aConsumerThatClosesGivesTheUnseenToTheNextInOrderAndUnflagged() {
        Peer first = peer();
        for (int i = 1; i <= 100; i++) {
            first.send(text(ORDERS, "m" + i));
        }
        first.sync();
        first.consume(1, ORDERS, 100);
        first.awaitDeliveries(1, 100);
        first.awaitDone(first.settle(new Settle(1, 1, 10, Outcome.ACCEPTED, Session.NO_TRANSACTION)));
        first.awaitDone(first.unsubscribe(1, 10));
        first.awaitDone(first.close());

        Peer second = peer();
        second.consume(1, ORDERS, 100);

        List<Delivery> received = second.awaitDeliveries(1, 90);
        assertThat(Peer.texts(received)).startsWith("m11", "m12").endsWith("m99", "m100");
        assertThat(received).noneMatch(Delivery::redelivered).allMatch(d -> d.deliveryCount() == 1);
    }

    @Test
    void returnedMessagesTakeTheirPlaceBeforeWhatCameLater() {
        Peer one = peer();
        Peer other = peer();
        one.sendTexts(ORDERS, "a", "b", "c");
        one.consume(1, ORDERS, 3);
        one.awaitDeliveries(1, 3);
        one.sendTexts(ORDERS, "d", "e");
        one.awaitDone(one.settle(one.received(1).get(2), Outcome.MODIFIED));
        one.awaitDone(one.settle(one.received(1).get(0), Outcome.MODIFIED));

        other.consume(1, ORDERS, 10);
        assertThat(other.settledTexts(1)).containsExactly("a", "c", "d", "e");
    }

    @Test
    void anEndedConsumerMayStillSettleWhatItHadSeen() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b");
        peer.consume(1, ORDERS, 2);
        peer.awaitDeliveries(1, 2);
        peer.awaitDone(peer.unsubscribe(1, 2));
        peer.awaitDone(peer.settle(peer.received(1).get(0), Outcome.ACCEPTED));
        peer.awaitDone(peer.settle(peer.received(1).get(1), Outcome.MODIFIED));

        Peer other = peer();
        other.consume(1, ORDERS, 5);
        assertThat(other.settledTexts(1)).containsExactly("b");
    }

    @Test
    void aClosedSessionReturnsTheUnsettledFlaggedButUncounted() {
        Peer first = peer();
        first.sendTexts(ORDERS, "a", "b");
        first.consume(1, ORDERS, 1);
        first.awaitDeliveries(1, 1);
        first.awaitDone(first.close());

        Peer second = peer();
        second.consume(1, ORDERS, 10);
        List<Delivery> received = second.awaitDeliveries(1, 2);
        assertThat(Peer.texts(received)).containsExactly("a", "b");
        assertThat(received).extracting(Delivery::redelivered).containsExactly(true, false);
        assertThat(received).extracting(Delivery::deliveryCount).containsExactly(2, 1);
    }

    @Test
    void aLossCountsNoAttemptHoweverOftenItHappens() {
        peer().sendTexts(ORDERS, "a");
        for (int i = 0; i < 5; i++) {
            Peer peer = peer();
            peer.consume(1, ORDERS, 1);
            Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
            assertThat(delivery.redelivered()).isEqualTo(i > 0);
            assertThat(delivery.deliveryCount()).isEqualTo(i > 0 ? 2 : 1);
            peer.lose();
        }
    }

    @Test
    void anOrderlyRestartDoesNotFlagWhatWasNeverDelivered() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b", "c");
        peer.consume(1, ORDERS, 1);
        peer.awaitDeliveries(1, 1);

        host().restart();

        Peer again = peer();
        again.consume(1, ORDERS, 10);
        assertThat(again.awaitDeliveries(1, 3))
                .extracting(Delivery::redelivered)
                .containsExactly(true, false, false);
    }

    @Test
    void aSettleIsConfirmedInItsPlaceAmongSends() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        int before = peer.heard().size();
        Reply send = peer.send(text(BILLS, "x"));
        Reply settle = peer.settle(delivery, Outcome.ACCEPTED);
        Reply fleeting = peer.send(fleeting(BILLS, "y"));
        peer.sync();
        assertThat(peer.heard().subList(before, before + 3)).containsExactly(send, settle, fleeting);
    }

    @Test
    void fleetingMessagesAreRedeliveredHonestlyToo() {
        Peer peer = peer();
        peer.awaitDone(peer.send(fleeting(ORDERS, "a")));
        peer.consume(1, ORDERS, 1);
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 1).get(0), Outcome.MODIFIED));
        peer.credit(1, 1);
        Delivery again = peer.awaitDeliveries(1, 2).get(1);
        assertThat(again.redelivered()).isTrue();
        assertThat(again.deliveryCount()).isEqualTo(2);
    }

    @Test
    void aReleasedMessageGoesToAnotherConsumerWhoseSelectorMatches() {
        Peer peer = peer();
        peer.awaitDone(
                peer.send(MessageBuilder.to(ORDERS).property("n", 1).text("a").build()));
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        peer.consume(new Subscribe(2, ORDERS, null, "n = 2", false), 1);
        peer.consume(new Subscribe(3, ORDERS, null, "n = 1", false), 1);
        peer.awaitDone(peer.settle(delivery, Outcome.RELEASED));
        assertThat(peer.settledTexts(2)).isEmpty();
        assertThat(peer.settledTexts(3)).containsExactly("a");
    }
}
