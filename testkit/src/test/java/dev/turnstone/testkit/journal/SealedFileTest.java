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

/** A file that the journal leaves for the next one is synced with what else is; what hangs on that waits for it. */
@Timeout(60)
final class SealedFileTest {
    private static final JournalLimits SMALL = new JournalLimits(4 << 20, 8 << 10, 64 << 10);
    private static final long VICTIM = 1;
    private static final long A_WHILE_MS = 500;

    @TempDir
    private Path folder;

    private final WithholdingFiles disk = WithholdingFiles.overPageCache();
    private final FaultyFiles syncs = new FaultyFiles(disk);
    private final FaultyFiles writes = new FaultyFiles(syncs);
    private final RecordingListener listener = new RecordingListener();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);
    private long nextId = VICTIM;

    /** So much is outstanding that the journal's thread goes on while another one syncs. */
    @Test
    void nothingIsWrittenToAFileBeforeTheOneInFrontOfItIsSynced() throws InterruptedException {
        try (Journal journal = open()) {
            syncs.fail(FaultyFiles.Operation.SYNC, 1, file -> is(file, 1) && hold());
            writes.fail(FaultyFiles.Operation.WRITE, 1, file -> is(file, 2) && noteWritten());
            long lsn = 0;
            for (int i = 0; i < 80; i++) {
                lsn = journal.append(adds(1));
            }
            boolean reached = held.await(20, TimeUnit.SECONDS);
            boolean early = written.await(A_WHILE_MS, TimeUnit.MILLISECONDS);
            release.countDown();
            listener.awaitDurable(lsn);
            assertThat(reached).isTrue();
            assertThat(early)
                    .as("written to the second file while the first is being synced")
                    .isFalse();
            assertThat(written.getCount()).isZero();
        }
        survive(80);
    }

    @Test
    void aDeleteInASealedFileFreesNothingBeforeThatIsSynced() throws InterruptedException {
        Journal journal = open();
        fillFirstFileWithOneLeft(journal);
        syncs.fail(FaultyFiles.Operation.SYNC, 1, file -> is(file, 2) && hold());
        writes.fail(FaultyFiles.Operation.WRITE, 1, file -> is(file, 1) && noteWritten());
        Batch batch = new Batch();
        batch.delete(VICTIM);
        addTo(batch, 8);
        journal.append(batch);
        boolean reached = held.await(20, TimeUnit.SECONDS);
        boolean early = written.await(A_WHILE_MS, TimeUnit.MILLISECONDS);
        disk.crashLosingAll();
        release.countDown();
        journal.close();
        assertThat(reached).isTrue();
        assertThat(early)
                .as("the file of the deleted record is reused while the delete is not durable")
                .isFalse();
        try (Journal reopened = new ArtemisJournalProvider().open(folder, SMALL, new RecordingListener())) {
            assertThat(Survivors.of(reopened)).containsKey(VICTIM);
        }
    }

    @Test
    void unitsDoNotWaitForFilesThatAreMadeFree() throws InterruptedException {
        try (Journal journal = open()) {
            fillFirstFileWithOneLeft(journal);
            writes.fail(FaultyFiles.Operation.WRITE, 1, file -> is(file, 1) && hold());
            Batch batch = new Batch();
            batch.delete(VICTIM);
            addTo(batch, 8);
            journal.append(batch);
            boolean reached = held.await(20, TimeUnit.SECONDS);
            Batch unit = new Batch();
            unit.beginUnit();
            unit.delete(nextId - 1);
            unit.add(nextId, (byte) 1, Payload.of(new byte[100]));
            unit.endUnit();
            long lsn = journal.append(unit);
            try {
                listener.awaitDurable(lsn);
            } finally {
                release.countDown();
            }
            assertThat(reached).as("the first file is made free").isTrue();
        }
    }

    /** Leaves the first file complete, with one record that lives, and the second begun. */
    private void fillFirstFileWithOneLeft(Journal journal) {
        Batch batch = adds(9);
        for (long id = VICTIM + 1; id < nextId - 1; id++) {
            batch.delete(id);
        }
        listener.awaitDurable(journal.append(batch));
    }

    private Batch adds(int count) {
        Batch batch = new Batch();
        addTo(batch, count);
        return batch;
    }

    /** Adds records of which eight fill a file. */
    private void addTo(Batch batch, int count) {
        for (int i = 0; i < count; i++) {
            batch.add(nextId++, (byte) 1, Payload.of(new byte[8000]));
        }
    }

    private static boolean is(Path file, int number) {
        return file.getFileName().toString().equals("turnstone-" + number + ".log");
    }

    private boolean hold() {
        held.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private boolean noteWritten() {
        written.countDown();
        return false;
    }

    private void survive(int count) {
        try (Journal journal = new ArtemisJournalProvider().open(folder, SMALL, new RecordingListener())) {
            assertThat(Survivors.of(journal)).hasSize(count);
        }
    }

    private Journal open() {
        Journal journal = new ArtemisJournalProvider("sealed", writes).open(folder, SMALL, listener);
        Survivors.of(journal);
        return journal;
    }
}
