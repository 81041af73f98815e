package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.Login;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StateQuery;
import dev.turnstone.spi.Principal;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.transport.vertx.StateSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What became of time while a killed broker was down: three brokers start, one after the other. */
@Timeout(120)
class MqttKilledTest {
    private static final StateQuery STAMP = StateQuery.of("mqtt.alive", "");
    private static final Duration MOMENT = Duration.ofMillis(300);
    private static final int HOUR_MS = 3_600_000;

    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    @TempDir
    private Path killed;

    /** As a kill would leave it. */
    private void copy() throws IOException {
        try (Stream<Path> files = Files.walk(broker.data())) {
            for (Path file : files.toList()) {
                Path target = killed.resolve(broker.data().relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /** Says that the broker last ran an hour earlier; returns when it had said so itself. */
    private long anHourEarlier() {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (EmbeddedBroker between = EmbeddedBroker.start(BrokerSettings.in(killed))) {
            Login login = new Login(null, null, null, "test", "test");
            // All that is asked of the session is asked on its own thread.
            return between.broker()
                    .resume(Principal.BROKER, login, cause -> {})
                    .thenApplyAsync(made -> new StateSession(made, thread), thread)
                    .thenComposeAsync(state -> state.list(STAMP).thenCompose(found -> setBack(state, found)), thread)
                    .toCompletableFuture()
                    .join();
        } finally {
            thread.shutdown();
        }
    }

    private static CompletableFuture<Long> setBack(StateSession state, List<StateEntry> found) {
        assertThat(found).hasSize(1);
        StateEntry entry = found.get(0);
        ByteBuffer value = ByteBuffer.wrap(entry.value().clone());
        long saidMs = value.getLong(1);
        value.putLong(1, saidMs - HOUR_MS);
        return state.change(List.of(StateChange.put(STAMP.namespace(), entry.key(), value.array())))
                .thenApply(done -> saidMs);
    }

    @Test
    void aSessionExpiresFromTheKillOn() throws IOException {
        long beganMs = System.currentTimeMillis();
        broker.connect(MqttLogin.v5("short").expiry(600)).subscribe("t", 1);
        broker.connect(MqttLogin.v5("long").expiry(10_000)).subscribe("t", 1);
        broker.connect(MqttLogin.v5("watcher").expiry(10_000)).subscribe("w", 1);
        broker.connect(
                MqttLogin.v5("will").keep(10_000).will("w", "gone", 1, false).willDelay(300));
        broker.connect(
                MqttLogin.v5("later").keep(10_000).will("w", "later", 1, false).willDelay(5_000));
        copy();
        assertThat(anHourEarlier()).isGreaterThanOrEqualTo(beganMs);
        try (EmbeddedBroker next = EmbeddedBroker.start(BrokerSettings.in(killed))) {
            int port = next.listen("mqtt", MqttBroker.HOST, 0, Map.of()).port();
            try (MqttPeer gone = MqttPeer.open(port);
                    MqttPeer there = MqttPeer.open(port)) {
                assertThat(gone.login(MqttLogin.v5("short").keep(600))
                                .variableHeader()
                                .isSessionPresent())
                        .isFalse();
                assertThat(there.login(MqttLogin.v5("long").keep(10_000))
                                .variableHeader()
                                .isSessionPresent())
                        .isTrue();
            }
            try (MqttPeer watcher =
                    MqttPeer.connect(port, MqttLogin.v5("watcher").keep(10_000))) {
                assertThat(MqttPeer.text(watcher.message())).isEqualTo("gone");
                assertThat(watcher.silent(MOMENT)).as("the other is not due").isTrue();
            }
        }
    }
}
