package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.stomp.StompRefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The case S14. */
class HeartBeatTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension
    final ScriptedListener scripted = new ScriptedListener();

    @Test
    void s14_whoSendsNoHeartBeatForTwiceTheIntervalIsDropped() throws IOException {
        try (StompClient client = scripted.listener().connect("heart-beat", "50,0")) {
            StompFrame error = client.awaitError(SOON);
            assertThat(error.header("message")).isEqualTo("no heart-beat for more than twice 100 ms");
        }
    }

    @Test
    void s14_whoNeitherReadsNorSendsIsDroppedThoughItsSocketIsFull() throws IOException {
        try (StompClient client = scripted.listener().connect("heart-beat", "1000,0")) {
            flood(client, 50, 1 << 20);
            await().atMost(SOON).until(() -> scripted.broker().closedConnections == 1);
        }
    }

    /** More than the buffers of both sides hold. */
    private void flood(StompClient client, int messages, int bodyBytes) throws IOException {
        client.subscribe("a", "/queue/a", "auto", "prefetch-count", "1000");
        byte[] body = new byte[bodyBytes];
        for (int number = 1; number <= messages; number++) {
            scripted.session().deliver(ScriptedListener.delivery(1, number, body));
        }
    }

    @Test
    void s14_whoSendsHeartBeatsLivesThoughItDoesNotRead() throws IOException {
        try (StompClient client = scripted.listener().connect("heart-beat", "1000,0")) {
            flood(client, 50, 1 << 20);
            long until = System.nanoTime() + Duration.ofMillis(4_500).toNanos();
            await().pollInterval(Duration.ofMillis(100)).atMost(SOON).until(() -> {
                client.raw("\n");
                return System.nanoTime() > until;
            });
            for (int number = 1; number <= 50; number++) {
                assertThat(client.message(SOON).body()).hasSize(1 << 20);
            }
        }
    }

    @Test
    void s14_whoReadsSlowlyLivesThoughItIsNotRead() throws Exception {
        int body = 50 << 20;
        try (StompClient client = scripted.listener().connect("heart-beat", "1000,0")) {
            flood(client, 1, body);
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < 2_000; i++) {
                        client.raw("SEND\ndestination:/queue/a\n\n" + "x".repeat(10_000) + "^@");
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            InputStream in = client.socket().getInputStream();
            for (int read = 0; read < body; read += 1 << 20) {
                assertThat(in.readNBytes(1 << 20)).hasSize(1 << 20);
                await().pollDelay(Duration.ofMillis(80)).until(() -> true);
            }
            await().atMost(SOON).until(() -> scripted.session().sent().size() == 2_000);
            sender.join();
        }
    }

    @Test
    void s14_lineEndsKeepAConnectionAlive() throws IOException {
        try (StompClient client = scripted.listener().connect("heart-beat", "400,0")) {
            long until = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
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
        try (StompClient client = scripted.listener().connect("heart-beat", "0,50")) {
            assertThatThrownBy(() -> client.frame(Duration.ofSeconds(1)))
                    .isInstanceOf(java.net.SocketTimeoutException.class);
            assertThat(client.beats()).isBetween(8L, 25L);
        }
    }

    @Test
    void s14_withoutAnOfferThereAreNoHeartBeats() throws IOException {
        try (StompClient client = scripted.listener().connect()) {
            assertThatThrownBy(() -> client.frame(Duration.ofMillis(500)))
                    .isInstanceOf(java.net.SocketTimeoutException.class);
            assertThat(client.beats()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "a,b", "-1,0", "1,2,3", ",", "99999999999,0"})
    void s14_aHeartBeatHeaderThatIsNoneIsAnError(String header) {
        assertThatThrownBy(() -> scripted.listener().connect("heart-beat", header))
                .isInstanceOf(StompRefusedException.class)
                .hasMessageContaining("heart-beat");
    }
}
