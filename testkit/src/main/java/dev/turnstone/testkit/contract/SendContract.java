package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sending: confirmation, order, durability, refusal. */
public abstract class SendContract extends BrokerContract {
    /** A body is in one piece, or refused. */
    @Override
    Map<String, String> limits() {
        return Map.of("message.largeBytesMax", "0");
    }

    @Test
    void aSentMessageIsDeliveredAsItWasSent() {
        Peer peer = peer();
        Message sent = MessageBuilder.to(ORDERS)
                .id("ID:1")
                .priority(7)
                .timestampMs(1234)
                .correlationId("c")
                .replyTo(PRICES)
                .type("t")
                .group("g", 3)
                .property("colour", "red")
                .property("size", 42)
                .property("none", null)
                .body(BodyKind.MAP, StandardCharsets.UTF_8.encode("not looked at"))
                .build();
        peer.awaitDone(peer.send(sent));

        peer.consume(1, ORDERS, 1);

        Message received = peer.awaitDeliveries(1, 1).get(0).message();
        assertThat(received.id()).isEqualTo("ID:1");
        assertThat(received.address()).isEqualTo(ORDERS);
        assertThat(received.priority()).isEqualTo(7);
        assertThat(received.timestampMs()).isEqualTo(1234);
        assertThat(received.correlationId()).isEqualTo("c");
        assertThat(received.replyTo()).isEqualTo(PRICES);
        assertThat(received.type()).isEqualTo("t");
        assertThat(received.group()).isEqualTo("g");
        assertThat(received.groupSequence()).isEqualTo(3);
        assertThat(received.properties()).isEqualTo(sent.properties());
        assertThat(received.bodyKind()).isEqualTo(BodyKind.MAP);
        assertThat(received.body()).isEqualTo(sent.body());
    }

    @Test
    void nothingHappensBeforeFlush() {
        Peer sender = peer();
        Peer receiver = peer();
        receiver.consume(1, ORDERS, 10);
        Reply reply = sender.send(text(ORDERS, "kept back"));

        assertThat(receiver.settledTexts(1)).isEmpty();
        assertThat(reply.isHeard()).isFalse();

        sender.awaitDone(reply);
        assertThat(receiver.settledTexts(1)).containsExactly("kept back");
    }

    @Test
    void confirmationsLeaveInCommandOrderWhateverIsDurable() {
        Peer peer = peer();
        List<Reply> asked = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            asked.add(peer.send(text(ORDERS, "durable " + i)));
            asked.add(peer.send(fleeting(BILLS, "fleeting " + i)));
            asked.add(peer.send(text(PRICES, "kept by nobody " + i)));
        }

        peer.sync();

