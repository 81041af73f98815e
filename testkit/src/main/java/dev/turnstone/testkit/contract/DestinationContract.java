package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Browsing, temporary destinations and shared subscriptions. */
public abstract class DestinationContract extends BrokerContract {
    private static final SubscriptionName WORKERS = new SubscriptionName(null, "workers");

    private static Subscribe shared(Mode mode) {
        return new Subscribe(1, PRICES, WORKERS, null, false, mode);
    }

    @Test
    void aBrowserIsShownWhatWaitsAndThenThatThereIsNoMore() {
        Peer sender = peer();
        sender.sendTexts(ORDERS, "a", "b", "c");
        Peer browser = peer();
        browser.consume(Subscribe.browse(1, ORDERS, null), 10);
        browser.await("the end of the browser", () -> browser.browsed().contains(1));
        assertThat(Peer.texts(browser.received(1))).containsExactly("a", "b", "c");

        Delivery first = browser.received(1).get(0);
        assertThat(browser.awaitRefusal(browser.settle(first, Outcome.ACCEPTED)))
                .isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        sender.consume(1, ORDERS, 10);
        assertThat(sender.awaitDeliveries(1, 3)).noneMatch(Delivery::redelivered);
    }

    @Test
    void aBrowserOfAnEmptyQueueEndsToo() {
        Peer browser = peer();
        browser.consume(Subscribe.browse(1, ORDERS, "JMSPriority > 3"), 1);
        browser.await("the end of the browser", () -> browser.browsed().contains(1));
        assertThat(browser.received(1)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(AddressKind.class)
    void aTemporaryDestinationLivesFromItsDeclarationToItsDeletion(AddressKind kind) {
        Peer owner = peer();
        Peer other = peer();
        Address temporary = Address.temporary(kind, owner.connection().id(), "answers");
        assertThat(other.awaitRefusal(other.send(text(temporary, "early")))).isEqualTo(ErrorCode.INVALID_ADDRESS);
        assertThat(other.awaitRefusal(other.declareTemporary(temporary))).isEqualTo(ErrorCode.FORBIDDEN);
        owner.awaitDone(owner.declareTemporary(temporary));
        assertThat(other.awaitRefusal(other.subscribe(Subscribe.to(1, temporary))))
                .isEqualTo(ErrorCode.FORBIDDEN);
        owner.consume(1, temporary, 10);
        other.sendTexts(temporary, "answer");
        assertThat(Peer.texts(owner.awaitDeliveries(1, 1))).containsExactly("answer");

        assertThat(owner.awaitRefusal(owner.deleteTemporary(temporary))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        owner.awaitDone(owner.unsubscribe(1, 1));
        owner.awaitDone(owner.deleteTemporary(temporary));
        assertThat(other.awaitRefusal(other.send(text(temporary, "late")))).isEqualTo(ErrorCode.INVALID_ADDRESS);
    }

    @Test
    void aTemporaryDestinationEndsWithItsConnection() {
        Peer owner = peer();
        Address temporary =
                Address.temporary(AddressKind.QUEUE, owner.connection().id(), "answers");
        owner.awaitDone(owner.declareTemporary(temporary));
        owner.lose();
        Peer other = peer();
        assertThat(other.awaitRefusal(other.send(text(temporary, "late")))).isEqualTo(ErrorCode.INVALID_ADDRESS);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"SHARED", "SHARED_DURABLE"})
    void thoseWhoShareASubscriptionGetEachMessageOnce(Mode mode) {
        Peer first = peer();
        Peer second = peer();
        first.consume(shared(mode), 10);
        second.consume(shared(mode), 10);
        peer().sendTexts(PRICES, "a", "b", "c", "d");
        List<String> all = new ArrayList<>(Peer.texts(first.awaitDeliveries(1, 2)));
        all.addAll(Peer.texts(second.awaitDeliveries(1, 2)));
        assertThat(all).containsExactlyInAnyOrder("a", "b", "c", "d");
        Subscribe another = new Subscribe(2, PRICES, WORKERS, "n > 1", false, mode);
        assertThat(second.awaitRefusal(second.subscribe(another))).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
    }

    @Test
    void aSharedDurableSubscriptionSurvivesARestart() {
        Peer first = peer();
        first.awaitDone(first.subscribe(shared(Mode.SHARED_DURABLE)));
        peer().sendTexts(PRICES, "kept");
        host().restart();
        Peer again = peer();
        again.consume(shared(Mode.SHARED_DURABLE), 10);
        assertThat(Peer.texts(again.awaitDeliveries(1, 1))).containsExactly("kept");
        Peer alone = peer();
        assertThat(alone.awaitRefusal(alone.subscribe(new Subscribe(1, PRICES, WORKERS, null, false))))
                .isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
    }
}
