package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written and synced later: what a power failure may take of it, and what not. */
@Timeout(60)
final class RelaxedBatchesTest {
    private static final int NEVER_MS = 3_600_000;

    @TempDir
    private Path folder;

    private WithholdingFiles files = WithholdingFiles.overPageCache();
    private Heard heard = new Heard();

    /** What the journal has said. */
    private static final class Heard implements JournalListener {
        private final AtomicLong written = new AtomicLong();
        private final AtomicLong durable = new AtomicLong();

        @Override
        public void durable(long lsn) {
            durable.set(lsn);
            written.accumulateAndGet(lsn, Math::max);
        }

        @Override
        public void written(long lsn) {
            written.accumulateAndGet(lsn, Math::max);
        }

        @Override
        public void failed(JournalException cause) {
            throw cause;
        }
    }

    private Journal open(int syncMs) {
        JournalLimits limits = new JournalLimits(1 << 20, 8 << 10, 32 << 10, 0).withRelaxedSyncMs(syncMs);
        Journal journal = new ArtemisJournalProvider("withholding", files).open(folder, limits, heard);
        Survivors.of(journal);
        return journal;
    }

    private static long append(Journal journal, long id, boolean relaxed) {
        Batch batch = new Batch();
        batch.add(id, (byte) 1, Payload.of(new byte[1_000]));
        if (relaxed) {
            batch.relax();
        }
        return journal.append(batch);
    }

    private static void awaitAtLeast(AtomicLong mark, long lsn) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> mark.get() >= lsn);
    }

    private List<Long> left() {
        try (Journal journal = new ArtemisJournalProvider("unsynced", new UnsyncedFiles())
                .open(folder, new JournalLimits(1 << 20, 8 << 10, 32 << 10), new Heard())) {
            return new ArrayList<>(Survivors.of(journal).keySet());
        }
    }

    @Test
    void aRelaxedBatchIsWrittenAndNotSyncedUntilItsTimeHasCome() {
        try (Journal journal = open(NEVER_MS)) {
            long lsn = append(journal, 1, true);
            awaitAtLeast(heard.written, lsn);
            assertThat(heard.durable).hasValue(0);
        }
        assertThat(heard.durable).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatLiesBehindATornWriteDoesNotComeBackWhenAnotherTakesItsPlace(boolean behindWhatWasSynced)
            throws IOException {
        Journal journal = open(NEVER_MS);
        int at = 16;
        if (behindWhatWasSynced) {
            awaitAtLeast(heard.durable, append(journal, 1, false));
            at += chunkBytes(at);
        }
        awaitAtLeast(heard.written, append(journal, 2, true));
        awaitAtLeast(heard.written, append(journal, 3, true));
        files.crash(allReachesTheDisk());
        journal.close();
        tear(at);
        for (long id = 4; id < 6; id++) {
            files = WithholdingFiles.overPageCache();
            heard = new Heard();
            journal = open(NEVER_MS);
            awaitAtLeast(heard.durable, append(journal, id, false));
            files.crashLosingAll();
            journal.close();
        }
        assertThat(left()).containsExactlyElementsOf(behindWhatWasSynced ? List.of(1L, 4L, 5L) : List.of(4L, 5L));
    }

    private Path firstFile() {
        return folder.resolve("journal/turnstone-1.log");
    }

    private int chunkBytes(int at) throws IOException {
        return 37 + ByteBuffer.wrap(Files.readAllBytes(firstFile())).getInt(at + 25);
    }

    private void tear(int at) throws IOException {
        byte[] bytes = Files.readAllBytes(firstFile());
        bytes[at + 500] ^= 1;
        Files.write(firstFile(), bytes);
    }

    /** In its mood all that was not synced is on the disk. */
    private static Random allReachesTheDisk() {
        return new Random() {
            @Override
            public int nextInt(int bound) {
                return bound == 3 ? 1 : 0;
            }
        };
    }

    @Test
    void itIsSyncedInTime() {
        try (Journal journal = open(20)) {
            long lsn = append(journal, 1, true);
            awaitAtLeast(heard.written, lsn);
            awaitAtLeast(heard.durable, lsn);
        }
    }

    @Test
    void anEmptyBatchThatIsNotRelaxedHasAllSynced() throws IOException {
        Journal journal = open(NEVER_MS);
        append(journal, 1, true);
        long lsn = journal.append(new Batch());
        awaitAtLeast(heard.durable, lsn);
        files.crash(new Random(1));
        awaitEnd(journal);
        assertThat(left()).containsExactly(1L);
    }

    /** Its files fail, so that it cannot end in order. */
    private static void awaitEnd(Journal journal) {
        try {
            journal.close();
        } catch (JournalException expected) {
            assertThat(expected).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aPowerFailureTakesAnEndOfThemAndNothingBeforeTheLastSync(int seed) throws IOException {
        Random random = new Random(seed);
        Journal journal = open(NEVER_MS);
        long lsn = 0;
        for (long id = 1; id <= 100; id++) {
            boolean relaxed = random.nextInt(10) != 0;
            lsn = append(journal, id, relaxed);
            if (random.nextInt(4) == 0) {
                awaitAtLeast(relaxed ? heard.written : heard.durable, lsn);
            }
        }
        awaitAtLeast(heard.written, lsn);
        long durable = heard.durable.get();
        files.crash(random);
        awaitEnd(journal);
        List<Long> left = left();
        assertThat(left)
                .isEqualTo(LongStream.rangeClosed(1, left.size()).boxed().toList());
        assertThat((long) left.size()).isBetween(durable, lsn);
    }
}
