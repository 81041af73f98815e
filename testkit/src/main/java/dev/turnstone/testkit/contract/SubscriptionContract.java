package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Durable topic subscriptions and the end of non-durable ones. */
public abstract class SubscriptionContract extends BrokerContract {
    private static final SubscriptionName NEWS = new SubscriptionName("reader", "news");

    private static Subscribe durable(int consumer) {
        return new Subscribe(consumer, PRICES, NEWS, null, false);
    }

    @Test
    void aDurableSubscriptionKeepsWhatIsSentWhileItsConsumerIsAway() {
        Peer reader = peer("reader");
        reader.consume(durable(1), 10);
        reader.awaitDone(reader.unsubscribe(1, 0));
        reader.lose();
        Peer sender = peer();
        sender.sendTexts(PRICES, "one", "two", "three");

        Peer again = peer("reader");
        again.consume(durable(1), 10);

        assertThat(again.settledTexts(1)).containsExactly("one", "two", "three");
        assertThat(again.received(1)).noneMatch(Delivery::redelivered);
    }

    @Test
    void aDurableSubscriptionAndItsMessagesSurviveARestart() {
        Peer reader = peer("reader");
        reader.consume(durable(1), 10);
        Peer sender = peer();
        sender.sendTexts(PRICES, "consumed", "kept");
        reader.awaitDone(reader.settle(reader.awaitDeliveries(1, 2).get(0), Outcome.ACCEPTED));
        reader.awaitDone(reader.unsubscribe(1, 1));

        host().restart();
        peer().sendTexts(PRICES, "sent after");

        Peer again = peer("reader");
        again.consume(durable(1), 10);
        assertThat(again.settledTexts(1)).containsExactly("kept", "sent after");
    }

    @Test
    void aDurableSubscriptionToAPatternGetsEachMatchingMessageOnceAlsoOverARestart() {
        Address pattern = Address.pattern(AddressKind.TOPIC, PRICES.name() + ".>");
        Subscribe all = new Subscribe(1, pattern, NEWS, null, false);
        Peer reader = peer("reader");
        reader.awaitDone(reader.subscribe(all));
        reader.awaitDone(reader.unsubscribe(1, 0));
        Peer sender = peer();
        sender.sendTexts(Address.topic(PRICES.name() + ".gold"), "one");
        sender.sendTexts(PRICES, "two");
        sender.sendTexts(Address.topic("other"), "not this");

        host().restart();
        peer().sendTexts(Address.topic(PRICES.name() + ".gold.eur"), "three");

        Peer again = peer("reader");
        again.consume(all, 10);
        assertThat(again.settledTexts(1)).containsExactly("one", "two", "three");
    }

    @Test
    void aRestartDropsWhatIsNotPersistentFromADurableSubscription() {
        Peer reader = peer("reader");
        reader.awaitDone(reader.subscribe(durable(1)));
        reader.send(fleeting(PRICES, "fleeting"));
        reader.send(text(PRICES, "durable"));
        reader.sync();

        host().restart();

        Peer again = peer("reader");
        again.consume(durable(1), 10);
        assertThat(again.settledTexts(1)).containsExactly("durable");
    }

