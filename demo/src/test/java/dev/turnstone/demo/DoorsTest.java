package dev.turnstone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One message through all doors, exactly once, whenever the process with the broker and the worker is killed.
 * {@code -Dcrash.kills=} kills more often, {@code -Dcrash.seed=} at the same moments again.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class DoorsTest {
    private static final int KILLS = Integer.getInteger("crash.kills", 10);
    private static final int PATIENCE_S = 60;
    private static final int MUTANT_ROUNDS = 5;
    private static final int MUTANT_KILLS = 3;
    private static final int MUTANT_PATIENCE_S = 10;
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());

    @TempDir
    Path folder;

    private static DoorsRun.Outcome run(Class<?> main, String journal, Path folder, int kills, int patienceS)
            throws Exception {
        DoorsRun.Settings settings = new DoorsRun.Settings(main.getName(), folder, journal, 50, kills, patienceS, SEED);
        DoorsRun.Outcome outcome = new DoorsRun(settings, line -> {}).run();
        System.out.println(main.getSimpleName() + ", " + journal + ", -Dcrash.seed=" + SEED);
        System.out.print(DemoMain.table(outcome));
        return outcome;
    }

    @ParameterizedTest
    @ValueSource(strings = {"artemis", "artemis-withholding"})
    void eachReadingHasExactlyOneEffectAtEveryDoor(String journal) throws Exception {
        DoorsRun.Outcome outcome = run(WorkerMain.class, journal, folder, KILLS, PATIENCE_S);
        assertThat(outcome.clean()).as(DemoMain.table(outcome)).isTrue();
        assertThat(outcome.sent()).isGreaterThanOrEqualTo(50);
    }

    /** The log of the transaction manager has forgotten it, the broker still has it prepared: it is done again. */
    @Test
    void aCommitThatIsReleasedBeforeItIsDurableIsCaught() throws Exception {
        assertThat(caught(WorkerMain.class, "artemis-commits-early", outcome -> outcome.storedTwice() > 0))
                .isTrue();
    }

    /** The publisher sends again what the broker has, and nothing tells it that it is the same. */
    @Test
    void anInboundPacketIdentifierThatIsNotStoredIsCaught() throws Exception {
        assertThat(caught(WorkerMain.class, "artemis-forgets-packets", outcome -> outcome.storedTwice() > 0))
                .isTrue();
    }

    @Test
    void aWorkerWithoutRecoveryIsCaught() throws Exception {
        assertThat(caught(UnrecoveredMain.class, "artemis", outcome -> outcome.inDoubt() > 0))
                .isTrue();
    }

    /** Whether the fault showed, within a bounded number of rounds that each begin anew. */
    private boolean caught(Class<?> main, String journal, Predicate<DoorsRun.Outcome> sign) throws Exception {
        for (int round = 1; round <= MUTANT_ROUNDS; round++) {
            Path part = Files.createDirectory(folder.resolve("round" + round));
            if (sign.test(run(main, journal, part, MUTANT_KILLS, MUTANT_PATIENCE_S))) {
                return true;
            }
        }
        return false;
    }
}
