package dev.turnstone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());

    @TempDir
    Path folder;

    /** One campaign; what it counted is printed. */
    static DoorsRun.Outcome run(Class<?> main, String journal, Path folder, int kills, int patienceS) throws Exception {
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
}
