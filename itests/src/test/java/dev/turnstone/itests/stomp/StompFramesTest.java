package dev.turnstone.itests.stomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a frame holds arrives as it was, and what is no frame is an error: the cases S01 to S04, S11, S15 and S19. */
class StompFramesTest {
    private static final Duration SOON = Duration.ofSeconds(10);

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

    @Test
    void s01_aBodyWithNulsArrivesIntactAndTheNextFrameIsParsed() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/a", "auto");
            client.raw("SEND\ndestination:/queue/a\ncontent-length:5\n\na^@b^@c^@SEND\ndestination:/queue/a\n\nnext^@");
            StompFrame message = client.message(SOON);
            assertThat(message.text()).isEqualTo("a\0b\0c");
            assertThat(message.header("content-length")).isEqualTo("5");
            assertThat(client.message(SOON).text()).isEqualTo("next");
        }
    }

    @Test
    void s02_anEmptyBodyIsAMessageLikeAnyOther() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/a", "auto");
            client.raw("SEND\ndestination:/queue/a\nreceipt:r1\ncontent-length:0\n\n^@"
                    + "SEND\ndestination:/queue/a\nreceipt:r2\n\nafter^@");
            client.awaitReceipt("r1");
            client.awaitReceipt("r2");
            assertThat(client.message(SOON).body()).isEmpty();
            assertThat(client.message(SOON).text()).isEqualTo("after");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-5", "2147483648", "1048577", "2"})
    void s03_aBadContentLengthIsAnErrorWithTheReceiptAndTheEnd(String length) throws IOException {
        try (StompClient client = broker.connect()) {
            client.raw("SEND\ndestination:/queue/a\nreceipt:r1\ncontent-length:" + length + "\n\nhello^@");
            assertThat(client.awaitError(SOON).header("receipt-id")).isEqualTo("r1");
        }
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/a", "auto");
            assertThat(client.pollMessage(Duration.ofMillis(200))).isNull();
        }
    }

    @Test
    void s04_escapedNamesAndValuesComeBackAsTheyWere() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("s:1", "/queue/a", "auto");
            client.raw("SEND\ndestination:/queue/a\nk\\cey:v\\cal\\n2\\r\\\\\n spaced : out \n\nx^@");
            StompFrame message = client.message(SOON);
            assertThat(message.header("k:ey")).isEqualTo("v:al\n2\r\\");
            assertThat(message.header(" spaced ")).isEqualTo(" out ");
            assertThat(message.header("subscription")).isEqualTo("s:1");
        }
    }

    @Test
    void s04_anUndefinedEscapeIsAnErrorAndTheEnd() throws IOException {
        try (StompClient client = broker.connect()) {
            client.raw("SEND\ndestination:/queue/a\nreceipt:r\nk:a\\tb\n\nx^@");
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("undefined escape sequence '\\t' in a header");
            assertThat(error.header("receipt-id")).isEqualTo("r");
        }
    }

    @Test
    void s11_whatConcernsTheSenderAloneIsNotHandedOn() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/a", "auto");
            client.begin("t");
            client.send("/queue/a", "x", "transaction", "t", "receipt", "r", "mine", "yes", "empty", "");
            client.awaitReceipt("r");
            client.commit("t");
            StompFrame message = client.message(SOON);
            assertThat(message.headers())
                    .doesNotContainKeys("receipt", "transaction")
                    .containsEntry("mine", "yes");
            assertThat(message.header("empty")).isEmpty();
        }
    }

    @Test
    void s15_aFrameMayComeInAsManySegmentsAsItHasOctets() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/queue/a", "auto");
            byte[] frame = "SEND\r\ndestination:/queue/a\r\ncontent-length:5\r\nk:\u20ac\r\n\r\nhello\0\r\n\n"
                    .getBytes(StandardCharsets.UTF_8);
            for (byte octet : frame) {
                client.raw(new byte[] {octet});
            }
            StompFrame message = client.message(SOON);
            assertThat(message.text()).isEqualTo("hello");
            assertThat(message.header("k")).isEqualTo("\u20ac");
        }
    }

    @Test
    void s15_manyFramesMayComeInOneSegment() throws IOException {
        int count = 2_000;
        StringBuilder frames = new StringBuilder();
        for (int i = 0; i < count; i++) {
            frames.append("SEND\ndestination:/queue/a\n\n").append(i).append("^@");
        }
        try (StompClient client = broker.connect()) {
            client.raw(frames.append("\n\n\n").toString());
            client.confirmed("SUBSCRIBE", "id", "s", "destination", "/queue/a");
            for (int i = 0; i < count; i++) {
                assertThat(client.message(SOON).text()).isEqualTo(Integer.toString(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.1", "1.2"})
    void s19_everyCodePointSurvivesInEveryVersion(String version) throws IOException {
        try (StompClient client = broker.connectWith(version)) {
            client.subscribe("s", "/queue/a", "auto");
            client.sendConfirmed("/queue/a", "g\u00fcn\u00e7 \u20ac \uD83D\uDE00", "h", "\uD83D\uDE00");
            StompFrame message = client.message(SOON);
            assertThat(message.text()).isEqualTo("g\u00fcn\u00e7 \u20ac \uD83D\uDE00");
            assertThat(message.header("h")).isEqualTo("\uD83D\uDE00");
        }
    }

    @Test
    void theFieldsOfAMessageComeBackAsHeaders() throws IOException {
        try (StompClient client = broker.connect()) {
            client.subscribe("s", "/topic/a.b", "auto");
            client.send(
                    "/topic/a.b",
                    "x",
                    "priority",
                    "9",
                    "expires",
                    "4102444800000",
                    "correlation-id",
                    "c:1",
                    "reply-to",
                    "/queue/back",
                    "type",
                    "order",
                    "content-type",
                    "application/json",
                    "JMSXGroupID",
                    "g");
            assertThat(client.message(SOON).headers())
                    .containsEntry("destination", "/topic/a.b")
                    .containsEntry("priority", "9")
                    .containsEntry("expires", "4102444800000")
                    .containsEntry("correlation-id", "c:1")
                    .containsEntry("reply-to", "/queue/back")
                    .containsEntry("type", "order")
                    .containsEntry("content-type", "application/json")
                    .containsEntry("JMSXGroupID", "g")
                    .containsEntry("persistent", "true")
                    .containsKeys("message-id", "timestamp")
                    .doesNotContainKeys("redelivered", "ack");
        }
    }
}
