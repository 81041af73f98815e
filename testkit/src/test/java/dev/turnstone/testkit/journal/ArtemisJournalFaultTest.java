package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Disks that fail, at each operation of a run that rolls files, prepares new ones and compacts. Whatever fails, in
 * whichever thread: what was confirmed is there, nothing is confirmed afterwards, the listener hears of it and the
 * journal takes no more.
 */
@Timeout(120)
final class ArtemisJournalFaultTest {
    /** Files so small that a run rolls dozens of times. */
    private static final JournalLimits SMALL = new JournalLimits(1 << 20, 8 << 10, 32 << 10);

    private static final int BATCHES = 150;

    private static final ArtemisJournalProvider UNSYNCED = new ArtemisJournalProvider("unsynced", new UnsyncedFiles());

    @TempDir
    private Path root;

    @ParameterizedTest
    @EnumSource(
            value = FaultyFiles.Operation.class,
            names = {"READ", "WRITE", "SYNC", "OPEN", "RENAME", "SYNC_FOLDER"})
    void whateverFailsNothingConfirmedIsLostAndNothingIsConfirmedAfterwards(FaultyFiles.Operation operation)
            throws IOException {
        int failed = 0;
        for (int nth = 1; nth <= 61; nth += nth < 8 ? 1 : 7) {
            if (survivesAFault(operation, nth)) {
                failed++;
            }
        }
        assertThat(failed).as("runs in which a fault struck").isGreaterThan(3);
    }

    @ParameterizedTest
    @EnumSource(FaultyFiles.Operation.class)
    void aFaultWhileLoadingIsThrownAndHarmsNothing(FaultyFiles.Operation operation) throws IOException {
        Path folder = root.resolve(operation.name());
        NavigableMap<Long, String> expected = fill(folder);
        for (int nth = 1; nth <= 12; nth += 2) {
            FaultyFiles faulty = new FaultyFiles(new UnsyncedFiles());
            faulty.fail(operation, nth);
            try (Journal journal =
                    new ArtemisJournalProvider("faulty", faulty).open(folder, SMALL, new RecordingListener())) {
                Survivors.of(journal);
            } catch (JournalException e) {
                assertThat(faulty.failures()).isPositive();
                assertThat(e.kind()).as("%s", e).isIn(JournalException.Kind.IO, JournalException.Kind.UNUSABLE);
            }
            assertThat(load(folder)).isEqualTo(expected);
        }
    }

    private boolean survivesAFault(FaultyFiles.Operation operation, int nth) throws IOException {
        Path folder = root.resolve(operation + "-" + nth);
        WithholdingFiles withholding = WithholdingFiles.overPageCache();
        FaultyFiles faulty = new FaultyFiles(withholding);
        RecordingListener listener = new RecordingListener();
        Random random = new Random(nth);
        Journal journal = new ArtemisJournalProvider("faulty", faulty).open(folder, SMALL, listener);
        Survivors.of(journal);
        RandomHistory history = new RandomHistory(random, 3_000, new TreeMap<>(), 1);
        faulty.fail(operation, nth);
        long[] unitsAtLsn = append(journal, listener, history, random);
        boolean struck = listener.failure() != null;
        if (struck) {
            assertThatThrownBy(() -> journal.append(history.nextBatch())).isInstanceOf(JournalException.class);
            assertThat(faulty.failures()).isPositive();
        }
        long confirmed = listener.durable();
        withholding.crash(random);
        journal.close();
        assertThat(listener.durable()).as("nothing is confirmed afterwards").isEqualTo(confirmed);
        assertThat(listener.wrongs()).isEmpty();

        int prefix = history.states().lastIndexOf(load(folder));
        assertThat(prefix)
                .as("%s %s: a prefix at or past what was confirmed", operation, nth)
                .isGreaterThanOrEqualTo((int) unitsAtLsn[(int) confirmed]);
        return struck;
    }

    private static long[] append(Journal journal, RecordingListener listener, RandomHistory history, Random random) {
        long[] unitsAtLsn = new long[BATCHES + 1];
        try {
            for (int i = 1; i <= BATCHES; i++) {
                long lsn = journal.append(history.nextBatch());
                unitsAtLsn[(int) lsn] = history.states().size() - 1L;
                if (random.nextInt(4) == 0) {
                    listener.awaitDurableOrFailed(lsn);
                }
            }
            listener.awaitDurableOrFailed(BATCHES);
        } catch (JournalException e) {
            assertThat(listener.awaitFailure().kind()).isEqualTo(e.kind());
        }
        return unitsAtLsn;
    }

    private NavigableMap<Long, String> fill(Path folder) {
        RandomHistory history = new RandomHistory(new Random(5), 3_000, new TreeMap<>(), 1);
        try (Journal journal = UNSYNCED.open(folder, SMALL, new RecordingListener())) {
            Survivors.of(journal);
            for (int i = 0; i < 100; i++) {
                journal.append(history.nextBatch());
            }
        }
        return history.states().get(history.states().size() - 1);
    }

    private static NavigableMap<Long, String> load(Path folder) {
        try (Journal journal = UNSYNCED.open(folder, SMALL, new RecordingListener())) {
            return Survivors.of(journal);
        }
    }

    private void assertMisused(Batch batch) {
        assertMisused(batch, 4711);
    }

    private void assertMisused(Batch batch, long id) {
        RecordingListener listener = new RecordingListener();
        try (Journal journal = UNSYNCED.open(root, SMALL, listener)) {
            Survivors.of(journal);
            Batch before = new Batch();
            before.add(1, (byte) 1, Payload.of(new byte[9]));
            listener.awaitDurableOrFailed(journal.append(before));
            journal.append(batch);
            assertThat(listener.awaitFailure().kind()).isEqualTo(JournalException.Kind.MISUSE);
            assertThat(listener.failure()).hasMessageContaining("record " + id + ",");
        }
        assertThat(load(root)).as("nothing of the unit").containsOnlyKeys(1L);
    }

    @Test
    void aDeleteOfAnUnknownRecordStopsTheJournalAsMisuse() {
        Batch batch = new Batch();
        batch.delete(4711);
        assertMisused(batch);
    }

    @Test
    void aDeleteOfAnUnknownRecordInAUnitStopsTheJournalAsMisuse() {
        Batch batch = new Batch();
        batch.beginUnit();
        batch.delete(1);
        batch.delete(4711);
        batch.add(2, (byte) 1, Payload.of(new byte[9]));
        batch.endUnit();
        assertMisused(batch);
    }

    @Test
    void aRecordThatAUnitDeletesTwiceStopsTheJournalAsMisuse() {
        Batch batch = new Batch();
        batch.beginUnit();
        batch.add(4711, (byte) 1, Payload.of(new byte[9]));
        batch.delete(4711);
        batch.delete(1);
        batch.delete(4711);
        batch.endUnit();
        assertMisused(batch);
    }

    @Test
    void aRecordThatLivedBeforeAndThatAUnitDeletesTwiceStopsTheJournalAsMisuse() {
        Batch batch = new Batch();
        batch.beginUnit();
        batch.delete(1);
        batch.add(2, (byte) 1, Payload.of(new byte[9]));
        batch.delete(1);
        batch.endUnit();
        assertMisused(batch, 1);
    }

    @Test
    void aRecordThatAUnitDeletesBeforeItAddsItStopsTheJournalAsMisuse() {
        Batch batch = new Batch();
        batch.beginUnit();
        batch.delete(1);
        batch.delete(4711);
        batch.add(4711, (byte) 1, Payload.of(new byte[9]));
        batch.endUnit();
        assertMisused(batch);
    }
}
