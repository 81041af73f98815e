package dev.turnstone.transport.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.stomp.StompRefusedException;
import java.io.IOException;
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
