package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Connections and sessions: identity, beginning and end. */
public abstract class ConnectionContract extends BrokerContract {
    @Test
    void aClientIdentifierBelongsToOneConnectionAtATime() {
        Peer first = peer("me");
        assertThatThrownBy(() -> peer("me"))
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.CLIENT_ID_IN_USE));
        first.lose();
        peer("me").sync();
    }

    @Test
    void connectionsWithoutClientIdentifierAreManyAndHaveIdsOfTheirOwn() {
        Connection one = Peer.connection(host(), null);
        Connection other = Peer.connection(host(), null);
        assertThat(one.id()).isNotEmpty().isNotEqualTo(other.id());
        assertThat(one.limits().messageBytesMax()).isPositive();
        assertThat(one.limits().headerBytesMax()).isPositive();
    }

    @Test
    void closingAConnectionEndsItsSessions() {
        Peer peer = peer();
        Peer sibling = peer.sibling();
        peer.sendTexts(ORDERS, "a", "b");
        peer.consume(1, ORDERS, 1);
        sibling.consume(1, ORDERS, 1);
        peer.awaitDeliveries(1, 1);
        sibling.awaitDeliveries(1, 1);

        peer.lose();

        Peer next = peer();
        next.consume(1, ORDERS, 10);
        List<Delivery> received = next.awaitDeliveries(1, 2);
        assertThat(Peer.texts(received)).containsExactly("a", "b");
        assertThat(received).allMatch(Delivery::redelivered);
    }

    @Test
    void closingAConnectionTwiceIsHarmless() {
        Peer peer = peer();
        peer.lose();
        peer.lose();
    }

    @Test
    void aClosedConnectionOpensNoSession() {
        Connection connection = Peer.connection(host(), null);
        Peer.await(host(), connection.close().toCompletableFuture());
        assertThatThrownBy(() -> connection.openSession(() -> {}))
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.CLOSED));
    }

    @Test
    void closingASessionLeavesItsSiblingsAlone() {
        Peer peer = peer();
        Peer sibling = peer.sibling();
        sibling.consume(1, ORDERS, 10);
        peer.awaitDone(peer.close());
        sibling.sendTexts(ORDERS, "still here");
        assertThat(sibling.settledTexts(1)).containsExactly("still here");
    }

    @Test
    void closeConfirmsAfterAllThatWasAskedBefore() {
        Peer peer = peer();
        List<Reply> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asked.add(peer.send(text(ORDERS, "m" + i)));
        }
        Reply close = peer.close();
        peer.awaitDone(close);

        asked.add(close);
        assertThat(peer.heard()).isEqualTo(asked);
        assertThat(asked).allMatch(Reply::isDone);
    }

    @Test
    void closeFlushes() {
        Peer peer = peer();
        peer.send(text(ORDERS, "collected"));
        Reply close = peer.close();
        peer.await("the close, without a flush", close::isHeard);

        Peer next = peer();
        next.consume(1, ORDERS, 1);
        assertThat(Peer.texts(next.awaitDeliveries(1, 1))).containsExactly("collected");
    }

    @Test
    void theEndOfAConsumerSetsOthersToWork() {
        Peer first = peer();
        Peer second = peer();
        first.consume(1, ORDERS, 10);
        second.consume(1, ORDERS, 10);
        Peer sender = peer();
        for (int i = 0; i < 8; i++) {
            sender.send(text(ORDERS, "m" + i));
        }
        sender.sync();
        int had = second.settledTexts(1).size();
        first.sync();
        first.awaitDone(first.close());

        assertThat(second.settledTexts(1)).hasSize(8).doesNotHaveDuplicates();
        assertThat(second.received(1).subList(had, 8)).allMatch(Delivery::redelivered);
    }

    @Test
    void aDeliveryBelongsToItsSession() {
        Peer peer = peer();
        Peer sibling = peer.sibling();
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        assertThat(sibling.awaitRefusal(sibling.settle(delivery, Outcome.ACCEPTED)))
                .isIn(ErrorCode.NO_SUCH_DELIVERY, ErrorCode.NO_SUCH_CONSUMER);
        peer.awaitDone(peer.settle(delivery, Outcome.ACCEPTED));
    }

    @Test
    void aBrokerThatStopsSaysSoOnceAndTakesNoMoreConnections() {
        List<ErrorCode> causes = new CopyOnWriteArrayList<>();
        Broker stopped = host().broker();
        Login login = new Login(null, null, null, "test", "vm");
        Peer.await(
                host(),
                stopped.connect(login, cause -> causes.add(cause.code())).toCompletableFuture());

        host().restart();

        peer().await("the end of the connection", () -> !causes.isEmpty());
        assertThat(causes).containsExactly(ErrorCode.STOPPED);
        assertThatThrownBy(() ->
                        Peer.await(host(), stopped.connect(login, cause -> {}).toCompletableFuture()))
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.STOPPED));
    }

    @Test
    void aConnectionThatItsOwnerClosesHearsNothingOfTheBroker() {
        List<ErrorCode> causes = new CopyOnWriteArrayList<>();
        Login login = new Login(null, null, null, "test", "vm");
        Connection connection = Peer.await(
                host(),
                host().broker()
                        .connect(login, cause -> causes.add(cause.code()))
                        .toCompletableFuture());
        Peer.await(host(), connection.close().toCompletableFuture());
        host().restart();
        peer().sync();
        assertThat(causes).isEmpty();
    }
}
