package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.stomp.StompRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StompConnectionTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    private final ScriptedBroker broker = new ScriptedBroker();
    private StompListener listener;

    @BeforeEach
    void listen() {
        listener = new StompListener(broker, "lingerMs", "1000", "heartBeatMs", "100");
    }

    @AfterEach
    void close() throws Exception {
        listener.close();
    }

    private ScriptedSession session() {
        if (broker.sessions.isEmpty()) {
            await().until(() -> !broker.sessions.isEmpty());
        }
        return broker.sessions.get(broker.sessions.size() - 1);
    }

    private static Delivery delivery(int consumer, long number, byte[] body) {
        Message message = MessageBuilder.to(Address.queue("a"))
                .id("m" + number)
                .bytes(body)
                .build();
        return new Delivery(consumer, number, number, message, 1, false);
    }

    @Test
    void connectCarriesUserPasswordAndClientIdToTheBroker() throws IOException {
        try (StompClient client = listener.connect("login", "u:1", "passcode", "p\\n", "client-id", "me")) {
            assertThat(broker.logins.get(0).user()).isEqualTo("u:1");
            assertThat(broker.logins.get(0).password()).isEqualTo("p\\n");
            assertThat(broker.logins.get(0).clientId()).isEqualTo("me");
            assertThat(broker.logins.get(0).protocol()).isEqualTo("stomp");
            client.disconnect();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.1", "1.2"})
    void eachVersionIsSpokenWhenAskedFor(String version) throws IOException {
        try (StompClient client = listener.connectWith(version)) {
            client.sendConfirmed("/queue/a", "hello", "k:\\", "v");
        }
        Message sent = session().sent().get(0);
        assertThat(sent.text()).isEqualTo("hello");
    }

    @Test
    void theStompFrameConnectsToo() throws IOException {
        try (StompClient client = listener.open()) {
            client.raw("STOMP\naccept-version:1.2\nhost:anything\n\n^@");
            assertThat(client.frame(SOON).header("version")).isEqualTo("1.2");
        }
    }

    @Test
    void withoutACommonVersionTheClientHearsWhichOnesThereAre() throws IOException {
        try (StompClient client = listener.open()) {
            client.raw("CONNECT\naccept-version:3.0\nhost:h\n\n^@");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("version")).isEqualTo("1.2,1.1,1.0");
            assertThat(error.text()).isEqualTo("Supported protocol versions are 1.2 1.1 1.0");
        }
    }

    @Test
    void aRefusedLoginIsAnError() throws IOException {
        broker.refusal = new BrokerException(ErrorCode.UNAUTHENTICATED, "unknown user or wrong password");
        try (StompClient client = listener.open()) {
            client.raw("CONNECT\naccept-version:1.2\nhost:h\nlogin:x\n\n^@");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("unknown user or wrong password");
            assertThat(error.header("error-code")).isEqualTo("UNAUTHENTICATED");
        }
    }

    @Test
    void s15_whoSaysNothingIsDroppedAtTheLoginTimeOut() throws Exception {
        try (StompListener impatient = new StompListener(broker, "loginTimeoutMs", "100");
                StompClient client = impatient.open()) {
            client.raw("CONNECT\naccept-");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("no login within 100 ms");
        }
    }

    @Test
    void aLoginThatTheBrokerDoesNotAnswerTimesOutToo() throws Exception {
        broker.answersLogins = false;
        try (StompListener impatient = new StompListener(broker, "loginTimeoutMs", "100");
                StompClient client = impatient.open()) {
            client.raw("CONNECT\naccept-version:1.2\nhost:h\n\n^@");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("no login within 100 ms");
        }
    }

    @Test
    void whatFollowsConnectInTheSameReadIsCarriedOut() throws IOException {
        try (StompClient client = listener.open()) {
            client.raw("CONNECT\naccept-version:1.2\nhost:h\n\n^@\nSEND\ndestination:/queue/a\nreceipt:1\n\nx^@");
            assertThat(client.frame(SOON).command()).isEqualTo("CONNECTED");
            assertThat(client.frame(SOON).header("receipt-id")).isEqualTo("1");
        }
    }

    @Test
    void theFramesOfOneReadArePostedOnce() throws IOException {
        try (StompClient client = listener.connect()) {
            client.raw("SEND\ndestination:/queue/a\n\n1^@SEND\ndestination:/queue/a\n\n2^@"
                    + "SEND\ndestination:/queue/a\nreceipt:r\n\n3^@");
            client.awaitReceipt("r");
            assertThat(session().sent()).hasSize(3);
            assertThat(session().flushes()).isEqualTo(1);
        }
    }

    @Test
    void aReceiptWaitsUntilTheBrokerConfirms() throws IOException {
        try (StompClient client = listener.connect()) {
            session().hold();
            client.send("/queue/a", "x", "receipt", "r1");
            await().until(() -> !session().commands().isEmpty());
            assertThatThrownBy(() -> client.frame(A_MOMENT)).isInstanceOf(java.net.SocketTimeoutException.class);
            session().confirmHeld();
            client.awaitReceipt("r1");
        }
    }

    @Test
    void anErrorComesAfterTheReceiptsOfEarlierFrames() throws IOException {
        try (StompClient client = listener.connect()) {
            session().hold();
            client.raw("SEND\ndestination:/queue/a\nreceipt:r1\n\nx^@NONSENSE\n");
            await().until(() -> session().commands().contains("sync"));
            session().confirmHeld();
            client.awaitReceipt("r1");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("unknown command 'NONSENSE'");
        }
        await().until(() -> broker.closedConnections == 1);
    }

    @Test
    void anErrorReachesAClientThatIsStillSending() throws IOException {
        try (StompClient client = listener.connect()) {
            client.raw("SEND\ndestination:/queue/a\nreceipt:big\n\n");
            byte[] piece = new byte[64 * 1024];
            java.util.Arrays.fill(piece, (byte) 'x');
            for (int i = 0; i < 40; i++) {
                client.raw(piece);
            }
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("body larger than 1048576 bytes");
            assertThat(error.header("receipt-id")).isEqualTo("big");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SEND\\n\\nx | SEND needs the header 'destination'",
                "SEND\\ndestination:a\\n\\nx | a destination begins with /queue/ or /topic/, unlike 'a'",
                "SEND\\ndestination:/queue/a\\npriority:10\\n\\nx | the header 'priority' must be a number from 0 to 9",
                "SEND\\ndestination:/queue/a\\npersistent:no\\n\\nx | the header 'persistent' must be true or false",
                "SEND\\ndestination:/queue/a\\nexpires:soon\\n\\nx | the header 'expires' must be a whole number",
                "SEND\\ndestination:/queue/a\\ntransaction:t\\n\\nx | no transaction 't' has begun",
                "SUBSCRIBE\\nid:1\\n\\n | SUBSCRIBE needs the header 'destination'",
                "SUBSCRIBE\\ndestination:/queue/a\\n\\n | SUBSCRIBE needs the header 'id'",
                "SUBSCRIBE\\nid:1\\ndestination:/queue/a\\nack:x\\n\\n | the header 'ack' must be auto, client or client-individual, not 'x'",
                "SUBSCRIBE\\nid:1\\ndestination:/queue/a\\nprefetch-count:0\\n\\n | the header 'prefetch-count' must be a number from 1 to 100000",
                "SUBSCRIBE\\nid:1\\ndestination:/topic/a\\ndurable-subscription-name:d\\n\\n | a durable subscription needs the header 'client-id' on CONNECT",
                "UNSUBSCRIBE\\nid:1\\n\\n | no subscription '1'",
                "ACK\\n\\n | ACK needs the header 'id'",
                "ACK\\nid:nothing\\n\\n | no delivery 'nothing' waits for an acknowledgement",
                "NACK\\nid:1-1\\n\\n | no delivery 1-1 waits for an acknowledgement",
                "BEGIN\\n\\n | BEGIN needs the header 'transaction'",
                "COMMIT\\ntransaction:t\\n\\n | no transaction 't' has begun",
                "ABORT\\ntransaction:t\\n\\n | no transaction 't' has begun",
                "CONNECT\\n\\n | the client is connected already",
                "MESSAGE\\n\\n | MESSAGE is for the broker to send"
            })
    void aFrameThatCannotBeCarriedOutIsAnErrorWithItsReceiptAndTheEnd(String frame, String complaint)
            throws IOException {
        String octets = frame.replace("\\n", "\n");
        int headEnd = octets.indexOf('\n') + 1;
        try (StompClient client = listener.connect()) {
            client.raw(octets.substring(0, headEnd) + "receipt:r9\n" + octets.substring(headEnd) + "^@");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo(complaint);
            assertThat(error.header("receipt-id")).isEqualTo("r9");
        }
    }

    @Test
    void s07_aTransactionsNameMayNotBeginTwiceButMayComeAgainAfterItsEnd() throws IOException {
        try (StompClient client = listener.connect()) {
            client.begin("t");
            client.commit("t");
            client.begin("t");
            client.abort("t");
            client.begin("t");
            client.begin("t");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("the transaction 't' has begun already");
        }
        assertThat(session().commands()).containsSubsequence("begin 1", "commit 1", "begin 2", "rollback 2", "begin 3");
    }

    @Test
    void s08_aClientAcknowledgementCoversEarlierDeliveriesOfItsOwnSubscriptionOnly() throws IOException {
        try (StompClient client = listener.connect()) {
            client.subscribe("a", "/queue/a", "client", "prefetch-count", "5");
            client.subscribe("b", "/queue/b", "client");
            for (int number = 1; number <= 3; number++) {
                session().deliver(delivery(1, number, new byte[1]));
                session().deliver(delivery(2, number, new byte[1]));
            }
            StompFrame last = null;
            for (int i = 0; i < 6; i++) {
                StompFrame frame = client.message(SOON);
                last = "a".equals(frame.header("subscription")) ? frame : last;
            }
            client.confirmed("ACK", "id", last.header("ack"));
        }
        assertThat(session().commands()).contains("credit 1 5", "settle 1 1..3 ACCEPTED tx 0", "credit 1 3");
        assertThat(session().commands()).noneMatch(it -> it.startsWith("settle 2"));
    }

    @Test
    void s08_individualAcknowledgementsCoverOneDelivery() throws IOException {
        try (StompClient client = listener.connect()) {
            client.subscribe("a", "/queue/a", "client-individual");
            session().deliver(delivery(1, 1, new byte[1]));
            session().deliver(delivery(1, 2, new byte[1]));
            client.message(SOON);
            client.nack(client.message(SOON), "receipt", "n");
            client.awaitReceipt("n");
        }
        assertThat(session().commands())
                .contains("settle 1 2..2 MODIFIED tx 0")
                .doesNotContain("settle 1 1..2 MODIFIED tx 0");
    }

    @Test
    void s08_twoSubscriptionsGetDistinctAckIdsForTheSameMessage() throws IOException {
        try (StompClient client = listener.connect()) {
            client.subscribe("a", "/topic/a", "client-individual");
            client.subscribe("b", "/topic/a", "client-individual");
            session().deliver(delivery(1, 1, new byte[1]));
            session().deliver(delivery(2, 1, new byte[1]));
            StompFrame one = client.message(SOON);
            StompFrame two = client.message(SOON);
            assertThat(one.header("message-id")).isEqualTo(two.header("message-id"));
            assertThat(one.header("ack")).isNotNull().isNotEqualTo(two.header("ack"));
        }
    }

    @Test
    void s08_theAckHeaderIsThereUnlessTheModeIsAuto() throws IOException {
        try (StompClient client = listener.connect()) {
            client.subscribe("a", "/queue/a", "auto");
            session().deliver(delivery(1, 1, new byte[1]));
            assertThat(client.message(SOON).headers()).doesNotContainKey("ack");
        }
    }

    @Test
    void s08_version11AcknowledgesByMessageIdAndSubscription() throws IOException {
        try (StompClient client = listener.connectWith("1.1")) {
            client.subscribe("a", "/queue/a", "client");
            session().deliver(delivery(1, 1, new byte[1]));
            StompFrame message = client.message(SOON);
            assertThat(message.headers()).doesNotContainKey("ack");
            client.confirmed("ACK", "message-id", message.header("message-id"), "subscription", "a");
            assertThat(session().commands()).contains("settle 1 1..1 ACCEPTED tx 0");
            client.command("ACK", null, "message-id", message.header("message-id"), "subscription", "other");
            assertThat(client.awaitError(SOON).header("message")).contains("was not delivered to that subscription");
        }
    }

    @Test
    void s08_whatIsAcknowledgedAlreadyCannotBeAcknowledgedAgain() throws IOException {
        try (StompClient client = listener.connect()) {
            client.subscribe("a", "/queue/a", "client");
            session().deliver(delivery(1, 1, new byte[1]));
            session().deliver(delivery(1, 2, new byte[1]));
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
        try (StompClient client = listener.connect()) {
            client.subscribe("a", "/queue/a", "client-individual");
            session().deliver(delivery(1, 1, new byte[1]));
            client.begin("t");
            client.nack(client.message(SOON), "transaction", "t", "receipt", "n");
            client.awaitReceipt("n");
            assertThat(session().commands()).noneMatch(it -> it.startsWith("settle"));
            client.commit("t");
        }
        assertThat(session().commands()).containsSubsequence("begin 1", "settle 1 1..1 MODIFIED tx 0", "commit 1");
    }

    @Test
    void autoSettlesOnlyWhatTheSocketHasTaken() throws IOException {
        byte[] body = new byte[256 * 1024];
        try (StompClient client = listener.connect()) {
            client.subscribe("a", "/queue/a", "auto", "prefetch-count", "1000");
            for (int number = 1; number <= 200; number++) {
                session().deliver(delivery(1, number, body));
            }
            // 50 MB are more than the socket buffers of both sides hold: the rest stays with the broker.
            assertThat(atStandstill(this::lastSettled)).isLessThan(100);
            for (int number = 1; number <= 200; number++) {
                assertThat(client.message(SOON).body()).hasSize(body.length);
            }
            await().atMost(SOON).until(() -> lastSettled() == 200);
        }
    }

    /** The value once it has not changed for a while. */
    private static long atStandstill(LongSupplier value) {
        long[] last = {-1};
        await().atMost(SOON).pollInterval(Duration.ofMillis(400)).until(() -> {
            boolean still = last[0] == value.getAsLong();
            last[0] = value.getAsLong();
            return still;
        });
        return last[0];
    }

    private long lastSettled() {
        long last = 0;
        for (String command : session().commands()) {
            if (command.startsWith("settle 1 ")) {
                last = Long.parseLong(command.substring(command.indexOf("..") + 2, command.indexOf(" ACCEPTED")));
            }
        }
        return last;
    }

    @Test
    void aProducerFasterThanTheBrokerIsNotRead() throws Exception {
        try (StompClient client = listener.connect()) {
            session().writable(false);
            String frame = "SEND\ndestination:/queue/a\n\n" + "x".repeat(10_000) + "^@";
            Thread producer = new Thread(() -> {
                try {
                    for (int i = 0; i < 5_000; i++) {
                        client.raw(frame);
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            producer.start();
            assertThat(atStandstill(() -> session().sent().size())).isLessThan(1_000);
            assertThat(producer.isAlive()).isTrue();
            session().writable(true);
            await().atMost(SOON).until(() -> session().sent().size() == 5_000);
            producer.join();
        }
    }

    @Test
    void aClientThatDoesNotReadItsReceiptsIsNotRead() throws Exception {
        String longReceipt = "x".repeat(8_000);
        try (StompClient client = listener.connect()) {
            Thread producer = new Thread(() -> {
                try {
                    for (int i = 0; i < 5_000; i++) {
                        client.raw("SEND\ndestination:/queue/a\nreceipt:" + i + longReceipt + "\n\nx^@");
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            producer.start();
            assertThat(atStandstill(() -> session().sent().size())).isLessThan(4_000);
            assertThat(session().waiting()).isLessThan(1_000);
            for (int i = 0; i < 5_000; i++) {
                client.awaitReceipt(i + longReceipt);
            }
            producer.join();
        }
    }

    @Test
    void disconnectIsConfirmedWhenTheClientsPlaceIsFree() throws IOException {
        try (StompClient client = listener.connect()) {
            session().hold();
            client.command("DISCONNECT", null, "receipt", "bye");
            await().until(() -> session().commands().contains("close"));
            assertThat(broker.closedConnections).isZero();
            session().confirmHeld();
            assertThat(client.frame(SOON).header("receipt-id")).isEqualTo("bye");
            assertThat(broker.closedConnections).isEqualTo(1);
            assertThat(client.rest(SOON)).isEmpty();
        }
    }

    @Test
    void aLostConnectionIsClosedAtTheBroker() throws IOException {
        StompClient client = listener.connect();
        client.close();
        await().until(() -> broker.closedConnections == 1);
    }

    @Test
    void theBrokersEndOfAConnectionIsAnError() throws IOException {
        try (StompClient client = listener.connect()) {
            broker.listeners.get(0).closed(new BrokerException(ErrorCode.STOPPED, "the journal failed"));
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("the journal failed");
            assertThat(error.header("error-code")).isEqualTo("STOPPED");
        }
    }

    @Test
    void aClosingListenerTellsItsClientsAndTakesNoMore() throws IOException {
        try (StompClient client = listener.connect()) {
            listener.stopListening();
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("the broker is stopping");
            assertThatThrownBy(listener::open).isInstanceOf(IOException.class);
        }
    }

    @Test
    void s14_whoSendsNoHeartBeatForTwiceTheIntervalIsDropped() throws IOException {
        try (StompClient client = listener.connect("heart-beat", "50,0")) {
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("no heart-beat for more than twice 100 ms");
        }
    }

    @Test
    void s14_lineEndsKeepAConnectionAlive() throws IOException {
        try (StompClient client = listener.connect("heart-beat", "100,0")) {
            long until = System.nanoTime() + Duration.ofMillis(700).toNanos();
            while (System.nanoTime() < until) {
                client.raw("\n");
                assertThatThrownBy(() -> client.frame(Duration.ofMillis(50)))
                        .isInstanceOf(java.net.SocketTimeoutException.class);
            }
            client.confirmed("BEGIN", "transaction", "t");
        }
    }

    @Test
    void s14_theBrokerSendsHeartBeatsAsOftenAsAgreed() throws IOException {
        try (StompClient client = listener.connect("heart-beat", "0,50")) {
            assertThatThrownBy(() -> client.frame(Duration.ofSeconds(1)))
                    .isInstanceOf(java.net.SocketTimeoutException.class);
            assertThat(client.beats()).isBetween(8L, 25L);
        }
    }

    @Test
    void s14_withoutAnOfferThereAreNoHeartBeats() throws IOException {
        try (StompClient client = listener.connect()) {
            assertThatThrownBy(() -> client.frame(Duration.ofMillis(500)))
                    .isInstanceOf(java.net.SocketTimeoutException.class);
            assertThat(client.beats()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "a,b", "-1,0", "1,2,3", ",", "99999999999,0"})
    void s14_aHeartBeatHeaderThatIsNoneIsAnError(String header) {
        assertThatThrownBy(() -> listener.connect("heart-beat", header))
                .isInstanceOf(StompRefusedException.class)
                .hasMessageContaining("heart-beat");
    }

    @Test
    void s11_theProtocolsOwnHeadersDoNotBecomeProperties() throws IOException {
        try (StompClient client = listener.connect()) {
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
        assertThat(session().sent().get(0).properties()).containsOnlyKeys("mine");
    }

    @Test
    void s19_theContentTypeDecidesBetweenTextAndBytesThenTheContentLength() throws IOException {
        try (StompClient client = listener.connect()) {
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
        List<String> kinds = session().sent().stream()
                .map(message -> message.bodyKind().name())
                .toList();
        assertThat(kinds).containsExactly("TEXT", "BYTES", "TEXT", "BYTES", "TEXT", "BYTES", "BYTES");
    }

    @Test
    void connectionsBeyondTheLimitAreRefused() throws Exception {
        try (StompListener narrow = new StompListener(broker, "connectionsMax", "1");
                StompClient first = narrow.connect()) {
            assertThatThrownBy(narrow::connect).isInstanceOf(IOException.class);
            first.disconnect();
            await().atMost(SOON).ignoreExceptions().until(() -> {
                narrow.connect().close();
                return true;
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "headersMax, many, 'stomp listener: headersMax must be a whole number of at least 1, not ''many'''",
        "headersMax, 0, 'stomp listener: headersMax must be a whole number of at least 1, not ''0'''",
        "nonsense, 1, stomp listener: unknown setting 'nonsense'"
    })
    void aListenersSettingsAreChecked(String name, String value, String complaint) {
        assertThatThrownBy(() -> new StompListener(broker, name, value)).hasMessageContaining(complaint);
    }

    @Test
    void aTakenPortIsNamed() throws Exception {
        try (java.net.ServerSocket taken = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            dev.turnstone.spi.ListenRequest request =
                    new dev.turnstone.spi.ListenRequest("127.0.0.1", taken.getLocalPort(), java.util.Map.of());
            assertThatThrownBy(() -> listener.listenToo(request))
                    .hasMessageContaining("cannot listen for stomp on 127.0.0.1:" + taken.getLocalPort());
        }
    }
}
