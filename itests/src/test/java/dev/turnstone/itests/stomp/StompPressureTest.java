package dev.turnstone.itests.stomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.stomp.StompClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One slow or hasty client does not disturb the others. */
class StompPressureTest {
    private static final Duration SOON = Duration.ofSeconds(20);

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
    void aConsumerThatDoesNotReadHoldsUpNobodyAndGetsEverythingInTheEnd() throws IOException {
        String body = "x".repeat(100_000);
        int count = 300;
        try (StompClient slow = broker.connect();
                StompClient other = broker.connect()) {
            slow.subscribe("s", "/topic/t", "auto", "prefetch-count", "50");
            other.subscribe("s", "/topic/t", "auto");
            for (int i = 0; i < count; i++) {
                other.send("/topic/t", body, "persistent", "false", "n", Integer.toString(i));
                assertThat(other.message(SOON).header("n")).isEqualTo(Integer.toString(i));
            }
            for (int i = 0; i < count; i++) {
                assertThat(slow.message(SOON).header("n")).isEqualTo(Integer.toString(i));
            }
        }
    }

    @Test
    void aProducerThatWaitsForNothingLosesNothing() throws Exception {
        int count = 20_000;
        try (StompClient producer = broker.connect();
                StompClient consumer = broker.connect()) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 1; i <= count; i++) {
                        producer.send("/queue/a", Integer.toString(i));
                    }
                    producer.sendConfirmed("/queue/a", "end");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            consumer.subscribe("s", "/queue/a", "client", "prefetch-count", "100");
            for (int i = 1; i <= count; i++) {
                var message = consumer.message(SOON);
                assertThat(message.text()).isEqualTo(Integer.toString(i));
                if (i % 50 == 0) {
                    consumer.ack(message);
                }
            }
            sent.get(20, TimeUnit.SECONDS);
            assertThat(consumer.message(SOON).text()).isEqualTo("end");
        }
    }
}
