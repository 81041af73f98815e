package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How much more the journal takes on the disk than what lives in it: under three times at any moment, whatever lives
 * how long, once more lives than the few files that are kept in any case hold.
 */
@Timeout(120)
final class ArtemisJournalSpaceTest {
    private static final int FILE_BYTES = 64 << 10;
    private static final JournalLimits SMALL = new JournalLimits(1 << 20, 16 << 10, FILE_BYTES);

    /** What is kept beside the data: files for reuse, the current and the next one, and one that is being emptied. */
    private static final int FILES_BESIDE = 10 + 2 + 1;

    private static final int RECORD_BYTES = 500;

    private static final int BATCH = 40;

    @TempDir
    private Path folder;

    private final RecordingListener listener = new RecordingListener();
    private final CompactionWatch compactions = new CompactionWatch();
    private final Map<Long, String> expected = new TreeMap<>();
    private final Random random = new Random(5);
    private long nextId = 1;

    /** Of each so many records one lives long, the rest lives for so many more records. */
    @ParameterizedTest
    @CsvSource({"3, 10", "5, 1000", "12, 50"})
    void spaceStaysUnderThreeTimesWhatLivesWhileSomeLiveLongAndOthersNot(int oneIn, int shortLife) throws IOException {
        double worst = 0;
        try (Journal journal = open()) {
            Survivors.of(journal);
            ArrayDeque<Long> shortLived = new ArrayDeque<>();
            ArrayDeque<Long> longLived = new ArrayDeque<>();
            for (int turn = 0; turn < 600; turn++) {
                Batch batch = new Batch();
                for (int i = 0; i < BATCH; i++) {
                    long id = nextId++;
                    add(batch, id);
                    (id % oneIn == 0 ? longLived : shortLived).add(id);
                    if (shortLived.size() > shortLife) {
                        delete(batch, shortLived.remove());
                    }
                    if (longLived.size() > 3_000) {
                        delete(batch, longLived.remove());
                    }
                }
                listener.awaitDurable(journal.append(batch));
                if (turn % 25 == 0 && expected.size() > 1_500) {
                    worst = Math.max(worst, amplification());
                }
            }
        }
        assertThat(worst).isLessThan(3);
        assertThat(compactions.files()).isPositive();
        survives();
    }

    /** Records die in no order at all, which leaves holes everywhere. */
    @Test
    void spaceStaysUnderThreeTimesWhatLivesWhenRecordsDieAtRandom() throws IOException {
        double worst = 0;
        try (Journal journal = open()) {
            Survivors.of(journal);
            long[] living = new long[3_000];
            for (int turn = 0; turn < 600; turn++) {
                Batch batch = new Batch();
                for (int i = 0; i < BATCH; i++) {
                    int place = random.nextInt(living.length);
                    if (living[place] != 0) {
                        delete(batch, living[place]);
                    }
                    living[place] = nextId++;
                    add(batch, living[place]);
                }
                listener.awaitDurable(journal.append(batch));
                if (turn % 25 == 0 && expected.size() > 1_500) {
                    worst = Math.max(worst, amplification());
                }
            }
        }
        assertThat(worst).isLessThan(3);
        survives();
    }

