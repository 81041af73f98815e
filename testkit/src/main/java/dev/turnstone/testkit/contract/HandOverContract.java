package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deliveries that one session hands to another of its connection. */
public abstract class HandOverContract extends BrokerContract {
    private static HandOver handOver(long first, long last, Peer to) {
        return new HandOver(1, first, last, to.session(), 7);
    }

    /** A consumer of texts a, b and c that has got all of them. */
    private Peer taker() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b", "c");
        peer.consume(1, ORDERS, 10);
        peer.awaitDeliveries(1, 3);
        return peer;
    }

    @Test
    void whatIsHandedOverComesToTheOtherSessionAndIsSettledThere() {
        Peer from = taker();
        Peer to = from.sibling();
        from.awaitDone(from.handOver(handOver(1, 2, to)));

        List<Delivery> received = to.awaitDeliveries(7, 2);
        assertThat(Peer.texts(received)).containsExactly("a", "b");
        assertThat(received).extracting(Delivery::number).containsExactly(1L, 2L);
        assertThat(received).noneMatch(Delivery::redelivered);
        to.awaitDone(to.begin(1));
        to.awaitDone(to.settle(received.get(0), Outcome.ACCEPTED, 1));
        to.awaitDone(to.commit(1));
        to.awaitDone(to.settle(received.get(1), Outcome.ACCEPTED));
        from.close();

        host().restart();
        Peer next = peer();
        next.consume(1, ORDERS, 10);
        assertThat(next.settledTexts(1)).containsExactly("c");
    }

    @Test
    void whoHasHandedOverCannotSettle() {
        Peer from = taker();
        Peer to = from.sibling();
        Delivery first = from.received(1).get(0);
        from.awaitDone(from.handOver(handOver(1, 1, to)));
        assertThat(from.awaitRefusal(from.settle(first, Outcome.ACCEPTED))).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        from.awaitDone(from.unsubscribe(1, 3));
        assertThat(Peer.texts(to.awaitDeliveries(7, 1))).containsExactly("a");
    }

    @Test
    void whatTheOtherSessionHasNotSeenReturnsUnflaggedAndWhatItLosesFlagged() {
        Peer from = taker();
        Peer to = from.sibling();
        from.awaitDone(from.handOver(handOver(1, 2, to)));
        to.awaitDeliveries(7, 2);
        to.awaitDone(to.unsubscribe(7, 1));
        from.awaitDone(from.unsubscribe(1, 2));
        to.awaitDone(to.close());

        Peer next = peer();
        next.consume(1, ORDERS, 10);
        List<Delivery> again = next.awaitDeliveries(1, 3);
        assertThat(Peer.texts(again)).containsExactly("a", "b", "c");
        assertThat(again).extracting(Delivery::redelivered).containsExactly(true, false, false);
    }

    @Test
    void aSessionThatIsClosedOrAnotherConnectionsGetsNothing() {
        Peer from = taker();
        Peer closed = from.sibling();
        closed.awaitDone(closed.close());
        assertThat(from.awaitRefusal(from.handOver(handOver(1, 1, closed)))).isEqualTo(ErrorCode.CLOSED);
        assertThat(from.awaitRefusal(from.handOver(handOver(1, 1, peer())))).isEqualTo(ErrorCode.FORBIDDEN);
        from.awaitDone(from.settle(from.received(1).get(0), Outcome.ACCEPTED));
    }

    @Test
    void theInletsNumberIsFreeAgainWhenAllIsSettled() {
        Peer from = taker();
        Peer to = from.sibling();
        from.awaitDone(from.handOver(handOver(1, 1, to)));
        assertThat(from.awaitRefusal(from.handOver(handOver(2, 2, to)))).isEqualTo(ErrorCode.DUPLICATE_CONSUMER);
        to.awaitDone(to.settle(to.awaitDeliveries(7, 1).get(0), Outcome.ACCEPTED));
        from.awaitDone(from.handOver(handOver(2, 3, to)));
        assertThat(Peer.texts(to.awaitDeliveries(7, 3))).containsExactly("a", "b", "c");
    }
}