        assertThat(peer.heard().subList(0, 60)).isEqualTo(asked);
        assertThat(asked).allMatch(Reply::isDone);
    }

    @Test
    void aFailureKeepsItsPlaceAmongTheConfirmations() {
        Peer peer = peer();
        Reply before = peer.send(text(ORDERS, "before"));
        Reply refused = peer.commit(99);
        Reply after = peer.send(text(ORDERS, "after"));

        peer.sync();

        assertThat(peer.heard().subList(0, 3)).containsExactly(before, refused, after);
        assertThat(refused.refusal()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        assertThat(after.isDone()).isTrue();
    }

    @Test
    void syncCompletesAfterAllThatWasAskedBefore() {
        Peer peer = peer();
        List<Reply> sends = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sends.add(peer.send(text(ORDERS, "m" + i)));
        }
        peer.sync();
        assertThat(sends).allMatch(Reply::isDone);
    }

    @Test
    void syncAloneCompletes() {
        peer().sync();
    }

    @Test
    void aCompletionThatWantsNoConfirmationHearsOnlyOfFailure() {
        Peer peer = peer();
        List<ErrorCode> failures = new ArrayList<>();
        Completion quiet = Completion.onFailure(cause -> failures.add(cause.code()));
        peer.session().send(Send.of(text(ORDERS, "well")), quiet);
        peer.session().send(new Send(text(ORDERS, "ill"), 77), quiet);

        peer.sync();

        assertThat(failures).containsExactly(ErrorCode.NO_SUCH_TRANSACTION);
        peer.consume(1, ORDERS, 10);
        assertThat(peer.settledTexts(1)).containsExactly("well");
    }

    @Test
    void messagesOfOneSessionStayInOrderThroughAQueue() {
        Peer sender = peer();
        Peer receiver = peer();
        receiver.consume(1, ORDERS, 1000);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add("m" + i);
            sender.send(i % 3 == 0 ? fleeting(ORDERS, "m" + i) : text(ORDERS, "m" + i));
        }
        sender.sync();

        assertThat(Peer.texts(receiver.awaitDeliveries(1, 200))).isEqualTo(sent);
    }

    @Test
    void aRestartKeepsPersistentMessagesInOrderAndDropsOthers() {
        Peer sender = peer();
        for (int i = 0; i < 50; i++) {
            sender.send(text(ORDERS, "kept " + i));
            sender.send(fleeting(ORDERS, "dropped " + i));
        }
        sender.sync();

        host().restart();

        Peer receiver = peer();
        receiver.consume(1, ORDERS, 200);
        List<String> texts = receiver.settledTexts(1);
        assertThat(texts).hasSize(50).first().isEqualTo("kept 0");
        assertThat(texts).isSortedAccordingTo((a, b) -> Integer.compare(numberIn(a), numberIn(b)));
        assertThat(receiver.received(1)).noneMatch(Delivery::redelivered);
    }

    private static int numberIn(String text) {
        return Integer.parseInt(text.substring(text.indexOf(' ') + 1));
    }

    @Test
    void whatWasAcceptedStaysAwayOverARestart() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "one", "two", "three");
        peer.consume(1, ORDERS, 10);
        peer.awaitDone(peer.settle(peer.awaitDeliveries(1, 3).get(1), Outcome.ACCEPTED));

        host().restart();

        Peer again = peer();
        again.consume(1, ORDERS, 10);
        assertThat(again.settledTexts(1)).containsExactly("one", "three");
    }

    @Test
    void positionsGrowAndAreNotUsedAgainAfterARestart() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "one", "two");
        peer.consume(1, ORDERS, 2);
        List<Delivery> before = peer.awaitDeliveries(1, 2);
        assertThat(before.get(1).position()).isGreaterThan(before.get(0).position());
        peer.settle(before.get(0), Outcome.ACCEPTED);
        peer.settle(before.get(1), Outcome.ACCEPTED);
        peer.sync();

        host().restart();

        Peer again = peer();
        again.sendTexts(ORDERS, "three");
        again.consume(1, ORDERS, 2);
        assertThat(again.awaitDeliveries(1, 1).get(0).position())
                .isGreaterThan(before.get(1).position());
    }

    @Test
    void aMessageOverTheLimitIsRefusedAndTheSessionGoesOn() {
        Peer peer = peer();
        int max = peer.connection().limits().messageBytesMax();
        Reply largest = peer.send(
                MessageBuilder.to(ORDERS).bytes(new byte[max]).id("largest").build());
        Reply tooLarge = peer.send(MessageBuilder.to(ORDERS)
                .bytes(new byte[max + 1])
                .id("too large")
                .build());

        assertThat(peer.awaitRefusal(tooLarge)).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        peer.awaitDone(largest);
        peer.awaitDone(peer.send(text(ORDERS, "after")));
        peer.consume(1, ORDERS, 10);
        assertThat(peer.awaitDeliveries(1, 2))
                .extracting(d -> d.message().bodyBytes())
                .containsExactly(max, "after".length());
    }

    @Test
    void headersOverTheLimitAreRefused() {
        Peer peer = peer();
        int max = peer.connection().limits().headerBytesMax();
        Reply reply = peer.send(MessageBuilder.to(ORDERS)
                .property("long", "x".repeat(max / 2))
                .property("longer", "x".repeat(max / 2 + 1))
                .build());

        assertThat(peer.awaitRefusal(reply)).isIn(ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.LIMIT_EXCEEDED);
        peer.awaitDone(peer.send(text(ORDERS, "after")));
    }

    @Test
    void anExpiredMessageIsNotDelivered() {
        Peer peer = peer();
        peer.send(MessageBuilder.to(ORDERS)
                .text("short-lived")
                .expiryMs(host().nowMs() + 100)
                .build());
        peer.send(MessageBuilder.to(ORDERS)
                .text("long-lived")
                .expiryMs(host().nowMs() + 3_600_000)
                .build());
        peer.sync();

        host().pass(Duration.ofMillis(200));

        peer.consume(1, ORDERS, 10);
        assertThat(peer.settledTexts(1)).containsExactly("long-lived");
    }

    @Test
    void aMessageThatHasExpiredBeforeItIsSentIsConfirmedAndNotDelivered() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 10);
        peer.awaitDone(peer.send(MessageBuilder.to(ORDERS)
                .text("late")
                .expiryMs(host().nowMs() - 1)
                .build()));
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void manyAddressesKeepTheirMessagesApart() {
        Peer peer = peer();
        for (int i = 0; i < 50; i++) {
            peer.send(text(Address.queue("apart." + i), "for " + i));
        }
        peer.sync();
        for (int i = 0; i < 50; i++) {
            peer.consume(i, Address.queue("apart." + i), 5);
            assertThat(peer.settledTexts(i)).containsExactly("for " + i);
        }
    }

    @Test
    void aQueueAndATopicOfOneNameAreTwoAddresses() {
        Peer peer = peer();
        peer.consume(1, Address.topic("orders"), 5);
        peer.sendTexts(ORDERS, "to the queue");
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void aBurstBeyondWhatTheBrokerTakesAtOnceGetsThroughWhenTheSessionHonoursWritable() {
        Peer sender = peer();
        List<Reply> replies = new ArrayList<>();
        byte[] body = new byte[16 << 10];
        for (int i = 0; i < 3000; i++) {
            replies.add(sender.send(MessageBuilder.to(ORDERS).bytes(body).build()));
            sender.session().flush();
            if (!sender.session().writable()) {
                sender.await("the session to be writable again", sender.session()::writable);
            }
        }
        sender.sync();
        assertThat(replies).allMatch(Reply::isDone);
    }

    @Test
    void aClosedSessionRefusesCommands() {
        Peer peer = peer();
        peer.awaitDone(peer.close());
        Reply late;
        try {
            late = peer.send(text(ORDERS, "late"));
            peer.session().flush();
        } catch (BrokerException refusal) {
            assertThat(refusal.code()).isEqualTo(ErrorCode.CLOSED);
            return;
        }
        assertThat(peer.awaitRefusal(late)).isEqualTo(ErrorCode.CLOSED);
    }
}
