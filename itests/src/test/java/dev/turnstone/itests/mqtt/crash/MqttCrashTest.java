package dev.turnstone.itests.mqtt.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.mqtt.crash.ExactlyOnceCampaign.Count;
import dev.turnstone.itests.mqtt.crash.ExactlyOnceCampaign.Victim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * QoS 2 in, moved in a JMS transaction, QoS 2 out: each message exactly once, whoever is killed. {@code -Dcrash.kills=}
 * kills more often, {@code -Dcrash.seed=} at the same moments again.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class MqttCrashTest {
    private static final int KILLS = Integer.getInteger("crash.kills", 10);
    private static final int MUTANT_KILLS = 18;
    private static final int KILLS_A_ROUND = 3;
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
    private static final List<Victim> TURNS =
            List.of(Victim.BROKER, Victim.PUBLISHERS, Victim.BROKER, Victim.SUBSCRIBER, Victim.BROKER);

    @ParameterizedTest
    @ValueSource(strings = {"artemis", "artemis-withholding"})
    void eachMessageComesExactlyOnce(String journal, @TempDir Path folder) throws Exception {
        try (ExactlyOnceCampaign campaign = new ExactlyOnceCampaign(folder, journal, Mutants.NONE, SEED)) {
            for (int kill = 0; kill < KILLS; kill++) {
                campaign.kill(TURNS.get(kill % TURNS.size()));
            }
            Count count = campaign.judge();
            print(journal + ", " + KILLS + " kills", count);
            assertThat(count.lost()).isEmpty();
            assertThat(count.doubled()).isEmpty();
            assertThat(count.published()).as("the publishers did work").isGreaterThan(10 * KILLS);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mutants.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aFaultIsNoticed(Mutants mutant, @TempDir Path folder) throws Exception {
        Victim victim = mutant == Mutants.ID_NOT_STORED ? Victim.PUBLISHERS : Victim.BROKER;
        boolean noticed = false;
        for (int round = 0; round < MUTANT_KILLS / KILLS_A_ROUND && !noticed; round++) {
            Path part = Files.createDirectory(folder.resolve("round" + round));
            try (ExactlyOnceCampaign campaign =
                    new ExactlyOnceCampaign(part, "artemis-withholding", mutant, SEED + round)) {
                for (int kill = 0; kill < KILLS_A_ROUND; kill++) {
                    campaign.kill(victim);
                }
                Count count = campaign.judge();
                print("mutant " + mutant, count);
                noticed = !count.clean();
            }
        }
        assertThat(noticed).as("the campaign notices").isTrue();
    }

    private static void print(String title, Count count) {
        System.out.printf(
                "%s, -Dcrash.seed=%d: %d published, %d received, %d in doubt, %d lost, %d doubled%n",
                title,
                SEED,
                count.published(),
                count.received(),
                count.inDoubt(),
                count.lost().size(),
                count.doubled().size());
    }
}
