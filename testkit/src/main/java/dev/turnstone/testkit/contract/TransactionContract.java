package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Local transactions: one unit over several queues and topics. */
public abstract class TransactionContract extends BrokerContract {
    /** A body is in one piece, or refused. */
    @Override
    Map<String, String> limits() {
        return Map.of("message.largeBytesMax", "0");
    }

    @Test
    void sendsAndSettlesTakeEffectTogetherAtCommit() {
        Peer worker = peer();
        Peer observer = peer();
        worker.sendTexts(ORDERS, "order");
        observer.consume(1, BILLS, 10);
        observer.consume(2, PRICES, 10);
        worker.consume(1, ORDERS, 1);
        Delivery order = worker.awaitDeliveries(1, 1).get(0);

        worker.awaitDone(worker.begin(1));
        worker.awaitDone(worker.settle(order, Outcome.ACCEPTED, 1));
        worker.awaitDone(worker.send(text(BILLS, "bill"), 1));
        worker.awaitDone(worker.send(text(PRICES, "price"), 1));
        assertThat(observer.settledTexts(1)).isEmpty();
        assertThat(observer.settledTexts(2)).isEmpty();

        worker.awaitDone(worker.commit(1));

        assertThat(observer.settledTexts(1)).containsExactly("bill");
        assertThat(observer.settledTexts(2)).containsExactly("price");
        worker.lose();
        Peer next = peer();
        next.consume(1, ORDERS, 10);
        assertThat(next.settledTexts(1)).isEmpty();
    }

