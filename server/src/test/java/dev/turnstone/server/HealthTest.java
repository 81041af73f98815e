package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSSecurityRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a broker says of itself over HTTP. */
final class HealthTest {
    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Turnstone.Builder settings;
    private Turnstone broker;

    @BeforeEach
    void start() throws IOException {
        Path yaml = Files.writeString(folder.resolve("t.yaml"), "addresses: {twice: {maxAttempts: 1}}\n");
        settings = Turnstone.builder()
                .config(yaml)
                .data(folder.resolve("data"))
                .listen("http=127.0.0.1:0")
                .set("metrics.addressesMax", "2")
                .set("address.memoryMax", "1MiB");
        broker = settings.start();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        return ask(request(path).method(method, HttpRequest.BodyPublishers.noBody()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + broker.listeners().get(0).port() + path));
    }

    private HttpResponse<String> ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void isLiveAndReady() throws IOException, InterruptedException {
        assertThat(ask("GET", "/health/live").statusCode()).isEqualTo(200);
        assertThat(ask("GET", "/health/ready").body()).isEqualTo("ready\n");
        assertThat(ask("HEAD", "/health/ready").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = ask("POST", "/health/live");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("allow")).contains("GET, HEAD");
    }

    @Test
    void countsMessagesByAddressAndTimesWhatItDoes() throws IOException, InterruptedException {
        try (JMSContext context = broker.connectionFactory().createContext(JMSContext.SESSION_TRANSACTED)) {
            for (int i = 0; i < 5; i++) {
                context.createProducer().send(context.createQueue("orders"), "x");
            }
            context.commit();
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            consumer.receive(10_000);
            consumer.receive(10_000);
            context.commit();
        }
        HttpResponse<String> answer = ask("GET", "/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type").orElse("")).startsWith("text/plain; version=0.0.4");
        assertThat(answer.body().lines())
                .contains(
                        "turnstone_address_depth{address=\"orders\",kind=\"queue\"} 3.0",
                        "turnstone_address_enqueued{address=\"orders\",kind=\"queue\"} 5.0",
                        "turnstone_address_settled{address=\"orders\",kind=\"queue\"} 2.0",
                        "turnstone_enqueued_total 5.0",
                        "turnstone_settled_total 2.0")
                .anyMatch(line -> line.startsWith("turnstone_address_oldest_seconds{address=\"orders\""))
                .anyMatch(line -> line.startsWith("turnstone_fsync_seconds_bucket"))
                .anyMatch(line -> line.matches("turnstone_confirm_seconds_count [1-9]\\d*"))
                .anyMatch(line -> line.matches("turnstone_engine_turn_seconds_count [1-9]\\d*"))
                .anyMatch(line -> line.startsWith("turnstone_memory_bytes "));
    }

    @Test
    void countsWhatIsLostFromSightWhatCameTwiceAndWhatLiesOnDisk() throws Exception {
        try (JMSContext context = broker.connectionFactory().createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSProducer producer = context.createProducer();
            producer.send(context.createQueue("twice"), "x");
            producer.setTimeToLive(50).send(context.createQueue("late"), "x");
            producer.setTimeToLive(0);
            for (int copy = 0; copy < 3; copy++) {
                producer.setProperty("JMS_TURNSTONE_DEDUP_ID", "one").send(context.createQueue("once"), "x");
                context.commit();
            }
            context.commit();
            producer.clearProperties();
            context.createConsumer(context.createQueue("twice")).receive(10_000);
            context.rollback();
            assertThat(context.createConsumer(context.createQueue("DLQ")).receive(10_000))
                    .isNotNull();
            context.commit();
            for (int i = 0; i < 600; i++) {
                producer.send(context.createQueue("deep"), "x".repeat(4_000));
            }
            context.commit();
        }
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            String text = ask("GET", "/metrics").body();
            assertThat(text.lines())
                    .contains(
                            "turnstone_dead_lettered_total 1.0",
                            "turnstone_expired_total 1.0",
                            "turnstone_dedup_hits_total 2.0")
                    .anyMatch(line -> line.matches("turnstone_page_files [1-9].*"));
        });
    }

    /** Each limit that makes senders wait, or turns clients away. */
    @Test
    void tellsWhatIsUsedOfWhatIsLimited() throws IOException, InterruptedException {
        assertThat(ask("GET", "/metrics").body().lines())
                .contains("turnstone_disk_full 0.0", "turnstone_connections_refused_total 0.0")
                .anyMatch(line -> line.startsWith("turnstone_connections_max 10000"))
                .anyMatch(line -> line.startsWith("turnstone_memory_max_bytes "))
                .anyMatch(line -> line.startsWith("turnstone_journal_outstanding_bytes "));
    }

    @Test
    void saysThatTheDiskIsFull() throws IOException, InterruptedException {
        broker.close();
        broker = settings.set("disk.lowWater", "1000000GiB").start();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(ask("GET", "/metrics").body().lines()).contains("turnstone_disk_full 1.0"));
    }

    @Test
    void countsWhomAListenerTurnsAway() throws IOException, InterruptedException {
        broker.close();
        broker = settings.listen("http=127.0.0.1:0", "stomp=127.0.0.1:0")
                .set("listen[1].connectionsPerAddressMax", "1")
                .start();
        int port = broker.listeners().get(1).port();
        // The first counts for this address, be it the client of the metrics or this.
        try (Socket first = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket second = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(second.getInputStream().read()).isEqualTo(-1);
            assertThat(first.isConnected()).isTrue();
        }
        assertThat(ask("GET", "/metrics").body().lines())
                .anyMatch(line -> line.matches("turnstone_connections_refused_total [12]\\.0"));
    }

    @Test
    void timesFromConfirmationToDelivery() throws IOException, InterruptedException {
        try (JMSContext context = broker.connectionFactory().createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("timed"));
            for (int i = 0; i < 40; i++) {
                context.createProducer().send(context.createQueue("timed"), "x");
                assertThat(consumer.receive(10_000)).isNotNull();
            }
        }
        assertThat(ask("GET", "/metrics").body().lines()).contains("turnstone_deliver_seconds_count 2");
    }

    @Test
    void onlySoManyAddressesHaveNumbersOfTheirOwn() throws IOException, InterruptedException {
        try (JMSContext context = broker.connectionFactory().createContext()) {
            for (int i = 0; i < 5; i++) {
                context.createProducer().send(context.createQueue("q" + i), "x");
            }
        }
        String text = ask("GET", "/metrics").body();
        assertThat(text.lines().filter(line -> line.startsWith("turnstone_address_depth{")))
                .hasSize(2);
        assertThat(text).contains("turnstone_enqueued_total 5.0", "turnstone_addresses 5.0");
    }

    @Test
    void theNumbersOfAnAddressAreForWhoeverMayManageIt() throws IOException, InterruptedException {
        try (JMSContext context = broker.connectionFactory().createContext()) {
            for (String name : List.of("orders.in", "orders.out", "salaries")) {
                context.createProducer().send(context.createQueue(name), "x");
            }
        }
        broker.reload(settings.set("security.anonymous", "guests")
                .set("security.permissions[0].role", "guests")
                .set("security.permissions[0].address", "orders.>")
                .set("security.permissions[0].allow", "manage")
                .set("security.permissions[1].role", "guests")
                .set("security.permissions[1].address", "salaries")
                .set("security.permissions[1].allow", "send,consume,browse"));
        String text = ask("GET", "/metrics").body();
        assertThat(text.lines().filter(line -> line.startsWith("turnstone_address_depth{")))
                .hasSize(2)
                .allMatch(line -> line.contains("orders."));
        assertThat(text).contains("turnstone_enqueued_total 3.0", "turnstone_addresses 3.0");
    }

    @Test
    void countsRefusedLogins() throws IOException, InterruptedException {
        broker.reload(settings.set("security.authenticator.name", "one-user")
                .set("security.authenticator.options.\"user\"", "ann")
                .set("security.authenticator.options.\"password\"", "secret"));
        assertThatThrownBy(() -> broker.connectionFactory().createContext("ann", "guess"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
        assertThat(ask("GET", "/metrics").statusCode()).isEqualTo(401);
        String login = Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
        HttpResponse<String> answer = ask(request("/metrics").header("Authorization", "Basic " + login));
        assertThat(answer.body().lines()).contains("turnstone_logins_refused_total 2.0");
    }

    @Test
    void countsHowOftenAConsumerRanOutOfCredit() throws IOException, InterruptedException {
        try (JMSContext context = new TurnstoneConnectionFactory(
                        "vm://?prefetch=1&data=" + folder.resolve("data").toRealPath())
                .createContext()) {
            for (int i = 0; i < 6; i++) {
                context.createProducer().send(context.createQueue("few"), "x");
            }
            JMSConsumer consumer = context.createConsumer(context.createQueue("few"));
            for (int i = 0; i < 5; i++) {
                assertThat(consumer.receive(10_000)).isNotNull();
            }
        }
        assertThat(ask("GET", "/metrics").body().lines())
                .contains(
                        "turnstone_credit_stalls_total 5.0",
                        "turnstone_address_credit_stalls{address=\"few\",kind=\"queue\"} 5.0");
    }

    @Test
    void theOldestIsKnownAlsoIfItIsInAPageFile() throws IOException, InterruptedException {
        try (JMSContext context = broker.connectionFactory().createContext(JMSContext.SESSION_TRANSACTED)) {
            for (int i = 0; i < 600; i++) {
                context.createProducer().send(context.createQueue("deep"), "x".repeat(4_000));
            }
            context.commit();
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(ask("GET", "/metrics").body().lines())
                        .anyMatch(line -> line.matches("turnstone_page_files [1-9].*")));
        assertThat(ask("GET", "/metrics").body().lines())
                .anyMatch(line -> line.matches("turnstone_address_oldest_seconds\\{address=\"deep\".*} (?!0\\.0$).*"));
    }
}
