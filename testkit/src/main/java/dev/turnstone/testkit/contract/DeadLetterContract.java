package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.DeadLetter;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of messages that nobody can use, with the settings that a broker has by default. */
public abstract class DeadLetterContract extends BrokerContract {
    private static final Address DEAD = Address.queue("DLQ");
    private static final int ATTEMPTS = 10;

    @Test
    void afterTenFailedAttemptsAMessageIsADeadLetterAndStaysOneOverARestart() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "bad", "good");
        peer.consume(1, ORDERS, 1);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Delivery delivery = peer.awaitDeliveries(1, attempt).get(attempt - 1);
            assertThat(delivery.message().text()).isEqualTo("bad");
            peer.awaitDone(peer.settle(Settle.one(delivery, Outcome.MODIFIED).because("broken " + attempt)));
            peer.credit(1, 1);
        }
        assertThat(peer.awaitDeliveries(1, ATTEMPTS + 1).get(ATTEMPTS).message().text())
                .isEqualTo("good");
        host().restart();

        Peer later = peer();
        later.consume(1, DEAD, 10);
        Delivery dead = later.awaitDeliveries(1, 1).get(0);
        assertThat(dead.message().text()).isEqualTo("bad");
        assertThat(dead.message().properties())
                .containsEntry(DeadLetter.REASON, "attempts")
                .containsEntry(DeadLetter.ATTEMPTS, ATTEMPTS)
                .containsEntry(DeadLetter.ORIGINAL_ADDRESS, ORDERS.toString())
                .containsEntry(DeadLetter.EXCEPTION, "broken " + ATTEMPTS);
        later.consume(2, ORDERS, 10);
        assertThat(later.settledTexts(2)).containsExactly("good");
    }

    @Test
    void aRejectedMessageOfASubscriptionIsADeadLetterThatNamesIt() {
        Peer peer = peer();
        Address topic = Address.topic("prices");
        SubscriptionName name = new SubscriptionName(null, "mine");
        peer.awaitDone(peer.subscribe(new Subscribe(1, topic, name, null, false, Subscribe.Mode.SHARED_DURABLE)));
        peer.credit(1, 10);
        peer.awaitDone(peer.send(MessageBuilder.to(topic).text("bad").build()));
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 1).get(0), Outcome.REJECTED));
        peer.consume(2, DEAD, 10);
        assertThat(peer.awaitDeliveries(2, 1).get(0).message().properties())
                .containsEntry(DeadLetter.REASON, "rejected")
                .containsEntry(DeadLetter.ORIGINAL_ADDRESS, "topic:prices")
                .containsEntry(DeadLetter.ORIGINAL_SUBSCRIPTION, "mine");
    }

    @Test
    void aDeadLetterStaysWhereItIsHoweverOftenItFails() {
        Peer peer = peer();
        peer.sendTexts(DEAD, "dead");
        peer.consume(1, DEAD, 1);
        for (int attempt = 1; attempt <= ATTEMPTS + 2; attempt++) {
            Outcome outcome = attempt % 2 == 0 ? Outcome.REJECTED : Outcome.MODIFIED;
            peer.awaitDone(peer.settle(peer.awaitDeliveries(1, attempt).get(attempt - 1), outcome));
            peer.credit(1, 1);
        }
        assertThat(peer.awaitDeliveries(1, ATTEMPTS + 3))
                .extracting(Delivery::position)
                .containsOnly(peer.received(1).get(0).position());
    }

    @Test
    void anInterruptedDeliveryReturnsFlaggedAndIsNotCounted() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        for (int time = 1; time <= ATTEMPTS + 1; time++) {
            Delivery delivery = peer.awaitDeliveries(1, time).get(time - 1);
            assertThat(delivery.redelivered()).isEqualTo(time > 1);
            assertThat(delivery.deliveryCount()).isEqualTo(time > 1 ? 2 : 1);
            peer.awaitDone(peer.settle(delivery, Outcome.INTERRUPTED));
            peer.credit(1, 1);
        }
    }

    @Test
    void anExpiredMessageIsGoneAlsoWhenItReturns() {
        Peer peer = peer();
        peer.awaitDone(peer.send(MessageBuilder.to(ORDERS)
                .text("late")
                .expiryMs(host().nowMs() + 1000)
                .build()));
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        host().pass(Duration.ofMillis(1100));
        peer.awaitDone(peer.settle(delivery, Outcome.RELEASED));
        peer.sendTexts(ORDERS, "next");
        peer.credit(1, 1);
        assertThat(Peer.texts(peer.awaitDeliveries(1, 2))).containsExactly("late", "next");
    }
}