    @Test
    void aSecondActiveConsumerIsRefused() {
        Peer reader = peer("reader");
        reader.consume(durable(1), 10);
        assertThat(reader.awaitRefusal(reader.subscribe(durable(2)))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        Peer sibling = reader.sibling();
        assertThat(sibling.awaitRefusal(sibling.subscribe(durable(1)))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        reader.sendTexts(PRICES, "still");
        assertThat(reader.settledTexts(1)).containsExactly("still");
    }

    @Test
    void deletingASubscriptionDropsItsMessages() {
        Peer reader = peer("reader");
        reader.awaitDone(reader.subscribe(durable(1)));
        reader.awaitDone(reader.unsubscribe(1, 0));
        reader.sendTexts(PRICES, "dropped");
        reader.awaitDone(reader.deleteSubscription(NEWS));
        reader.sendTexts(PRICES, "heard by nobody");

        reader.consume(durable(2), 10);
        assertThat(reader.settledTexts(2)).isEmpty();
        reader.sendTexts(PRICES, "new");
        assertThat(reader.settledTexts(2)).containsExactly("new");
    }

    @Test
    void aDeletedSubscriptionStaysDeletedOverARestart() {
        Peer reader = peer("reader");
        reader.awaitDone(reader.subscribe(durable(1)));
        reader.sendTexts(PRICES, "dropped");
        reader.awaitDone(reader.unsubscribe(1, 0));
        reader.awaitDone(reader.deleteSubscription(NEWS));

        host().restart();

        Peer again = peer("reader");
        assertThat(again.awaitRefusal(again.deleteSubscription(NEWS))).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        again.consume(durable(1), 10);
        assertThat(again.settledTexts(1)).isEmpty();
    }

    @Test
    void deletingIsRefusedWhileAConsumerIsActive() {
        Peer reader = peer("reader");
        reader.consume(durable(1), 10);
        assertThat(reader.awaitRefusal(reader.deleteSubscription(NEWS))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        reader.sendTexts(PRICES, "intact");
        assertThat(reader.settledTexts(1)).containsExactly("intact");
    }

    @Test
    void deletingIsRefusedWhileADeliveryIsUnsettled() {
        Peer reader = peer("reader");
        reader.consume(durable(1), 10);
        reader.sendTexts(PRICES, "seen");
        Delivery seen = reader.awaitDeliveries(1, 1).get(0);
        reader.awaitDone(reader.unsubscribe(1, 1));
        assertThat(reader.awaitRefusal(reader.deleteSubscription(NEWS))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);

        reader.begin(1);
        reader.awaitDone(reader.settle(seen, Outcome.ACCEPTED, 1));
        assertThat(reader.awaitRefusal(reader.deleteSubscription(NEWS)))
                .as("settled, but the transaction is open")
                .isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);

        reader.awaitDone(reader.commit(1));
        reader.awaitDone(reader.deleteSubscription(NEWS));
    }

    @Test
    void deletingAnUnknownSubscriptionIsRefused() {
        Peer reader = peer("reader");
        assertThat(reader.awaitRefusal(reader.deleteSubscription(new SubscriptionName("reader", "other"))))
                .isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
        reader.sync();
    }

    @Test
    void subscriptionsOfTwoClientsWithOneNameAreApart() {
        Peer reader = peer("reader");
        Peer other = peer("other");
        reader.awaitDone(reader.subscribe(durable(1)));
        other.awaitDone(other.subscribe(new Subscribe(1, PRICES, new SubscriptionName("other", "news"), null, false)));
        peer().sendTexts(PRICES, "both");
        reader.credit(1, 5);
        other.credit(1, 5);
        assertThat(reader.settledTexts(1)).containsExactly("both");
        assertThat(other.settledTexts(1)).containsExactly("both");
    }

    @Test
    void aDurableSubscriptionWithASelectorKeepsItsMatches() {
        Peer reader = peer("reader");
        Subscribe selective = new Subscribe(1, PRICES, NEWS, "n > 1", false);
        reader.awaitDone(reader.subscribe(selective));
        reader.awaitDone(reader.unsubscribe(1, 0));
        for (int n = 0; n < 4; n++) {
            reader.send(MessageBuilder.to(PRICES).property("n", n).text("m" + n).build());
        }
        reader.sync();
        host().restart();

        Peer again = peer("reader");
        again.consume(selective, 10);
        assertThat(again.settledTexts(1)).containsExactly("m2", "m3");
    }

    /** Jakarta Messaging 3.1 §8.3.3: a changed topic or selector is as deleting and creating anew. */
    @Test
    void subscribingWithAnotherSelectorStartsAnew() {
        Peer reader = peer("reader");
        reader.awaitDone(reader.subscribe(new Subscribe(1, PRICES, NEWS, "n = 1", false)));
        reader.awaitDone(reader.unsubscribe(1, 0));
        reader.send(MessageBuilder.to(PRICES).property("n", 1).text("old").build());
        reader.sync();

        reader.consume(new Subscribe(2, PRICES, NEWS, "n = 2", false), 10);
        reader.send(MessageBuilder.to(PRICES).property("n", 1).text("no").build());
        reader.send(MessageBuilder.to(PRICES).property("n", 2).text("yes").build());
        assertThat(reader.settledTexts(2)).containsExactly("yes");
    }

    @Test
    void noLocalOfADurableSubscriptionGoesByClientIdentifier() {
        Peer reader = peer("reader");
        Subscribe noLocal = new Subscribe(1, PRICES, NEWS, null, true);
        reader.awaitDone(reader.subscribe(noLocal));
        reader.awaitDone(reader.unsubscribe(1, 0));
        reader.lose();
        Peer sameClient = peer("reader");
        sameClient.sendTexts(PRICES, "own");
        peer("other").sendTexts(PRICES, "foreign");

        sameClient.consume(noLocal, 10);
        assertThat(sameClient.settledTexts(1)).containsExactly("foreign");
    }

    @Test
    void unseenDeliveriesOfADurableSubscriptionReturnUnflaggedAndSeenOnesFlagged() {
        Peer reader = peer("reader");
        reader.consume(durable(1), 10);
        peer().sendTexts(PRICES, "seen", "unseen");
        reader.awaitDeliveries(1, 2);
        reader.awaitDone(reader.unsubscribe(1, 1));
        reader.awaitDone(reader.close());

        Peer sibling = reader.sibling();
        sibling.consume(durable(1), 10);
        List<Delivery> received = sibling.awaitDeliveries(1, 2);
        assertThat(Peer.texts(received)).containsExactly("seen", "unseen");
        assertThat(received).extracting(Delivery::redelivered).containsExactly(true, false);
    }

    @Test
    void aNonDurableSubscriptionEndsWithItsConsumer() {
        Peer reader = peer();
        reader.consume(1, PRICES, 10);
        reader.awaitDone(reader.unsubscribe(1, 0));
        reader.sendTexts(PRICES, "missed");
        reader.consume(2, PRICES, 10);
        assertThat(reader.settledTexts(2)).isEmpty();
    }

    @Test
    void deliveriesOfAnEndedNonDurableSubscriptionCanStillBeSettled() {
        Peer reader = peer();
        reader.consume(1, PRICES, 10);
        reader.sendTexts(PRICES, "a", "b");
        List<Delivery> received = reader.awaitDeliveries(1, 2);
        reader.awaitDone(reader.unsubscribe(1, 2));
        reader.awaitDone(reader.settle(received.get(0), Outcome.ACCEPTED));
        reader.begin(1);
        reader.awaitDone(reader.settle(received.get(1), Outcome.ACCEPTED, 1));
        reader.awaitDone(reader.commit(1));
    }

    @Test
    void aDurableSubscriptionOfAQueueIsRefused() {
        assertThatThrownBy(() -> new Subscribe(1, ORDERS, NEWS, null, false))
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ADDRESS));
    }
}
