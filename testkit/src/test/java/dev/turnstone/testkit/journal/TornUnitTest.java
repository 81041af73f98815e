package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a crash leaves of a unit lies in a file until that is emptied. Nobody may use its identifiers again, but should
 * it happen (the reservation of a block of them may be torn with the unit), what has them now must win.
 */
@Timeout(60)
final class TornUnitTest {
    private static final JournalLimits SMALL = new JournalLimits(4 << 20, 8 << 10, 64 << 10, 0);
    private static final long OLD = 1_000;
    private static final int TORN = 150;
    private static final int AGAIN = 20;

    @TempDir
    private Path folder;

    private final Map<Long, String> expected = new TreeMap<>();

    /** The load that finds the torn unit rolls it back; later ones find that. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aCompactionDoesNotTakeItForWhatHasItsIdentifiersNow(int loads) {
        tearAUnit();
        for (int i = 1; i < loads; i++) {
            survive();
        }
        CompactionWatch compactions = new CompactionWatch();
        RecordingListener listener = new RecordingListener();
        try (Journal journal = new ArtemisJournalProvider("again", compactions.over(new UnsyncedFiles()))
                .open(folder, SMALL, listener)) {
            assertThat(Survivors.of(journal)).isEqualTo(expected);
            Batch again = new Batch();
            for (long id = 1; id <= AGAIN; id++) {
                add(again, id, 9);
            }
            listener.awaitDurable(journal.append(again));
            for (int turn = 0; turn < 60; turn++) {
                listener.awaitDurable(journal.append(mostlyShortLived(2_000 + 40L * turn)));
            }
            await().until(() -> compactions.files() > 2);
            assertThat(listener.failure()).isNull();
        }
        survive();
    }

    /** Leaves the beginning of a unit, which is synced in the first file and lost behind it. */
    private void tearAUnit() {
        WithholdingFiles disk = WithholdingFiles.overPageCache();
        FaultyFiles faulty = new FaultyFiles(disk);
        RecordingListener listener = new RecordingListener();
        Journal journal = new ArtemisJournalProvider("torn", faulty).open(folder, SMALL, listener);
        Survivors.of(journal);
        Batch first = new Batch();
        add(first, OLD, 5);
        listener.awaitDurable(journal.append(first));
        faulty.fail(FaultyFiles.Operation.WRITE, 1, file -> {
            boolean second = file.getFileName().toString().equals("turnstone-2.log");
            if (second) {
                disk.crashLosingAll();
            }
            return second;
        });
        Batch unit = new Batch();
        unit.beginUnit();
        for (long id = 1; id <= TORN; id++) {
            unit.add(id, (byte) 1, Payload.of(filled(7)));
        }
        unit.endUnit();
        listener.awaitDurableOrFailed(journal.append(unit));
        assertThat(listener.failure()).isNotNull();
        journal.close();
    }

    private Batch mostlyShortLived(long firstId) {
        Batch batch = new Batch();
        for (long id = firstId; id < firstId + 40; id++) {
            if (id % 8 == 0) {
                add(batch, id, 1);
            } else {
                batch.add(id, (byte) 1, Payload.of(filled(1)));
                batch.delete(id);
            }
        }
        return batch;
    }

    private void add(Batch batch, long id, int value) {
        batch.add(id, (byte) 1, Payload.of(filled(value)));
        expected.put(id, Survivors.form((byte) 1, filled(value)));
    }

    private static byte[] filled(int value) {
        byte[] bytes = new byte[500];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private void survive() {
        try (Journal journal = new ArtemisJournalProvider().open(folder, SMALL, new RecordingListener())) {
            assertThat(Survivors.of(journal)).isEqualTo(expected);
        }
    }
}
