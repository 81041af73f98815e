package dev.turnstone.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.BrokerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a broker is healthy, and when it is not. */
final class HealthRoutesTest {
    @TempDir
    Path folder;

    private final CompletableFuture<BrokerException> failed = new CompletableFuture<>();
    private EmbeddedBroker broker;
    private HealthRoutes health;
    private int port;

    @BeforeEach
    void start() {
        Metrics metrics = new Metrics(() -> 0, () -> true);
        broker = EmbeddedBroker.start(
                BrokerSettings.in(folder)
                        .withJournal(BreakableJournalProvider.NAME)
                        .withOnFailure(failed::complete),
                metrics);
        health = HealthRoutes.add(broker, metrics, new MetricsSettings(2));
        port = broker.listen("http", "127.0.0.1", 0, Map.of()).port();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private HttpResponse<String> answer(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void assertAnswers(String path, int status, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = answer(path);
        assertThat(answer.body()).as(path).isEqualTo(body);
        assertThat(answer.statusCode()).as(path).isEqualTo(status);
    }

    @Test
    void isReadyOnlyWhileAllListenersAreThereAndAliveMeanwhile() throws IOException, InterruptedException {
        assertAnswers("/health/live", 200, "live\n");
        assertAnswers("/health/ready", 503, "not ready\n");
        health.ready(true);
        assertAnswers("/health/ready", 200, "ready\n");
        health.ready(false);
        assertAnswers("/health/ready", 503, "not ready\n");
        assertAnswers("/health/live", 200, "live\n");
    }

    @Test
    void tellsThatTheAuditLogCannotBeWritten() throws IOException, InterruptedException {
        assertThat(answer("/metrics").body().lines()).contains("turnstone_audit_failing 1.0");
    }

    /** A page whose name leads to this machine is told by its name, which a browser says (DNS rebinding). */
    @ParameterizedTest
    @CsvSource({"rebound.example,421", "localhost,200", "127.0.0.1,200", "[::1],200", "LOCALHOST,200"})
    void withoutAUserItAnswersTheNamesOfThisMachine(String host, int status) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("GET /metrics HTTP/1.1\r\nHost: " + host + ":" + port + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void isNeitherAliveNorReadyOnceItsJournalHasFailed() throws Exception {
        health.ready(true);
        assertAnswers("/health/live", 200, "live\n");
        BreakableJournalProvider.fail(folder);
        failed.get(20, TimeUnit.SECONDS);
        assertAnswers("/health/live", 503, "the engine does not answer\n");
        assertAnswers("/health/ready", 503, "not ready\n");
        assertThat(answer("/metrics").statusCode()).isEqualTo(503);
    }
}
