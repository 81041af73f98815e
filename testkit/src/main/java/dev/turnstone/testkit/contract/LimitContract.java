package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Named limits: what goes beyond is refused or waits, by name, and what is within goes on. */
public abstract class LimitContract extends BrokerContract {
    private static final int MEMORY_BYTES = 1 << 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    @Override
    final Map<String, String> limits() {
        Map<String, String> limits = new HashMap<>();
        limits.put("connections.max", "4");
        limits.put("connection.sessionsMax", "2");
        limits.put("session.consumersMax", "2");
        limits.put("session.transactionsMax", "2");
        limits.put("tx.maxSends", "3");
        limits.put("tx.maxBytes", "10000");
        limits.put("message.bytesMax", "100000");
        limits.put("message.largeBytesMax", "0");
        limits.put("addresses.max", "3");
        limits.put("session.postedMax", "8");
        limits.put("memory.max", Integer.toString(MEMORY_BYTES));
        return limits;
    }

    private static void refused(ThrowingCallable call, String limit) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
                .hasMessageContaining(limit);
    }

    private static void assertRefused(Peer peer, Reply reply, ErrorCode code, String limit) {
        assertThat(peer.awaitRefusal(reply)).isEqualTo(code);
        assertThat(reply.refusalText()).contains(limit);
    }

    @Test
    void oneConnectionTooManyIsRefusedUntilAnotherEnds() {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            connections.add(Peer.connection(host(), null));
        }
        refused(() -> Peer.connection(host(), null), "connections.max");
        Peer.await(host(), connections.get(0).close().toCompletableFuture());
        Peer.connection(host(), null);
    }

    @Test
    void oneSessionTooManyIsRefusedUntilAnotherEnds() {
        Peer first = peer();
        Peer second = first.sibling();
        refused(first::sibling, "connection.sessionsMax");
        second.awaitDone(second.close());
        first.sibling().sync();
    }

    @Test
    void oneConsumerTooManyIsRefusedAndTheOthersGoOn() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 5);
        peer.consume(2, ORDERS, 5);
        assertRefused(peer, peer.subscribe(Subscribe.to(3, ORDERS)), ErrorCode.LIMIT_EXCEEDED, "session.consumersMax");
        peer.sendTexts(ORDERS, "still");
        assertThat(peer.settledTexts(1).size() + peer.settledTexts(2).size()).isEqualTo(1);
        peer.awaitDone(peer.unsubscribe(1, 0));
        peer.awaitDone(peer.subscribe(Subscribe.to(3, ORDERS)));
    }

    @Test
    void oneTransactionTooManyIsRefused() {
        Peer peer = peer();
        peer.awaitDone(peer.begin(1));
        peer.awaitDone(peer.begin(2));
        assertRefused(peer, peer.begin(3), ErrorCode.LIMIT_EXCEEDED, "session.transactionsMax");
        peer.awaitDone(peer.commit(1));
        peer.awaitDone(peer.begin(4));
    }

    @Test
    void aTransactionOfTooManyMessagesCannotCommit() {
        Peer peer = peer();
        peer.begin(1);
        for (int i = 0; i < 3; i++) {
            peer.awaitDone(peer.send(text(ORDERS, "m" + i), 1));
        }
        assertRefused(peer, peer.send(text(ORDERS, "too many"), 1), ErrorCode.TRANSACTION_TOO_LARGE, "tx.maxSends");
        assertThat(peer.awaitRefusal(peer.commit(1))).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        peer.consume(1, ORDERS, 10);
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void aTransactionOfTooManyBytesCannotCommit() {
        Peer peer = peer();
        peer.begin(1);
        peer.awaitDone(
                peer.send(MessageBuilder.to(ORDERS).bytes(new byte[6_000]).build(), 1));
        assertRefused(
                peer,
                peer.send(MessageBuilder.to(ORDERS).bytes(new byte[6_000]).build(), 1),
                ErrorCode.TRANSACTION_TOO_LARGE,
                "tx.maxBytes");
        peer.awaitDone(peer.rollback(1));
    }

    @Test
    void aMessageOverTheLimitNamesIt() {
        Peer peer = peer();
        assertThat(peer.connection().limits().messageBytesMax()).isEqualTo(100_000);
        assertRefused(
                peer,
                peer.send(MessageBuilder.to(ORDERS).bytes(new byte[100_001]).build()),
                ErrorCode.MESSAGE_TOO_LARGE,
                "message.bytesMax");
    }

    @Test
    void oneAddressTooManyIsRefusedForSendersAndConsumers() {
        Peer peer = peer();
        for (int i = 0; i < 3; i++) {
            peer.sendTexts(Address.queue("q" + i), "m");
        }
        assertRefused(peer, peer.send(text(Address.queue("q3"), "m")), ErrorCode.LIMIT_EXCEEDED, "addresses.max");
        assertRefused(
                peer, peer.subscribe(Subscribe.to(1, Address.queue("q3"))), ErrorCode.LIMIT_EXCEEDED, "addresses.max");
        peer.sendTexts(Address.queue("q0"), "within");
    }

    @Test
    void commandsBeyondWhatASessionMayPostWaitAndAreNotLost() {
        Peer peer = peer();
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            replies.add(peer.send(text(ORDERS, "m" + i)));
        }
        peer.session().flush();
        for (int round = 0; !replies.get(99).isHeard() && round < 100; round++) {
            peer.await("room to post", peer.session()::writable);
            peer.session().flush();
        }
        peer.sync();
        assertThat(peer.heard().subList(0, 100)).isEqualTo(replies);
        assertThat(replies).allMatch(Reply::isDone);
    }

    @Test
    void whatHasNoRoomInMemoryWaitsOnTheDiskAndNoProducerWaits() {
        Peer producer = peer();
        int count = 60;
        for (int i = 0; i < count; i++) {
            producer.awaitDone(producer.send(numbered(i)));
        }
        Peer consumer = peer();
        consumer.consume(1, ORDERS, count);
        consumer.await("all deliveries", () -> consumer.received(1).size() == count);
        for (int i = 0; i < count; i++) {
            assertThat(consumer.received(1).get(i).message().property("n")).isEqualTo(i);
        }
    }

    @Test
    void aProducerWaitsWhenConsumersHoldAllMemoryAndGoesOnWhenTheySettle() {
        Peer consumer = peer();
        int count = 100;
        consumer.consume(1, ORDERS, count);
        Peer producer = peer();
        int sent = sendUntilFull(producer, consumer, 0, count);
        assertThat(sent).as("the memory limit is met").isLessThan(count);

        int consumed = 0;
        while (consumed < count) {
            int next = consumed + 1;
            consumer.await("delivery " + next, () -> consumer.received(1).size() >= next);
            Delivery delivery = consumer.received(1).get(consumed++);
            assertThat(delivery.message().property("n")).isEqualTo(consumed - 1);
            consumer.awaitDone(consumer.settle(
                    new Settle(1, delivery.number(), delivery.number(), Outcome.ACCEPTED, Session.NO_TRANSACTION)));
            if (consumed == sent) {
                producer.await("room in memory", producer.session()::writable);
            }
            sent += sendUntilFull(producer, consumer, sent, count - sent);
        }
        assertThat(sent).isEqualTo(count);
        producer.sync();
        assertThat(producer.heard()).allMatch(Reply::isDone);
    }

    @Test
    void aProducerNeedNotWaitForConsumersThatHoldBodiesWhichCanBeReadAgain() {
        Peer consumer = peer();
        int count = 60;
        consumer.consume(1, ORDERS, count);
        Peer producer = peer();
        for (int i = 0; i < count; i++) {
            producer.awaitDone(producer.send(numbered(i)));
        }
        consumer.await("all deliveries", () -> consumer.received(1).size() == count);
        consumer.lose();

        Peer next = peer();
        next.consume(1, ORDERS, count);
        next.await("all deliveries again", () -> next.received(1).size() == count);
        for (int i = 0; i < count; i++) {
            Delivery delivery = next.received(1).get(i);
            assertThat(delivery.message().property("n")).isEqualTo(i);
            assertThat(delivery.message().bodyBytes()).isEqualTo(50_000);
            assertThat(delivery.redelivered()).isTrue();
        }
    }

    /** Of which nothing can be read again later: what selectors look at stays in memory. */
    private static Message heavy(int number) {
        return MessageBuilder.to(ORDERS)
                .property("n", number)
                .property("filling", "x".repeat(20_000))
                .build();
    }

    private static Message numbered(int number) {
        return MessageBuilder.to(ORDERS)
                .property("n", number)
                .bytes(new byte[50_000])
                .build();
    }

    /**
     * Sends at most so many heavy messages, which a consumer takes, until the session has stayed unwritable for a
     * while; says how many.
     */
    private static int sendUntilFull(Peer producer, Peer consumer, int first, int most) {
        for (int sent = 0; sent < most; sent++) {
            consumer.drain();
            if (!producer.writableWithin(PAUSE)) {
                return sent;
            }
            producer.send(heavy(first + sent));
            producer.session().flush();
        }
        return most;
    }
}
