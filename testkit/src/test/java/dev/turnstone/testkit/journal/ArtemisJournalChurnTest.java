package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalReport;
import dev.turnstone.journal.NamedFiles;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are reclaimed, reused and compacted while the power fails at any moment. */
@Timeout(600)
final class ArtemisJournalChurnTest {
    private static final JournalLimits SMALL = new JournalLimits(1 << 20, 8 << 10, 32 << 10);

    @TempDir
    private Path folder;

    private final CompactionWatch compactions = new CompactionWatch();

    private NavigableMap<Long, String> loaded = new TreeMap<>();
    private long nextId = 1;
    private int openings;

    @Test
    void crashesDuringReclaimAndCompactionLoseAndResurrectNothing() throws IOException {
        for (int seed = 0; seed < 12; seed++) {
            churnAndCrash(new Random(seed), seed);
        }
        assertThat(compactions.files()).as("files emptied by compactions").isPositive();
    }

    @Test
    @Tag("full")
    void manyCrashesDuringReclaimAndCompactionLoseAndResurrectNothing() throws IOException {
        for (int seed = 100; seed < 300; seed++) {
            churnAndCrash(new Random(seed), seed);
        }
        assertThat(compactions.files()).as("files emptied by compactions").isGreaterThan(20);
    }

    private void churnAndCrash(Random random, int seed) throws IOException {
        WithholdingFiles withholding = WithholdingFiles.overPageCache();
        RecordingListener listener = new RecordingListener();
        Journal journal = open(withholding, listener);
        assertThat(Survivors.of(journal)).as("seed %s", seed).isEqualTo(loaded);
        RandomHistory history = new RandomHistory(random, 1_500, loaded, nextId).withLongLivedFew();
        int batches = 50 + random.nextInt(400);
        int[] unitsAtLsn = new int[batches + 1];
        for (int i = 1; i <= batches; i++) {
            long lsn = journal.append(history.nextBatch());
            unitsAtLsn[(int) lsn] = history.states().size() - 1;
            if (random.nextInt(8) == 0) {
                listener.awaitDurable(lsn);
            }
        }
        int durableUnits = unitsAtLsn[(int) listener.durable()];
        withholding.crash(random);
        journal.close();
        assertThat(listener.wrongs()).isEmpty();
        nextId = history.nextId();

        try (Journal reopened = open(WithholdingFiles.overPageCache(), new RecordingListener())) {
            loaded = Survivors.of(reopened);
        }
        assertThat(history.states().lastIndexOf(loaded))
                .as("seed %s: a prefix at or past %s units", seed, durableUnits)
                .isGreaterThanOrEqualTo(durableUnits);
    }

    @Test
    void spaceStaysBoundedWhenRecordsComeAndGo() throws IOException {
        RecordingListener listener = new RecordingListener();
        try (Journal journal = open(WithholdingFiles.overPageCache(), listener)) {
            Survivors.of(journal);
            long lsn = 0;
            for (long id = 1; id <= 10_000; id++) {
                Batch batch = new Batch();
                batch.add(id, (byte) 1, Payload.of(new byte[500]));
                // One in a hundred stays, so that hardly a file is ever without a live record.
                if (id > 10 && (id - 10) % 100 != 0) {
                    batch.delete(id - 10);
                }
                lsn = journal.append(batch);
                if (id % 100 == 0) {
                    listener.awaitDurable(lsn);
                }
            }
            listener.awaitDurable(lsn);
        }
        try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
            long live = 110 * 540L;
            assertThat(files.count() * SMALL.fileBytes()).isLessThan(6 * live + 6L * SMALL.fileBytes());
        }
        try (Journal journal = open(WithholdingFiles.overPageCache(), new RecordingListener())) {
            assertThat(Survivors.of(journal)).hasSize(99 + 10);
        }
    }

    /** A delete in a unit names a record as the library knows it, which a move by a compaction changes. */
    @Test
    void unitsDeleteWhatCompactionsHaveMovedInThisLifeAndInOneBefore() {
        long last = churn(1, 4_000);
        assertThat(moved()).as("records that were moved").isPositive();
        last = churn(last, last + 4_000);
        RecordingListener listener = new RecordingListener();
        try (Journal journal = open(WithholdingFiles.overPageCache(), listener)) {
            NavigableMap<Long, String> living = Survivors.of(journal);
            assertThat(living).hasSizeGreaterThan(50);
            Batch batch = new Batch();
            batch.beginUnit();
            living.keySet().forEach(batch::delete);
            batch.add(last, (byte) 1, Payload.of(new byte[3]));
            batch.add(last + 1, (byte) 1, Payload.of(new byte[3]));
            batch.delete(last);
            batch.endUnit();
            listener.awaitDurable(journal.append(batch));
        }
        try (Journal journal = open(WithholdingFiles.overPageCache(), new RecordingListener())) {
            assertThat(Survivors.of(journal)).containsOnlyKeys(last + 1);
        }
    }

    private long moved() {
        JournalReport.Living living = ArtemisJournalProvider.inspect(folder, NamedFiles.NONE, id -> false)
                .living();
        return living == null ? -1 : living.moved();
    }

    /** Adds and deletes in units, and keeps one in fifty; returns an id that was not used. */
    private long churn(long first, long end) {
        RecordingListener listener = new RecordingListener();
        try (Journal journal = open(WithholdingFiles.overPageCache(), listener)) {
            Survivors.of(journal);
            long lsn = 0;
            for (long id = first; id < end; id += 2) {
                Batch batch = new Batch();
                batch.beginUnit();
                batch.add(id, (byte) 1, Payload.of(new byte[400]));
                batch.add(id + 1, (byte) 1, Payload.of(new byte[400]));
                long old = id - 20;
                if (old > first) {
                    batch.delete(old);
                    if ((old + 1) % 50 != 0) {
                        batch.delete(old + 1);
                    }
                }
                batch.endUnit();
                lsn = journal.append(batch);
                if (id % 100 == 1) {
                    listener.awaitDurable(lsn);
                }
            }
            listener.awaitDurable(lsn);
        }
        return end + 2;
    }

    private Journal open(WithholdingFiles withholding, RecordingListener listener) {
        // Every other load has no memory to keep what it finds, and reads it once more.
        JournalLimits limits = ++openings % 2 == 0 ? SMALL : ArtemisJournalLoadTest.withoutMemory(SMALL);
        return new ArtemisJournalProvider("churn", compactions.over(withholding)).open(folder, limits, listener);
    }
}