    @Test
    void aCommittedUnitSurvivesARestart() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "order");
        peer.consume(1, ORDERS, 1);
        Delivery order = peer.awaitDeliveries(1, 1).get(0);
        peer.begin(1);
        peer.settle(order, Outcome.ACCEPTED, 1);
        peer.send(text(BILLS, "bill"), 1);
        peer.awaitDone(peer.commit(1));

        host().restart();

        Peer again = peer();
        again.consume(1, ORDERS, 10);
        again.consume(2, BILLS, 10);
        assertThat(again.settledTexts(1)).isEmpty();
        assertThat(again.settledTexts(2)).containsExactly("bill");
    }

    @Test
    void anOpenTransactionIsRolledBackByARestart() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "order");
        peer.consume(1, ORDERS, 1);
        Delivery order = peer.awaitDeliveries(1, 1).get(0);
        peer.begin(1);
        peer.settle(order, Outcome.ACCEPTED, 1);
        peer.awaitDone(peer.send(text(BILLS, "bill"), 1));

        host().restart();

        Peer again = peer();
        again.consume(1, ORDERS, 10);
        again.consume(2, BILLS, 10);
        assertThat(again.settledTexts(1)).containsExactly("order");
        assertThat(again.received(1).get(0).redelivered()).isTrue();
        assertThat(again.settledTexts(2)).isEmpty();
    }

    @Test
    void aRollbackDropsSendsAndReturnsSettledDeliveriesInPlaceFlaggedAndCounted() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b", "c", "d");
        peer.consume(1, ORDERS, 3);
        List<Delivery> received = peer.awaitDeliveries(1, 3);
        peer.begin(1);
        peer.settle(received.get(2), Outcome.ACCEPTED, 1);
        peer.settle(received.get(0), Outcome.ACCEPTED, 1);
        peer.send(text(BILLS, "bill"), 1);
        peer.awaitDone(peer.rollback(1));

        peer.credit(1, 10);

        List<Delivery> again = peer.awaitDeliveries(1, 6).subList(3, 6);
        assertThat(Peer.texts(again)).containsExactly("a", "c", "d");
        assertThat(again).extracting(Delivery::redelivered).containsExactly(true, true, false);
        assertThat(again).extracting(Delivery::deliveryCount).containsExactly(2, 2, 1);
        peer.consume(2, BILLS, 10);
        assertThat(peer.settledTexts(2)).isEmpty();
    }

    @Test
    void everyRollbackCountsOneAttempt() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        for (int attempt = 1; attempt <= 4; attempt++) {
            Delivery delivery = peer.awaitDeliveries(1, attempt).get(attempt - 1);
            assertThat(delivery.deliveryCount()).isEqualTo(attempt);
            peer.begin(attempt);
            peer.settle(delivery, Outcome.ACCEPTED, attempt);
            peer.awaitDone(peer.rollback(attempt));
            peer.credit(1, 1);
        }
    }

    @Test
    void closingTheSessionRollsBackWithoutCountingAnAttempt() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        for (int round = 0; round < 3; round++) {
            Peer worker = peer();
            worker.consume(1, ORDERS, 1);
            Delivery delivery = worker.awaitDeliveries(1, 1).get(0);
            assertThat(delivery.deliveryCount()).isEqualTo(round == 0 ? 1 : 2);
            assertThat(delivery.redelivered()).isEqualTo(round > 0);
            worker.begin(1);
            worker.settle(delivery, Outcome.ACCEPTED, 1);
            worker.awaitDone(worker.send(text(BILLS, "never"), 1));
            worker.awaitDone(worker.close());
        }
        peer.consume(1, BILLS, 10);
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void aLostConnectionRollsBack() {
        Peer worker = peer();
        worker.begin(1);
        worker.awaitDone(worker.send(text(BILLS, "never"), 1));
        worker.lose();

        Peer peer = peer();
        peer.consume(1, BILLS, 10);
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void aMessageSettledInATransactionGoesToNobodyElse() {
        Peer worker = peer();
        worker.sendTexts(ORDERS, "a", "b");
        worker.consume(1, ORDERS, 1);
        Delivery delivery = worker.awaitDeliveries(1, 1).get(0);
        worker.begin(1);
        worker.awaitDone(worker.settle(delivery, Outcome.ACCEPTED, 1));
        worker.awaitDone(worker.unsubscribe(1, 1));

        Peer other = peer();
        other.consume(1, ORDERS, 10);
        assertThat(other.settledTexts(1)).containsExactly("b");

        worker.awaitDone(worker.rollback(1));
        assertThat(other.settledTexts(1)).containsExactly("b", "a");
    }

    @Test
    void transactionsOfOneSessionInterleave() {
        Peer peer = peer();
        peer.begin(1);
        peer.begin(2);
        peer.send(text(ORDERS, "one"), 1);
        peer.send(text(ORDERS, "two"), 2);
        peer.send(text(ORDERS, "alone"));
        peer.awaitDone(peer.rollback(1));
        peer.awaitDone(peer.send(text(ORDERS, "two again"), 2));
        peer.awaitDone(peer.commit(2));

        peer.consume(1, ORDERS, 10);
        assertThat(peer.settledTexts(1)).containsExactly("alone", "two", "two again");
    }

    @Test
    void aTransactionsSendsKeepTheirOrderAndTakeTheirPlaceAtCommit() {
        Peer early = peer();
        Peer late = peer();
        early.begin(1);
        for (int i = 0; i < 5; i++) {
            early.send(text(ORDERS, "tx" + i), 1);
        }
        early.sync();
        late.sendTexts(ORDERS, "meanwhile");
        early.awaitDone(early.commit(1));

        late.consume(1, ORDERS, 10);
        assertThat(late.settledTexts(1)).containsExactly("meanwhile", "tx0", "tx1", "tx2", "tx3", "tx4");
    }

    @Test
    void aDeliveryCannotBeSettledTwiceNotEvenInAnotherTransaction() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        peer.begin(1);
        peer.begin(2);
        peer.awaitDone(peer.settle(delivery, Outcome.ACCEPTED, 1));
        assertThat(peer.awaitRefusal(peer.settle(delivery, Outcome.ACCEPTED, 2)))
                .isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        assertThat(peer.awaitRefusal(peer.settle(delivery, Outcome.ACCEPTED))).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        peer.awaitDone(peer.rollback(2));
        peer.awaitDone(peer.commit(1));
    }

    @Test
    void aRangeInATransactionSkipsWhatIsSettled() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b", "c");
        peer.consume(1, ORDERS, 3);
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 3).get(0), Outcome.ACCEPTED));
        peer.begin(1);
        peer.awaitDone(peer.settle(new Settle(1, 1, 3, Outcome.ACCEPTED, 1)));
        peer.awaitDone(peer.rollback(1));
        peer.credit(1, 5);
        assertThat(Peer.texts(peer.awaitDeliveries(1, 5)).subList(3, 5)).containsExactly("b", "c");
    }

    @Test
    void onlyAcceptedAndRejectedAreAllowedInATransaction() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        peer.begin(1);
        peer.awaitRefusal(peer.settle(delivery, Outcome.RELEASED, 1));
        peer.awaitRefusal(peer.settle(delivery, Outcome.MODIFIED, 1));
        peer.awaitDone(peer.rollback(1));
        peer.begin(2);
        peer.awaitDone(peer.settle(delivery, Outcome.REJECTED, 2));
        peer.awaitDone(peer.commit(2));
        peer.consume(2, ORDERS, 1);
        assertThat(peer.settledTexts(2)).isEmpty();
    }

    @Test
    void unknownAndDoubleNumbersAreRefusedAndTheSessionGoesOn() {
        Peer peer = peer();
        assertThat(peer.awaitRefusal(peer.commit(5))).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        assertThat(peer.awaitRefusal(peer.rollback(5))).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        assertThat(peer.awaitRefusal(peer.send(text(ORDERS, "x"), 5))).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        peer.awaitDone(peer.begin(5));
        peer.awaitDone(peer.send(text(ORDERS, "y"), 5));
        peer.awaitDone(peer.commit(5));
        assertThat(peer.awaitRefusal(peer.commit(5))).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        peer.awaitDone(peer.begin(6));
        assertThat(peer.awaitRefusal(peer.begin(6))).isEqualTo(ErrorCode.DUPLICATE_TRANSACTION);
        peer.awaitDone(peer.rollback(6));
        peer.consume(1, ORDERS, 5);
        assertThat(peer.settledTexts(1)).containsExactly("y");
    }

    @Test
    void aRefusedSendMakesTheCommitFailAndUndoesTheWhole() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "order");
        peer.consume(1, ORDERS, 1);
        Delivery order = peer.awaitDeliveries(1, 1).get(0);
        int max = peer.connection().limits().messageBytesMax();
        peer.begin(1);
        peer.awaitDone(peer.settle(order, Outcome.ACCEPTED, 1));
        peer.awaitDone(peer.send(text(BILLS, "half"), 1));
        assertThat(peer.awaitRefusal(peer.send(
                        MessageBuilder.to(BILLS).bytes(new byte[max + 1]).build(), 1)))
                .isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);

        assertThat(peer.awaitRefusal(peer.commit(1))).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);

        assertThat(peer.awaitRefusal(peer.rollback(1))).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        peer.credit(1, 1);
        Delivery again = peer.awaitDeliveries(1, 2).get(1);
        assertThat(again.message().text()).isEqualTo("order");
        assertThat(again.redelivered()).isTrue();
        assertThat(again.deliveryCount()).isEqualTo(2);
        peer.consume(2, BILLS, 10);
        assertThat(peer.settledTexts(2)).isEmpty();
    }

    @Test
    void aRefusedSettleMakesTheCommitFailAndUndoesTheWhole() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        peer.awaitDone(peer.settle(delivery, Outcome.ACCEPTED));
        peer.begin(1);
        peer.awaitDone(peer.send(text(BILLS, "half"), 1));
        assertThat(peer.awaitRefusal(peer.settle(delivery, Outcome.ACCEPTED, 1)))
                .isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        assertThat(peer.awaitRefusal(peer.commit(1))).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        peer.consume(2, BILLS, 10);
        assertThat(peer.settledTexts(2)).isEmpty();
    }

    @Test
    void aTransactedSendIsConfirmedBeforeTheCommit() {
        Peer peer = peer();
        peer.begin(1);
        peer.awaitDone(peer.send(text(ORDERS, "taken"), 1));
        peer.awaitDone(peer.send(text(ORDERS, "in"), 1));
        peer.awaitDone(peer.commit(1));
    }

    @Test
    void anEmptyTransactionCommitsAndRollsBack() {
        Peer peer = peer();
        peer.begin(1);
        peer.awaitDone(peer.commit(1));
        peer.begin(2);
        peer.awaitDone(peer.rollback(2));
    }

    @Test
    void fleetingAndDurableMessagesOfOneTransactionComeTogether() {
        Peer peer = peer();
        peer.begin(1);
        peer.send(fleeting(ORDERS, "fleeting"), 1);
        peer.send(text(ORDERS, "durable"), 1);
        peer.send(MessageBuilder.to(PRICES).text("topic").build(), 1);
        Peer observer = peer();
        observer.consume(1, ORDERS, 10);
        observer.consume(2, PRICES, 10);
        peer.awaitDone(peer.commit(1));
        assertThat(observer.settledTexts(1)).containsExactly("fleeting", "durable");
        assertThat(observer.settledTexts(2)).containsExactly("topic");
    }

    @Test
    void aTopicMessageGoesToTheSubscriptionsThatExistAtCommit() {
        Peer sender = peer();
        Peer early = peer();
        early.consume(1, PRICES, 10);
        sender.begin(1);
        sender.awaitDone(sender.send(text(PRICES, "p"), 1));
        early.awaitDone(early.unsubscribe(1, 0));
        Peer late = peer();
        late.consume(Subscribe.to(1, PRICES), 10);
        sender.awaitDone(sender.commit(1));
        assertThat(early.settledTexts(1)).isEmpty();
        assertThat(late.settledTexts(1)).containsExactly("p");
    }
}
