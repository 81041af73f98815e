package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What frames become at the port. */
class StompSessionTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension
    final ScriptedListener scripted = new ScriptedListener();

    static Stream<Arguments> refused() {
        return Stream.concat(refusedSends(), refusedOthers());
    }

    private static Stream<Arguments> refusedSends() {
        return Stream.of(
                arguments("SEND\n\nx", "SEND needs the header 'destination'"),
                arguments("SEND\ndestination:a\n\nx", "a destination begins with /queue/ or /topic/, unlike 'a'"),
                arguments(
                        "SEND\ndestination:/queue/a\npriority:10\n\nx",
                        "the header 'priority' must be a number from 0 to 9"),
                arguments(
                        "SEND\ndestination:/queue/a\npersistent:no\n\nx",
                        "the header 'persistent' must be true or false"),
                arguments(
                        "SEND\ndestination:/queue/a\nexpires:soon\n\nx", "the header 'expires' must be a whole number"),
                arguments("SEND\ndestination:/queue/a\ntransaction:t\n\nx", "no transaction 't' has begun"));
    }

    private static Stream<Arguments> refusedOthers() {
        return Stream.of(
                arguments("SUBSCRIBE\nid:1\n\n", "SUBSCRIBE needs the header 'destination'"),
                arguments("SUBSCRIBE\ndestination:/queue/a\n\n", "SUBSCRIBE needs the header 'id'"),
                arguments(
                        "SUBSCRIBE\nid:1\ndestination:/queue/a\nack:x\n\n",
                        "the header 'ack' must be auto, client or client-individual, not 'x'"),
                arguments(
                        "SUBSCRIBE\nid:1\ndestination:/queue/a\nprefetch-count:0\n\n",
                        "the header 'prefetch-count' must be a number from 1 to 100000"),
                arguments(
                        "SUBSCRIBE\nid:1\ndestination:/topic/a\ndurable-subscription-name:d\n\n",
                        "a durable subscription needs the header 'client-id' on CONNECT"),
                arguments("UNSUBSCRIBE\nid:1\n\n", "no subscription '1'"),
                arguments("ACK\n\n", "ACK needs the header 'id'"),
                arguments("ACK\nid:nothing\n\n", "no delivery 'nothing' waits for an acknowledgement"),
                arguments("NACK\nid:1-1\n\n", "no delivery 1-1 waits for an acknowledgement"),
                arguments("BEGIN\n\n", "BEGIN needs the header 'transaction'"),
                arguments("COMMIT\ntransaction:t\n\n", "no transaction 't' has begun"),
                arguments("ABORT\ntransaction:t\n\n", "no transaction 't' has begun"),
                arguments("CONNECT\n\n", "the client is connected already"),
                arguments("MESSAGE\n\n", "MESSAGE is for the broker to send"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aFrameThatCannotBeCarriedOutIsAnErrorWithItsReceiptAndTheEnd(String frame, String complaint)
            throws IOException {
        int headEnd = frame.indexOf('\n') + 1;
        try (StompClient client = scripted.listener().connect()) {
            client.raw(frame.substring(0, headEnd) + "receipt:r9\n" + frame.substring(headEnd) + "^@");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo(complaint);
            assertThat(error.header("receipt-id")).isEqualTo("r9");
        }
    }

    @Test
    void s07_aTransactionsNameMayNotBeginTwiceButMayComeAgainAfterItsEnd() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.begin("t");
            client.commit("t");
            client.begin("t");
            client.abort("t");
            client.begin("t");
            client.begin("t");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("the transaction 't' has begun already");
        }
        assertThat(scripted.session().commands())
                .containsSubsequence("begin 1", "commit 1", "begin 2", "rollback 2", "begin 3");
    }

    @Test
    void s08_aClientAcknowledgementCoversEarlierDeliveriesOfItsOwnSubscriptionOnly() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/queue/a", "client", "prefetch-count", "5");
            client.subscribe("b", "/queue/b", "client");
            for (int number = 1; number <= 3; number++) {
                scripted.session().deliver(ScriptedListener.delivery(1, number, new byte[1]));
                scripted.session().deliver(ScriptedListener.delivery(2, number, new byte[1]));
            }
            StompFrame last = null;
            for (int i = 0; i < 6; i++) {
                StompFrame frame = client.message(SOON);
                last = "a".equals(frame.header("subscription")) ? frame : last;
            }
            client.confirmed("ACK", "id", last.header("ack"));
        }
        assertThat(scripted.session().commands()).contains("credit 1 5", "settle 1 1..3 ACCEPTED tx 0", "credit 1 3");
        assertThat(scripted.session().commands()).noneMatch(it -> it.startsWith("settle 2"));
    }

    @Test
    void s08_individualAcknowledgementsCoverOneDelivery() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/queue/a", "client-individual");
            scripted.session().deliver(ScriptedListener.delivery(1, 1, new byte[1]));
            scripted.session().deliver(ScriptedListener.delivery(1, 2, new byte[1]));
            client.message(SOON);
            client.nack(client.message(SOON), "receipt", "n");
            client.awaitReceipt("n");
        }
        assertThat(scripted.session().commands())
                .contains("settle 1 2..2 MODIFIED tx 0")
                .doesNotContain("settle 1 1..2 MODIFIED tx 0");
    }

    @Test
    void s08_twoSubscriptionsGetDistinctAckIdsForTheSameMessage() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/topic/a", "client-individual");
            client.subscribe("b", "/topic/a", "client-individual");
            scripted.session().deliver(ScriptedListener.delivery(1, 1, new byte[1]));
            scripted.session().deliver(ScriptedListener.delivery(2, 1, new byte[1]));
            StompFrame one = client.message(SOON);
            StompFrame two = client.message(SOON);
            assertThat(one.header("message-id")).isEqualTo(two.header("message-id"));
            assertThat(one.header("ack")).isNotNull().isNotEqualTo(two.header("ack"));
        }
    }

    @Test
    void s08_theAckHeaderIsThereUnlessTheModeIsAuto() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/queue/a", "auto");
            scripted.session().deliver(ScriptedListener.delivery(1, 1, new byte[1]));
            assertThat(client.message(SOON).headers()).doesNotContainKey("ack");
        }
    }

    @Test
    void s08_version11AcknowledgesByMessageIdAndSubscription() throws IOException {
        try (StompClient client = scripted.listener().connectWith("1.1")) {
            client.subscribe("a", "/queue/a", "client");
            scripted.session().deliver(ScriptedListener.delivery(1, 1, new byte[1]));
            StompFrame message = client.message(SOON);
            assertThat(message.headers()).doesNotContainKey("ack");
            client.confirmed("ACK", "message-id", message.header("message-id"), "subscription", "a");
            assertThat(scripted.session().commands()).contains("settle 1 1..1 ACCEPTED tx 0");
            client.command("ACK", null, "message-id", message.header("message-id"), "subscription", "other");
            assertThat(client.awaitError(SOON).header("message")).contains("was not delivered to that subscription");
        }
    }

    @Test
    void s08_whatIsAcknowledgedAlreadyCannotBeAcknowledgedAgain() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/queue/a", "client");
            scripted.session().deliver(ScriptedListener.delivery(1, 1, new byte[1]));
            scripted.session().deliver(ScriptedListener.delivery(1, 2, new byte[1]));
            StompFrame first = client.message(SOON);
            client.ack(client.message(SOON));
            client.nack(first, "receipt", "late");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("delivery 1 of the subscription is acknowledged already");
            assertThat(error.header("receipt-id")).isEqualTo("late");
        }
    }

    @Test
    void aNackInATransactionGoesBackAtItsEnd() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/queue/a", "client-individual");
            scripted.session().deliver(ScriptedListener.delivery(1, 1, new byte[1]));
            client.begin("t");
            client.nack(client.message(SOON), "transaction", "t", "receipt", "n");
            client.awaitReceipt("n");
            assertThat(scripted.session().commands()).noneMatch(it -> it.startsWith("settle"));
            client.commit("t");
        }
        assertThat(scripted.session().commands())
                .containsSubsequence("begin 1", "settle 1 1..1 MODIFIED tx 0", "commit 1");
    }

    @Test
    void s11_theProtocolsOwnHeadersDoNotBecomeProperties() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.sendConfirmed(
                    "/queue/a",
                    "x",
                    "mine",
                    "1",
                    "message-id",
                    "m",
                    "subscription",
                    "s",
                    "ack",
                    "a",
                    "redelivered",
                    "true");
        }
        assertThat(scripted.session().sent().get(0).properties()).containsOnlyKeys("mine", "content-type");
    }

    @Test
    void s19_theContentTypeDecidesBetweenTextAndBytesThenTheContentLength() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.raw("SEND\ndestination:/queue/a\n\nt^@");
            client.raw("SEND\ndestination:/queue/a\ncontent-length:1\n\nb^@");
            client.raw("SEND\ndestination:/queue/a\ncontent-type:text/plain\ncontent-length:1\n\nt^@");
            client.raw("SEND\ndestination:/queue/a\ncontent-type:application/octet-stream\n\nb^@");
            client.raw("SEND\ndestination:/queue/a\ncontent-type:application/xml;charset=utf-8\n\nt^@");
            client.raw("SEND\ndestination:/queue/a\ncontent-type:text/plain;charset=utf-16\n\nb^@");
            client.raw(new byte[] {'S', 'E', 'N', 'D', '\n'});
            client.raw("destination:/queue/a\nreceipt:r\n\n");
            client.raw(new byte[] {(byte) 0xC3, 0});
            client.awaitReceipt("r");
        }
        List<String> kinds = scripted.session().sent().stream()
                .map(message -> message.bodyKind().name())
                .toList();
        assertThat(kinds).containsExactly("TEXT", "BYTES", "TEXT", "BYTES", "TEXT", "BYTES", "BYTES");
    }

    @ParameterizedTest
    @EnumSource(BodyKind.class)
    void s11_everyKindOfMessageIsDelivered(BodyKind kind) throws IOException {
        Message message = MessageBuilder.to(Address.topic("t"))
                .correlationBytes(new byte[] {0, (byte) 0xAB})
                .property("none", null)
                .property("large", "x".repeat(20_000))
                .body(kind, ByteBuffer.wrap(new byte[] {1, 0, 2}))
                .build();
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/topic/t", "auto");
            scripted.session().deliver(new Delivery(1, 1, 17, message, 3, true));
            StompFrame frame = client.message(SOON);
            assertThat(frame.body()).containsExactly(1, 0, 2);
            assertThat(frame.headers())
                    .containsEntry("message-id", "P:17")
                    .containsEntry("correlation-id", "00ab")
                    .containsEntry("redelivered", "true")
                    .containsEntry("delivery-count", "3")
                    .doesNotContainKeys("none", "timestamp", "expires", "priority", "reply-to", "type");
            assertThat(frame.header("large")).hasSize(20_000);
            assertThat(frame.header("content-type"))
                    .isEqualTo(
                            switch (kind) {
                                case NONE, BYTES -> null;
                                case TEXT -> "text/plain";
                                case MAP -> "application/vnd.turnstone.map";
                                case STREAM -> "application/vnd.turnstone.stream";
                                case OBJECT -> "application/vnd.turnstone.object";
                            });
        }
    }
}
