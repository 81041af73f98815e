package dev.turnstone.itests.stomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.stomp.StompRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledging, refusing, transactions and subscriptions: the cases S06 to S08, S10 and S18. */
class StompDeliveryTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @TempDir
    Path data;

    private StompBroker broker;

    @BeforeEach
    void start() {
        broker = new StompBroker(data);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void restart() {
        broker.close();
        broker = new StompBroker(data);
    }

    /** Everything that waits in a queue, which is empty afterwards. */
    private List<String> drain(String destination) throws IOException {
        List<String> bodies = new ArrayList<>();
        try (StompClient client = broker.connect()) {
            client.subscribe("drain", destination, "auto");
            StompFrame message = client.pollMessage(A_MOMENT);
            while (message != null) {
                bodies.add(message.text());
                message = client.pollMessage(A_MOMENT);
            }
            client.disconnect();
        }
        return bodies;
    }

    @Test
    void aConfirmedMessageSurvivesARestartAndANonPersistentOneDoesNot() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/a", "kept");
            client.sendConfirmed("/queue/a", "lost", "persistent", "false");
        }
        restart();
        assertThat(drain("/queue/a")).containsExactly("kept");
    }

    @Test
    void aTopicGivesEachMessageToEverySubscription() throws IOException {
        try (StompClient one = broker.connect();
                StompClient two = broker.connect()) {
            one.subscribe("s", "/topic/t", "auto");
            two.subscribe("s", "/topic/t", "auto");
            one.sendConfirmed("/topic/t", "x");
            assertThat(one.message(SOON).text()).isEqualTo("x");
            assertThat(two.message(SOON).text()).isEqualTo("x");
        }
    }

    @Test
    void s06_aCommitMovesAMessageFromOneQueueToAnother() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/in", "x");
            client.subscribe("s", "/queue/in", "client-individual");
            StompFrame x = client.message(SOON);
            client.begin("t");
            client.send("/queue/out", "m1", "transaction", "t");
            client.ack(x, "transaction", "t");
            client.confirmed("BEGIN", "transaction", "other");
            assertThat(drain("/queue/out")).isEmpty();
            client.commit("t");
        }
        restart();
        assertThat(drain("/queue/out")).containsExactly("m1");
        assertThat(drain("/queue/in")).isEmpty();
    }

    @Test
    void s06_anAbortGivesTheAcknowledgedMessageBackFlagged() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/in", "x");
            client.subscribe("s", "/queue/in", "client-individual");
            StompFrame x = client.message(SOON);
            client.begin("t");
            client.send("/queue/out", "m1", "transaction", "t");
            client.ack(x, "transaction", "t");
            client.abort("t");
            StompFrame again = client.message(SOON);
            assertThat(again.text()).isEqualTo("x");
            assertThat(again.headers()).containsEntry("redelivered", "true").containsEntry("delivery-count", "2");
            client.ack(again, "receipt", "r");
            client.awaitReceipt("r");
        }
        assertThat(drain("/queue/out")).isEmpty();
        assertThat(drain("/queue/in")).isEmpty();
    }

    @Test
    void s07_twoTransactionsOfAConnectionDoNotMix() throws IOException {
        try (StompClient client = broker.connect()) {
            for (String body : List.of("1", "2", "3")) {
                client.sendConfirmed("/queue/in", body);
            }
            client.subscribe("s", "/queue/in", "client-individual");
            StompFrame one = client.message(SOON);
            StompFrame two = client.message(SOON);
            StompFrame three = client.message(SOON);
            client.begin("a");
            client.begin("b");
            client.ack(one, "transaction", "a");
            client.send("/queue/out", "a", "transaction", "a");
            client.ack(two, "transaction", "b");
            client.send("/queue/out", "b", "transaction", "b");
            client.commit("a");
            // The commit has not touched what is pending elsewhere: two in b, three in nobody's hands.
            client.ack(three, "receipt", "r");
            client.awaitReceipt("r");
            client.abort("b");
            assertThat(client.message(SOON).text()).isEqualTo("2");
        }
        assertThat(drain("/queue/out")).containsExactly("a");
        assertThat(drain("/queue/in")).containsExactly("2");
    }

    @Test
    void s07_disconnectWithoutCommitAborts() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/in", "x");
            client.subscribe("s", "/queue/in", "client");
            client.begin("t");
            client.ack(client.message(SOON), "transaction", "t");
            client.send("/queue/out", "m1", "transaction", "t");
            client.disconnect();
        }
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/in", "client");
            StompFrame x = client.message(SOON);
            assertThat(x.text()).isEqualTo("x");
            assertThat(x.header("redelivered")).isEqualTo("true");
        }
        assertThat(drain("/queue/out")).isEmpty();
    }

    @Test
    void s07_anAcknowledgementInATransactionCannotBeRepeated() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/in", "x");
            client.subscribe("s", "/queue/in", "client-individual");
            StompFrame x = client.message(SOON);
            client.begin("t");
            client.ack(x, "transaction", "t");
            client.ack(x, "receipt", "twice");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.headers())
                    .containsEntry("receipt-id", "twice")
                    .containsEntry("error-code", "NO_SUCH_DELIVERY");
        }
        assertThat(drain("/queue/in")).containsExactly("x");
    }

    @Test
    void s08_aClientAcknowledgementCoversWhatCameBeforeOnItsSubscriptionAlone() throws IOException {
        try (StompClient client = broker.connect()) {
            for (int i = 1; i <= 3; i++) {
                client.sendConfirmed("/queue/a", "a" + i);
                client.sendConfirmed("/queue/b", "b" + i);
            }
            client.subscribe("a", "/queue/a", "client");
            client.subscribe("b", "/queue/b", "client");
            StompFrame second = null;
            for (int i = 0; i < 6; i++) {
                StompFrame message = client.message(SOON);
                second = message.text().equals("a2") ? message : second;
            }
            client.confirmed("ACK", "id", second.header("ack"));
            client.disconnect();
        }
        assertThat(drain("/queue/a")).containsExactly("a3");
        assertThat(drain("/queue/b")).containsExactly("b1", "b2", "b3");
    }

    @Test
    void s08_individualAcknowledgementsCoverOneMessage() throws IOException {
        try (StompClient client = broker.connect()) {
            for (int i = 1; i <= 3; i++) {
                client.sendConfirmed("/queue/a", "a" + i);
            }
            client.subscribe("a", "/queue/a", "client-individual");
            client.message(SOON);
            client.message(SOON);
            client.ack(client.message(SOON), "receipt", "r");
            client.awaitReceipt("r");
            client.disconnect();
        }
        assertThat(drain("/queue/a")).containsExactly("a1", "a2");
    }

    @Test
    void s08_anUnknownAcknowledgementIsAnErrorWithItsReceipt() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("a", "/queue/a", "client");
            client.command("ACK", null, "id", "1-1", "receipt", "r");
            assertThat(client.awaitError(SOON).header("receipt-id")).isEqualTo("r");
        }
    }

    @Test
    void s08_theOlderVersionsAcknowledgeByMessageId() throws IOException {
        for (String version : List.of("1.0", "1.1")) {
            try (StompClient client = broker.connectWith(version)) {
                client.sendConfirmed("/queue/a", "x");
                client.subscribe("s", "/queue/a", "client");
                StompFrame message = client.message(SOON);
                client.confirmed("ACK", "message-id", message.header("message-id"), "subscription", "s");
                client.disconnect();
            }
            assertThat(drain("/queue/a")).isEmpty();
        }
    }

    @Test
    void s10_aNackGivesTheMessageBackFlaggedAndCounted() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/a", "x");
            client.subscribe("s", "/queue/a", "client-individual");
            client.nack(client.message(SOON));
            for (int attempt = 2; attempt <= 4; attempt++) {
                StompFrame again = client.message(SOON);
                assertThat(again.text()).isEqualTo("x");
                assertThat(again.headers())
                        .containsEntry("redelivered", "true")
                        .containsEntry("delivery-count", Integer.toString(attempt));
                client.nack(again);
            }
            client.disconnect();
        }
        assertThat(drain("/queue/a")).containsExactly("x");
    }

    @Test
    void whatWasNotSettledComesBackFlaggedAfterALostConnection() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/a", "x");
            client.subscribe("s", "/queue/a", "client");
            assertThat(client.message(SOON).headers()).doesNotContainKey("redelivered");
        }
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/a", "client");
            assertThat(client.message(SOON).header("redelivered")).isEqualTo("true");
        }
    }

    @Test
    void noMoreThanThePrefetchCountIsUnsettledAtATime() throws IOException {
        try (StompClient client = broker.connect()) {
            for (int i = 1; i <= 5; i++) {
                client.sendConfirmed("/queue/a", "a" + i);
            }
            client.subscribe("s", "/queue/a", "client-individual", "prefetch-count", "2");
            StompFrame one = client.message(SOON);
            client.message(SOON);
            assertThat(client.pollMessage(A_MOMENT)).isNull();
            client.ack(one);
            assertThat(client.message(SOON).text()).isEqualTo("a3");
            assertThat(client.pollMessage(A_MOMENT)).isNull();
        }
    }

    @Test
    void aTransactionMayAcknowledgeMoreThanThePrefetchCount() throws IOException {
        try (StompClient client = broker.connect()) {
            for (int i = 1; i <= 10; i++) {
                client.sendConfirmed("/queue/a", "a" + i);
            }
            client.subscribe("s", "/queue/a", "client", "prefetch-count", "2");
            client.begin("t");
            for (int i = 1; i <= 10; i++) {
                client.ack(client.message(SOON), "transaction", "t");
            }
            client.commit("t");
        }
        assertThat(drain("/queue/a")).isEmpty();
    }

    @Test
    void whatWasReceivedBeforeUnsubscribeMayStillBeAcknowledged() throws IOException {
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/a", "x");
            client.subscribe("s", "/queue/a", "client-individual");
            StompFrame message = client.message(SOON);
            client.unsubscribe("s");
            client.sendConfirmed("/queue/a", "y");
            assertThat(client.pollMessage(A_MOMENT)).isNull();
            client.ack(message, "receipt", "r");
            client.awaitReceipt("r");
        }
        assertThat(drain("/queue/a")).containsExactly("y");
    }

    @Test
    void aSelectorChoosesByHeader() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/a", "auto", "selector", "colour = 'red'");
            client.send("/queue/a", "b", "colour", "blue");
            client.send("/queue/a", "r", "colour", "red");
            assertThat(client.message(SOON).text()).isEqualTo("r");
            Assertions.assertThatThrownBy(() -> client.subscribe("t", "/queue/a", "auto", "selector", "colour ="))
                    .isInstanceOf(StompRefusedException.class)
                    .hasMessageContaining("INVALID_SELECTOR");
        }
    }

    @Test
    void s18_aDurableSubscriptionKeepsWhatItsClientMissed() throws IOException {
        String[] durable = {"durable-subscription-name", "news"};
        try (StompClient client = broker.connect("client-id", "me")) {
            client.subscribe("s", "/topic/t", "client", durable);
            client.disconnect();
        }
        try (StompClient publisher = broker.connect()) {
            for (int i = 1; i <= 3; i++) {
                publisher.sendConfirmed("/topic/t", "n" + i);
            }
        }
        restart();
        try (StompClient client = broker.connect("client-id", "me")) {
            client.subscribe("s", "/topic/t", "client", durable);
            for (int i = 1; i <= 3; i++) {
                StompFrame message = client.message(SOON);
                assertThat(message.text()).isEqualTo("n" + i);
                client.ack(message);
            }
            client.unsubscribe("s", durable);
            client.sendConfirmed("/topic/t", "n4");
            client.subscribe("s", "/topic/t", "client", durable);
            assertThat(client.pollMessage(A_MOMENT)).isNull();
        }
    }

    @Test
    void s18_aSecondConsumerOfADurableSubscriptionIsAnError() throws IOException {
        String[] durable = {"durable-subscription-name", "news"};
        try (StompClient client = broker.connect("client-id", "me")) {
            client.subscribe("s", "/topic/t", "auto", durable);
            Assertions.assertThatThrownBy(() -> client.subscribe("t", "/topic/t", "auto", durable))
                    .isInstanceOf(StompRefusedException.class)
                    .hasMessageContaining("SUBSCRIPTION_IN_USE");
        }
    }

    @Test
    void aDurableSubscriptionIsDeletedWithWhatItsClientHasNotAcknowledged() throws IOException {
        String[] durable = {"durable-subscription-name", "news"};
        try (StompClient client = broker.connect("client-id", "me")) {
            client.subscribe("s", "/topic/t", "client", durable);
            client.sendConfirmed("/topic/t", "n1");
            client.message(SOON);
            client.unsubscribe("s", durable);
            client.subscribe("s", "/topic/t", "client", durable);
            assertThat(client.pollMessage(A_MOMENT)).isNull();
        }
    }

    @Test
    void aClientIdHasOneConnectionAtATime() throws IOException {
        try (StompClient first = broker.connect("client-id", "me")) {
            Assertions.assertThatThrownBy(() -> broker.connect("client-id", "me"))
                    .isInstanceOf(StompRefusedException.class)
                    .hasMessageContaining("CLIENT_ID_IN_USE");
            first.disconnect();
            broker.connect("client-id", "me").disconnect();
        }
    }

    @Test
    void aNackWithoutRequeueMakesADeadLetterWithItsReason() throws IOException {
        try (StompClient client = broker.connect()) {
            client.send("/queue/orders", "bad");
            client.subscribe("1", "/queue/orders", "client-individual");
            StompFrame message = client.message(SOON);
            client.nack(message, "requeue", "false", "reason", "cannot use it");
            client.subscribe("2", "/queue/DLQ", "auto");
            StompFrame dead = client.message(SOON);
            assertThat(dead.text()).isEqualTo("bad");
            assertThat(dead.header("JMS_TURNSTONE_DEAD_REASON")).isEqualTo("rejected");
            assertThat(dead.header("JMS_TURNSTONE_ORIGINAL_ADDRESS")).isEqualTo("queue:orders");
            assertThat(dead.header("JMS_TURNSTONE_EXCEPTION")).isEqualTo("cannot use it");
        }
    }
}
