package dev.turnstone.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.BrokerException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        Metrics metrics = new Metrics(() -> 0);
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

    private void assertAnswers(String path, int status, String body) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
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
    void isNeitherAliveNorReadyOnceItsJournalHasFailed() throws Exception {
        health.ready(true);
        assertAnswers("/health/live", 200, "live\n");
        BreakableJournalProvider.fail(folder);
        failed.get(20, TimeUnit.SECONDS);
        assertAnswers("/health/live", 503, "the engine does not answer\n");
        assertAnswers("/health/ready", 503, "not ready\n");
    }
}
