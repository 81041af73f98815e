package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.testkit.stomp.StompClient;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who is too fast is held back, and nothing is settled or confirmed before its time. */
class StompFlowTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension
    final ScriptedListener scripted = new ScriptedListener();

    @Test
    void theFramesOfOneReadArePostedOnce() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            client.raw("SEND\ndestination:/queue/a\n\n1^@SEND\ndestination:/queue/a\n\n2^@"
                    + "SEND\ndestination:/queue/a\nreceipt:r\n\n3^@");
            client.awaitReceipt("r");
            assertThat(scripted.session().sent()).hasSize(3);
            assertThat(scripted.session().flushes()).isEqualTo(1);
        }
    }

    @Test
    void autoSettlesOnlyWhatTheSocketHasTaken() throws IOException {
        byte[] body = new byte[256 * 1024];
        try (StompClient client = scripted.listener().connect()) {
            client.subscribe("a", "/queue/a", "auto", "prefetch-count", "1000");
            for (int number = 1; number <= 200; number++) {
                scripted.session().deliver(ScriptedListener.delivery(1, number, body));
            }
            // 50 MB are more than the socket buffers of both sides hold: the rest stays with the scripted.broker().
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
        for (String command : scripted.session().commands()) {
            if (command.startsWith("settle 1 ")) {
                last = Long.parseLong(command.substring(command.indexOf("..") + 2, command.indexOf(" ACCEPTED")));
            }
        }
        return last;
    }

    @Test
    void aProducerFasterThanTheBrokerIsNotRead() throws Exception {
        try (StompClient client = scripted.listener().connect()) {
            scripted.session().writable(false);
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
            assertThat(atStandstill(() -> scripted.session().sent().size())).isLessThan(1_000);
            assertThat(producer.isAlive()).isTrue();
            scripted.session().writable(true);
            await().atMost(SOON).until(() -> scripted.session().sent().size() == 5_000);
            producer.join();
        }
    }

    @Test
    void aClientThatDoesNotReadItsReceiptsIsNotRead() throws Exception {
        String longReceipt = "x".repeat(8_000);
        try (StompClient client = scripted.listener().connect()) {
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
            assertThat(atStandstill(() -> scripted.session().sent().size())).isLessThan(4_000);
            assertThat(scripted.session().waiting()).isLessThan(1_000);
            for (int i = 0; i < 5_000; i++) {
                client.awaitReceipt(i + longReceipt);
            }
            producer.join();
        }
    }
}
