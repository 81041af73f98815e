package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A unit that crosses into another file: its deletes must not free a file before its end is on the disk. */
@Timeout(60)
final class ReclaimDuringUnitTest {
    private static final JournalLimits SMALL = new JournalLimits(1 << 20, 8 << 10, 32 << 10);
    private static final long VICTIM = 1;

    @TempDir
    private Path folder;

    private final CountDownLatch endIsBeingWritten = new CountDownLatch(1);
    private final CountDownLatch firstFileIsReused = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Test
    void aDeleteInAUnitFreesNoFileBeforeTheUnitIsDurable() throws InterruptedException {
        WithholdingFiles withholding = WithholdingFiles.overPageCache();
        FaultyFiles watched = new FaultyFiles(withholding);
        RecordingListener listener = new RecordingListener();
        Journal journal = new ArtemisJournalProvider("watched", watched).open(folder, SMALL, listener);
        Survivors.of(journal);
        listener.awaitDurable(journal.append(firstFileWithOneLeft()));
        watched.fail(FaultyFiles.Operation.WRITE, 1, this::watch);

        Batch batch = new Batch();
        batch.beginUnit();
        batch.delete(VICTIM);
        for (long id = 100; id < 104; id++) {
            batch.add(id, (byte) 1, Payload.of(new byte[7 << 10]));
        }
        batch.endUnit();
        journal.append(batch);

        assertThat(endIsBeingWritten.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(firstFileIsReused.await(700, TimeUnit.MILLISECONDS))
                .as("the file of the deleted record is reused while the unit is not durable")
                .isFalse();
        withholding.crashLosingAll();
        release.countDown();
        journal.close();

        try (Journal reopened = new ArtemisJournalProvider().open(folder, SMALL, new RecordingListener())) {
            assertThat(Survivors.of(reopened)).containsOnlyKeys(VICTIM, 6L);
        }
    }

    /** Fills the first file, of which only the victim is left, and begins the second. */
    private static Batch firstFileWithOneLeft() {
        Batch batch = new Batch();
        batch.add(VICTIM, (byte) 1, Payload.of(new byte[100]));
        for (long id = 2; id <= 6; id++) {
            batch.add(id, (byte) 1, Payload.of(new byte[7 << 10]));
        }
        for (long id = 2; id <= 5; id++) {
            batch.delete(id);
        }
        return batch;
    }

    /** Holds up what is written to the third file, and sees when the first one is written again. */
    private boolean watch(Path file) {
        String name = file.getFileName().toString();
        if (name.equals("turnstone-1.log")) {
            firstFileIsReused.countDown();
        } else if (name.equals("turnstone-3.log")) {
            endIsBeingWritten.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return false;
    }
}
