package dev.turnstone.itests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing confirmed is lost, doubled or half done, whenever the broker's process is killed. {@code -Dcrash.kills=}
 * kills more often, {@code -Dcrash.seed=} at the same moments again.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class CrashTest {
    private static final int KILLS = Integer.getInteger("crash.kills", 10);
    private static final int MUTANT_KILLS = 8;
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());

    @ParameterizedTest
    @ValueSource(strings = {"artemis", "artemis-withholding"})
    void nothingConfirmedIsLostDoubledOrHalfDone(String journal, @TempDir Path data) throws Exception {
        try (CrashCampaign campaign = new CrashCampaign(data, journal, SEED)) {
            for (int kill = 0; kill < KILLS; kill++) {
                campaign.kill();
            }
            List<Verdict> verdicts = campaign.judge();
            print(journal + ", " + KILLS + " kills, -Dcrash.seed=" + SEED, verdicts);
            assertThat(verdicts).allMatch(Verdict::clean);
            assertThat(verdicts).as("the clients did work").allMatch(verdict -> verdict.moves() > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"artemis-fsync-skipped", "artemis-confirmed-early"})
    void aJournalThatConfirmsWhatIsNotDurableIsCaught(String journal, @TempDir Path folder) throws Exception {
        boolean caught = false;
        for (int kill = 1; kill <= MUTANT_KILLS && !caught; kill++) {
            try (CrashCampaign campaign = new CrashCampaign(folder.resolve("data" + kill), journal, SEED + kill)) {
                campaign.kill();
                List<Verdict> verdicts = campaign.judge();
                print(journal + ", a mutant", verdicts);
                caught = !verdicts.stream().allMatch(Verdict::clean);
            }
        }
        assertThat(caught).as("the harness notices").isTrue();
    }

    private static void print(String title, List<Verdict> verdicts) {
        StringBuilder table = new StringBuilder(title).append('\n').append(Verdict.HEADER);
        verdicts.forEach(verdict -> table.append('\n').append(verdict.row()));
        System.out.println(table);
    }
}
