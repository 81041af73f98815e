package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections begin and end. */
class StompConnectionTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @RegisterExtension
    final ScriptedListener scripted = new ScriptedListener();

    @Test
    void connectCarriesUserPasswordAndClientIdToTheBroker() throws IOException {
        try (StompClient client = scripted.listener().connect("login", "u:1", "passcode", "p\\n", "client-id", "me")) {
            assertThat(scripted.broker().logins.get(0).user()).isEqualTo("u:1");
            assertThat(scripted.broker().logins.get(0).password()).isEqualTo("p\\n");
            assertThat(scripted.broker().logins.get(0).clientId()).isEqualTo("me");
            assertThat(scripted.broker().logins.get(0).protocol()).isEqualTo("stomp");
            client.disconnect();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.1", "1.2"})
    void eachVersionIsSpokenWhenAskedFor(String version) throws IOException {
        try (StompClient client = scripted.listener().connectWith(version)) {
            client.sendConfirmed("/queue/a", "hello", "k:\\", "v");
        }
        Message sent = scripted.session().sent().get(0);
        assertThat(sent.text()).isEqualTo("hello");
    }

    @Test
    void theStompFrameConnectsToo() throws IOException {
        try (StompClient client = scripted.listener().open()) {
            client.raw("STOMP\naccept-version:1.2\nhost:anything\n\n^@");
            assertThat(client.frame(SOON).header("version")).isEqualTo("1.2");
        }
    }

    @Test
    void withoutACommonVersionTheClientHearsWhichOnesThereAre() throws IOException {
        try (StompClient client = scripted.listener().open()) {
            client.raw("CONNECT\naccept-version:3.0\nhost:h\n\n^@");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("version")).isEqualTo("1.2,1.1,1.0");
            assertThat(error.text()).isEqualTo("Supported protocol versions are 1.2 1.1 1.0");
        }
    }

    @Test
    void aRefusedLoginIsAnError() throws IOException {
        scripted.broker().refusal = new BrokerException(ErrorCode.UNAUTHENTICATED, "unknown user or wrong password");
        try (StompClient client = scripted.listener().open()) {
            client.raw("CONNECT\naccept-version:1.2\nhost:h\nlogin:x\n\n^@");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("unknown user or wrong password");
            assertThat(error.header("error-code")).isEqualTo("UNAUTHENTICATED");
        }
    }

    @Test
    void s15_whoSaysNothingIsDroppedAtTheLoginTimeOut() throws Exception {
        try (StompListener impatient = new StompListener(scripted.broker(), "loginTimeoutMs", "100");
                StompClient client = impatient.open()) {
            client.raw("CONNECT\naccept-");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("no login within 100 ms");
        }
    }

    @Test
    void aLoginThatTheBrokerDoesNotAnswerTimesOutToo() throws Exception {
        scripted.broker().answersLogins = false;
        try (StompListener impatient = new StompListener(scripted.broker(), "loginTimeoutMs", "100");
                StompClient client = impatient.open()) {
            client.raw("CONNECT\naccept-version:1.2\nhost:h\n\n^@");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("no login within 100 ms");
        }
    }

    @Test
    void whatFollowsConnectInTheSameReadIsCarriedOut() throws IOException {
        try (StompClient client = scripted.listener().open()) {
            client.raw("CONNECT\naccept-version:1.2\nhost:h\n\n^@\nSEND\ndestination:/queue/a\nreceipt:1\n\nx^@");
            assertThat(client.frame(SOON).command()).isEqualTo("CONNECTED");
            assertThat(client.frame(SOON).header("receipt-id")).isEqualTo("1");
        }
    }

    @Test
    void aReceiptWaitsUntilTheBrokerConfirms() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            scripted.session().hold();
            client.send("/queue/a", "x", "receipt", "r1");
            await().until(() -> !scripted.session().commands().isEmpty());
            assertThatThrownBy(() -> client.frame(A_MOMENT)).isInstanceOf(java.net.SocketTimeoutException.class);
            scripted.session().confirmHeld();
            client.awaitReceipt("r1");
        }
    }

    @Test
    void anErrorComesAfterTheReceiptsOfEarlierFrames() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            scripted.session().hold();
            client.raw("SEND\ndestination:/queue/a\nreceipt:r1\n\nx^@NONSENSE\n");
            await().until(() -> scripted.session().commands().contains("sync"));
            scripted.session().confirmHeld();
            client.awaitReceipt("r1");
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("unknown command 'NONSENSE'");
        }
        await().until(() -> scripted.broker().closedConnections == 1);
    }

    @Test
    void anErrorReachesAClientThatIsStillSending() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
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

    @Test
    void disconnectIsConfirmedWhenTheClientsPlaceIsFree() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            scripted.session().hold();
            client.command("DISCONNECT", null, "receipt", "bye");
            await().until(() -> scripted.session().commands().contains("close"));
            assertThat(scripted.broker().closedConnections).isZero();
            scripted.session().confirmHeld();
            assertThat(client.frame(SOON).header("receipt-id")).isEqualTo("bye");
            assertThat(scripted.broker().closedConnections).isEqualTo(1);
            assertThat(client.rest(SOON)).isEmpty();
        }
    }

    @Test
    void aLostConnectionIsClosedAtTheBroker() throws IOException {
        StompClient client = scripted.listener().connect();
        client.close();
        await().until(() -> scripted.broker().closedConnections == 1);
    }

    @Test
    void theBrokersEndOfAConnectionIsAnError() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            scripted.broker().listeners.get(0).closed(new BrokerException(ErrorCode.STOPPED, "the journal failed"));
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("the journal failed");
            assertThat(error.header("error-code")).isEqualTo("STOPPED");
        }
    }

    @Test
    void aClosingListenerTellsItsClientsAndTakesNoMore() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            scripted.listener().stopListening();
            assertThat(client.awaitError(SOON).header("message")).isEqualTo("the broker is stopping");
            assertThatThrownBy(scripted.listener()::open).isInstanceOf(IOException.class);
        }
    }

    @Test
    void connectionsBeyondTheLimitAreRefused() throws Exception {
        try (StompListener narrow = new StompListener(scripted.broker(), "connectionsMax", "1");
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
        assertThatThrownBy(() -> new StompListener(scripted.broker(), name, value))
                .hasMessageContaining(complaint);
    }

    @Test
    void aTakenPortIsNamed() throws Exception {
        try (java.net.ServerSocket taken = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            dev.turnstone.spi.ListenRequest request =
                    new dev.turnstone.spi.ListenRequest("127.0.0.1", taken.getLocalPort(), java.util.Map.of());
            assertThatThrownBy(() -> scripted.listener().listenToo(request))
                    .hasMessageContaining("cannot listen for stomp on 127.0.0.1:" + taken.getLocalPort());
        }
    }
}