    /**
     * What one batch brings is more than what a step of a compaction moves. On a quiet machine: a compaction cannot
     * keep pace where others keep its thread from reading.
     */
    @Test
    @Tag("full")
    void spaceStaysBoundedWhenLargeBatchesLeaveNoPause() throws IOException {
        // Made before, so that no pause lies between.
        List<Batch> batches = new ArrayList<>();
        Payload payload = Payload.of(new byte[1_000]);
        for (int turn = 0; turn < 73; turn++) {
            Batch batch = new Batch();
            for (int i = 0; i < 4_096; i++, nextId++) {
                batch.add(nextId, (byte) 1, payload);
                if (nextId % 10 != 0) {
                    batch.delete(nextId);
                }
            }
            batches.add(batch);
        }
        JournalLimits large = new JournalLimits(32 << 20, 16 << 10, 4 << 20, 0);
        long worst = 0;
        try (Journal journal = new ArtemisJournalProvider("large", new UnsyncedFiles()).open(folder, large, listener)) {
            Survivors.of(journal);
            long lsn = 0;
            for (Batch batch : batches) {
                while (!journal.accepting()) {
                    LockSupport.parkNanos(50_000);
                }
                lsn = journal.append(batch);
                worst = Math.max(worst, bytes(large.fileBytes()) / large.fileBytes());
            }
            listener.awaitDurable(lsn);
        }
        // 30,000 records of 1,000 bytes take 8 files; with the compaction far behind it was 62.
        assertThat(worst).isLessThan(45);
    }

    /** To make a file costs as much as to fill it. */
    @Test
    void aJournalThatKeepsItsSizeMakesHardlyAnyFile() {
        AtomicInteger made = new AtomicInteger();
        FaultyFiles counted = new FaultyFiles(new UnsyncedFiles());
        counted.fail(FaultyFiles.Operation.RENAME, 1, file -> {
            made.incrementAndGet();
            return false;
        });
        try (Journal journal = new ArtemisJournalProvider("made", counted).open(folder, SMALL, listener)) {
            Survivors.of(journal);
            ArrayDeque<Long> living = new ArrayDeque<>();
            // About 25 files' worth lives.
            for (int turn = 0; turn < 600; turn++) {
                if (turn == 300) {
                    made.set(0);
                }
                Batch batch = new Batch();
                for (int i = 0; i < BATCH; i++) {
                    add(batch, nextId);
                    living.add(nextId++);
                    if (living.size() > 3_000) {
                        delete(batch, living.remove());
                    }
                }
                listener.awaitDurable(journal.append(batch));
            }
        }
        // 12,000 records fill about a hundred files.
        assertThat(made.get()).isLessThan(5);
        survives();
    }

    @Test
    void anIdleJournalGivesBackWhatNothingLivesIn() throws IOException {
        try (Journal journal = open()) {
            Survivors.of(journal);
            for (int turn = 0; turn < 200; turn++) {
                Batch batch = new Batch();
                for (int i = 0; i < BATCH; i++) {
                    add(batch, nextId++);
                }
                listener.awaitDurable(journal.append(batch));
            }
            Batch batch = new Batch();
            for (long id = 1; id < nextId; id++) {
                if (id % 20 != 0) {
                    delete(batch, id);
                }
            }
            listener.awaitDurable(journal.append(batch));
            // 8,000 records took 60 files; 400 are left.
            await().atMost(Duration.ofSeconds(20)).until(() -> bytes() <= (FILES_BESIDE + 8L) * FILE_BYTES);
        }
        survives();
    }

    private void add(Batch batch, long id) {
        byte[] payload = new byte[RECORD_BYTES];
        payload[0] = (byte) id;
        batch.add(id, (byte) (id % 100), Payload.of(payload));
        expected.put(id, Survivors.form((byte) (id % 100), payload));
    }

    private void delete(Batch batch, long id) {
        batch.delete(id);
        expected.remove(id);
    }

    private double amplification() throws IOException {
        return (bytes() - (double) FILES_BESIDE * FILE_BYTES) / ((double) expected.size() * RECORD_BYTES);
    }

    private long bytes() throws IOException {
        return bytes(FILE_BYTES);
    }

    private long bytes(long ofOneFile) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
            return files.count() * ofOneFile;
        }
    }

    private void survives() {
        try (Journal journal = new ArtemisJournalProvider().open(folder, SMALL, new RecordingListener())) {
            assertThat(Survivors.of(journal)).isEqualTo(expected);
        }
    }

    private Journal open() {
        return new ArtemisJournalProvider("space", compactions.over(new UnsyncedFiles())).open(folder, SMALL, listener);
    }
}
