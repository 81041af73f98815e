package dev.turnstone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults in the broker and in the worker, each of which the campaign of {@link DoorsTest} must notice. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class DoorsMutantsTest {
    private static final int ROUNDS = 5;
    private static final int KILLS = 3;
    private static final int PATIENCE_S = 10;

    @TempDir
    Path folder;

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
        for (int round = 1; round <= ROUNDS; round++) {
            Path part = Files.createDirectory(folder.resolve("round" + round));
            if (sign.test(DoorsTest.run(main, journal, part, KILLS, PATIENCE_S))) {
                return true;
            }
        }
        return false;
    }
}
