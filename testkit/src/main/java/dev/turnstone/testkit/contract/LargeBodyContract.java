package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.DeadLetter;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bodies that are stored apart from their messages. */
public abstract class LargeBodyContract extends BrokerContract {
    private static final int CHUNK = 1_000;
    private static final int LENGTH = 4_321;

    @Override
    Map<String, String> limits() {
        return Map.of(
                "message.bytesMax", "2000",
                "message.chunkBytes", Integer.toString(CHUNK),
                "message.largeBytesMax", "10000",
                "body.chunksMax", "4",
                "session.bodiesMax", "3");
    }

    /** How many chunks the broker keeps when it has deleted what nobody holds. */
    protected abstract int chunksKept();

    private void awaitChunks(int count) {
        Peer idle = peer();
        idle.await(count + " chunks are left", () -> {
            idle.sync();
            return chunksKept() == count;
        });
    }

    private static byte[] content(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void upload(Peer peer, long body, byte[] content, boolean persistent) {
        Reply started = peer.reply("start");
        peer.session().bodies().start(body, persistent, started);
        for (int at = 0; at < content.length; at += CHUNK) {
            Reply stored = peer.reply("append");
            ByteBuffer chunk = ByteBuffer.wrap(content, at, Math.min(CHUNK, content.length - at));
            peer.session().bodies().append(body, chunk, stored);
            peer.session().flush();
            peer.awaitDone(stored);
        }
        peer.awaitDone(started);
    }

    private static Message message(Address to) {
        return MessageBuilder.to(to)
                .id("ID:1")
                .property("colour", "red")
                .storedBody(BodyKind.BYTES)
                .build();
    }

    private static void send(Peer peer, Address to, byte[] content) {
        upload(peer, 1, content, true);
        peer.awaitDone(peer.send(Send.of(message(to)).withBody(1)));
        peer.session().bodies().close(1);
        peer.session().flush();
    }

    private static byte[] download(Peer peer, long body, Message message) {
        Reply opened = peer.reply("open");
        peer.session().bodies().open(body, message, opened);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (long chunk = 0; chunk * message.storedChunkBytes() < message.bodyLength(); chunk++) {
            Reply read = peer.reply("read");
            peer.session()
                    .bodies()
                    .read(
                            body,
                            chunk,
                            content -> {
                                byte[] bytes = new byte[content.remaining()];
                                content.get(bytes);
                                all.writeBytes(bytes);
                            },
                            read);
            peer.session().flush();
            peer.awaitDone(read);
        }
        peer.awaitDone(opened);
        peer.session().bodies().close(body);
        peer.session().flush();
        return all.toByteArray();
    }

    private static Delivery one(Peer peer, int consumer, Address from) {
        peer.consume(consumer, from, 10);
        return peer.awaitDeliveries(consumer, 1).get(0);
    }

    @Test
    void aLargeBodyIsDeliveredAsItWasSentAndFreedWithItsMessage() {
        byte[] content = content(1, LENGTH);
        Peer sender = peer();
        send(sender, ORDERS, content);
        Peer consumer = peer();
        Delivery delivery = one(consumer, 1, ORDERS);
        assertThat(delivery.message().hasStoredBody()).isTrue();
        assertThat(delivery.message().bodyLength()).isEqualTo(LENGTH);
        assertThat(delivery.message().property("colour")).isEqualTo("red");
        assertThat(download(consumer, 7, delivery.message())).isEqualTo(content);
        assertThat(chunksKept()).isEqualTo(5);
        consumer.awaitDone(consumer.settle(delivery, Outcome.ACCEPTED));
        awaitChunks(0);
    }

    @Test
    void aBodyOfWholeChunksIsComplete() {
        byte[] content = content(2, 3 * CHUNK);
        send(peer(), ORDERS, content);
        Peer consumer = peer();
        assertThat(download(consumer, 7, one(consumer, 1, ORDERS).message())).isEqualTo(content);
    }

    @Test
    void itSurvivesARestartWholeAndWhatWasNotSentIsGone() {
        byte[] content = content(3, LENGTH);
        Peer sender = peer();
        send(sender, ORDERS, content);
        upload(sender, 2, content(4, LENGTH), true);
        assertThat(chunksKept()).isEqualTo(10);
        host().restart();
        awaitChunks(5);
        Peer consumer = peer();
        Delivery delivery = one(consumer, 1, ORDERS);
        assertThat(download(consumer, 7, delivery.message())).isEqualTo(content);
        consumer.awaitDone(consumer.settle(delivery, Outcome.ACCEPTED));
        awaitChunks(0);
        host().restart();
        awaitChunks(0);
    }

    @Test
    void aSessionThatEndsLeavesNothingOfAnUpload() {
        Peer sender = peer();
        upload(sender, 2, content(4, LENGTH), true);
        assertThat(chunksKept()).isEqualTo(5);
        sender.lose();
        awaitChunks(0);
    }

    @Test
    void subscribersReadIndependentlyWhatIsStoredOnce() {
        Peer first = peer("first");
        Peer second = peer("second");
        SubscriptionName ofFirst = new SubscriptionName("first", "s");
        first.consume(new Subscribe(1, PRICES, ofFirst, null, false), 10);
        second.consume(new Subscribe(1, PRICES, new SubscriptionName("second", "s"), null, false), 10);
        byte[] content = content(5, LENGTH);
        send(peer(), PRICES, content);
        Delivery one = first.awaitDeliveries(1, 1).get(0);
        Delivery two = second.awaitDeliveries(1, 1).get(0);
        assertThat(chunksKept()).isEqualTo(5);
        assertThat(download(first, 7, one.message())).isEqualTo(content);
        first.awaitDone(first.settle(one, Outcome.ACCEPTED));
        first.sync();
        assertThat(chunksKept()).isEqualTo(5);
        assertThat(download(second, 7, two.message())).isEqualTo(content);
        second.awaitDone(second.settle(two, Outcome.ACCEPTED));
        awaitChunks(0);
    }

    @Test
    void whoHasTakenHoldOfABodyReadsItThoughTheMessageIsConsumed() {
        byte[] content = content(6, LENGTH);
        send(peer(), ORDERS, content);
        Peer consumer = peer();
        Delivery delivery = one(consumer, 1, ORDERS);
        Reply opened = consumer.reply("open");
        consumer.session().bodies().open(1, delivery.message(), opened);
        consumer.awaitDone(consumer.settle(delivery, Outcome.ACCEPTED));
        consumer.awaitDone(opened);
        assertThat(download(consumer, 2, delivery.message())).isEqualTo(content);
        consumer.session().bodies().close(1);
        consumer.sync();
        awaitChunks(0);
        Reply tooLate = consumer.reply("open");
        consumer.session().bodies().open(3, delivery.message(), tooLate);
        consumer.session().flush();
        assertThat(consumer.awaitRefusal(tooLate)).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
    }

    @Test
    void whatWasReceivedIsSentOnWithoutBeingStoredAgain() {
        byte[] content = content(7, LENGTH);
        send(peer(), ORDERS, content);
        Peer consumer = peer();
        Delivery delivery = one(consumer, 1, ORDERS);
        Reply opened = consumer.reply("open");
        consumer.session().bodies().open(1, delivery.message(), opened);
        Message on = delivery.message().toBuilder(BILLS).build();
        consumer.awaitDone(consumer.send(Send.of(on).withBody(1)));
        consumer.awaitDone(consumer.settle(delivery, Outcome.ACCEPTED));
        consumer.session().bodies().close(1);
        consumer.sync();
        assertThat(chunksKept()).isEqualTo(5);
        assertThat(download(consumer, 2, one(consumer, 2, BILLS).message())).isEqualTo(content);
    }

    @Test
    void aCommitHasItAndARollbackFreesIt() {
        Peer sender = peer();
        upload(sender, 1, content(8, LENGTH), true);
        sender.begin(1);
        sender.send(new Send(message(ORDERS), 1).withBody(1));
        sender.session().bodies().close(1);
        sender.sync();
        assertThat(chunksKept()).isEqualTo(5);
        sender.awaitDone(sender.rollback(1));
        awaitChunks(0);
        byte[] content = content(9, LENGTH);
        upload(sender, 1, content, true);
        sender.begin(2);
        sender.send(new Send(message(ORDERS), 2).withBody(1));
        sender.session().bodies().close(1);
        sender.awaitDone(sender.commit(2));
        host().restart();
        Peer consumer = peer();
        Delivery delivery = one(consumer, 1, ORDERS);
        consumer.begin(1);
        consumer.settle(delivery, Outcome.ACCEPTED, 1);
        consumer.awaitDone(consumer.rollback(1));
        Delivery again = consumer.awaitDeliveries(1, 2).get(1);
        assertThat(again.redelivered()).isTrue();
        assertThat(download(consumer, 7, again.message())).isEqualTo(content);
        consumer.begin(2);
        consumer.settle(again, Outcome.ACCEPTED, 2);
        consumer.awaitDone(consumer.commit(2));
        awaitChunks(0);
    }

    @Test
    void aRejectedMessageTakesItsBodyToTheDeadLetters() {
        byte[] content = content(10, LENGTH);
        send(peer(), ORDERS, content);
        Peer consumer = peer();
        Delivery delivery = one(consumer, 1, ORDERS);
        consumer.awaitDone(consumer.settle(delivery, Outcome.REJECTED));
        Delivery dead = one(consumer, 2, Address.queue("DLQ"));
        assertThat(dead.message().property(DeadLetter.REASON)).isNotNull();
        assertThat(download(consumer, 7, dead.message())).isEqualTo(content);
        consumer.awaitDone(consumer.settle(dead, Outcome.ACCEPTED));
        awaitChunks(0);
    }

    @Test
    void anExpiredMessageFreesItsBody() {
        Peer sender = peer();
        upload(sender, 1, content(11, LENGTH), true);
        Message brief =
                message(ORDERS).toBuilder().expiryMs(host().nowMs() + 50).build();
        sender.awaitDone(sender.send(Send.of(brief).withBody(1)));
        sender.session().bodies().close(1);
        sender.sync();
        host().pass(java.time.Duration.ofMillis(200));
        sender.consume(1, ORDERS, 1);
        awaitChunks(0);
    }

    @Test
    void aBrowserReadsItToo() {
        byte[] content = content(12, LENGTH);
        send(peer(), ORDERS, content);
        Peer browser = peer();
        browser.consume(Subscribe.browse(1, ORDERS, null), 10);
        Delivery shown = browser.awaitDeliveries(1, 1).get(0);
        assertThat(download(browser, 7, shown.message())).isEqualTo(content);
        assertThat(chunksKept()).isEqualTo(5);
    }

    @Test
    void aSecondCopyLeavesNothing() {
        Peer sender = peer();
        for (int i = 0; i < 2; i++) {
            upload(sender, 1, content(13, LENGTH), true);
            sender.awaitDone(sender.send(new Send(message(ORDERS), Session.NO_TRANSACTION)
                    .with(DedupId.of("x"))
                    .withBody(1)));
            sender.session().bodies().close(1);
            sender.sync();
        }
        awaitChunks(5);
    }

    @Test
    void nobodyKeepsWhatNobodyGets() {
        Peer sender = peer();
        send(sender, PRICES, content(14, LENGTH));
        awaitChunks(0);
    }

    @Test
    void aFleetingMessageHasAFleetingBodyAndAPersistentOneRefusesIt() {
        Peer sender = peer();
        byte[] content = content(15, LENGTH);
        upload(sender, 1, content, false);
        assertThat(sender.awaitRefusal(sender.send(Send.of(message(ORDERS)).withBody(1))))
                .isEqualTo(ErrorCode.INVALID_MESSAGE);
        Message fleeting = message(ORDERS).toBuilder().persistent(false).build();
        sender.awaitDone(sender.send(Send.of(fleeting).withBody(1)));
        sender.session().bodies().close(1);
        Peer consumer = peer();
        assertThat(download(consumer, 7, one(consumer, 1, ORDERS).message())).isEqualTo(content);
        host().restart();
        awaitChunks(0);
    }

    @Test
    void limitsAndMistakesHaveTheirErrors() {
        Peer peer = peer();
        assertThat(peer.awaitRefusal(peer.send(Send.of(message(ORDERS)))))
                .as("a body that was not stored")
                .isEqualTo(ErrorCode.INVALID_MESSAGE);
        Reply started = peer.reply("start");
        peer.session().bodies().start(1, true, started);
        peer.session().flush();
        peer.awaitDone(started);
        Reply tooLong = peer.reply("append");
        peer.session().bodies().append(1, ByteBuffer.allocate(CHUNK + 1), tooLong);
        peer.session().flush();
        assertThat(peer.awaitRefusal(tooLong)).isEqualTo(ErrorCode.INVALID_MESSAGE);
        for (int i = 0; i < 10; i++) {
            Reply stored = peer.reply("append");
            peer.session().bodies().append(1, ByteBuffer.allocate(CHUNK), stored);
            peer.session().flush();
            peer.awaitDone(stored);
        }
        Reply tooMany = peer.reply("append");
        peer.session().bodies().append(1, ByteBuffer.allocate(1), tooMany);
        peer.session().flush();
        assertThat(peer.awaitRefusal(tooMany)).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        awaitChunks(0);
        for (long body = 1; body <= 3; body++) {
            peer.session().bodies().start(body, true, peer.reply("start"));
        }
        Reply fourth = peer.reply("start");
        peer.session().bodies().start(4, true, fourth);
        peer.session().flush();
        assertThat(peer.awaitRefusal(fourth)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThatThrownBy(() -> message(ORDERS).body()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSettleOfManyFreesThemAll() {
        Peer sender = peer();
        for (int i = 0; i < 3; i++) {
            send(sender, ORDERS, content(i, LENGTH));
        }
        Peer consumer = peer();
        consumer.consume(1, ORDERS, 10);
        consumer.awaitDeliveries(1, 3);
        consumer.awaitDone(consumer.settle(new Settle(1, 1, 3, Outcome.ACCEPTED, Session.NO_TRANSACTION)));
        awaitChunks(0);
    }
}
