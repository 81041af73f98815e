package dev.turnstone.itests.openwire.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.itests.openwire.crash.BrokerMain.Mutant;
import dev.turnstone.testkit.transport.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Producers, transactions and consumers over {@code failover:}, and the broker killed with -9 under them: each message
 * exactly once. {@code -Dcrash.kills=} kills more often, {@code -Dcrash.seed=} at the same moments again;
 * {@code -Dcrash.patienceS=} is for how long a machine that is busy, or stops the campaign for a while, is waited for.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class OpenWireCrashTest {
    private static final int KILLS = Integer.getInteger("crash.kills", 10);
    private static final int MUTANT_ROUNDS = 20;
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
    private static final int LIFE_MS_MIN = 50;
    private static final int LIFE_MS_MAX = 350;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** What has not come when nothing came for so many looks does not come any more. */
    private static final int STALL_LOOKS = 200;

    private final SplittableRandom random = new SplittableRandom(SEED);

    /** What came of it. */
    private record Count(
            int confirmed, Set<String> lost, Map<String, List<String>> doubled, List<String> dead, Set<Long> after) {}

    @ParameterizedTest
    @ValueSource(strings = {"artemis", "artemis-withholding"})
    void eachMessageComesExactlyOnce(String journal, @TempDir Path folder) throws Exception {
        Count count = campaign(folder, journal, Mutant.NONE, KILLS);
        assertThat(count.lost()).isEmpty();
        assertThat(count.doubled()).isEmpty();
        assertThat(count.dead()).isEmpty();
        assertThat(count.after())
                .as("given again though their acknowledgement was confirmed")
                .isEmpty();
        assertThat(count.confirmed()).as("the producers did work").isGreaterThan(10 * KILLS);
    }

    @Test
    void aBrokerThatForgetsWhoHasSentWhatIsNoticed(@TempDir Path folder) throws Exception {
        boolean noticed = false;
        for (int round = 0; round < MUTANT_ROUNDS && !noticed; round++) {
            Path part = Files.createDirectory(folder.resolve("round" + round));
            noticed = !campaign(part, "artemis", Mutant.FORGETS_SENDERS, 2)
                    .doubled()
                    .isEmpty();
        }
        assertThat(noticed).as("the campaign notices").isTrue();
    }

    @Test
    void aBrokerThatForgetsWhatWasAcknowledgedIsNoticed(@TempDir Path folder) throws Exception {
        assertThat(campaign(folder, "artemis", Mutant.FORGETS_SETTLEMENTS, 3).after())
                .isNotEmpty();
    }

    private Count campaign(Path folder, String journal, Mutant mutant, int kills) throws Exception {
        String port = Integer.toString(Ports.free());
        Child broker = broker(folder, journal, port, mutant);
        try (Workers workers = new Workers(Integer.parseInt(port))) {
            workers.start();
            for (int kill = 0; kill < kills; kill++) {
                awaitWork(workers);
                long lifeMicros = random.nextInt(1_000 * LIFE_MS_MIN, 1_000 * LIFE_MS_MAX);
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(lifeMicros));
                broker.kill();
                broker = broker(folder, journal, port, mutant);
            }
            workers.stopProducing();
            return count(journal + ", mutant " + mutant + ", " + kills + " kills", workers, folder);
        } finally {
            broker.close();
        }
    }

    private static void awaitWork(Workers workers) {
        int before = workers.confirmed().size();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (workers.confirmed().size() == before && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static Count count(String title, Workers workers, Path folder) throws Exception {
        Set<String> lost = new TreeSet<>(workers.confirmed());
        int all = lost.size();
        int looks = 0;
        int before = 0;
        while (looks < STALL_LOOKS && !workers.received().containsAll(lost)) {
            LockSupport.parkNanos(LOOK_NANOS);
            int now = workers.received().size();
            looks = now == before ? looks + 1 : 0;
            before = now;
        }
        // Whatever comes twice comes soon.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        workers.finish();
        lost.removeAll(workers.received());
        Map<String, List<String>> doubled = workers.doubled();
        List<String> dead = workers.dead();
        System.out.printf(
                "OpenWire, %s, -Dcrash.seed=%d: %d confirmed, %d transactions rolled back, %d came again and said"
                        + " so, %d lost, %d doubled, %d dead"
                        + "%n",
                title,
                SEED,
                all,
                workers.rolledBack(),
                workers.again().size(),
                lost.size(),
                doubled.size(),
                dead.size());
        return new Count(all, lost, doubled, dead, SettleNotes.givenAfterAll(folder.resolve(BrokerMain.NOTES)));
    }

    private static Child broker(Path folder, String journal, String port, Mutant mutant)
            throws IOException, InterruptedException {
        return new Child(BrokerMain.class, folder.resolve("data").toString(), journal, port, mutant.name())
                .awaitReady();
    }
}
