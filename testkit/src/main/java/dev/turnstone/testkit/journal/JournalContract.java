package dev.turnstone.testkit.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every journal keeps, whoever writes it. A subclass names the journal under test and how it dies; each test has a
 * storage of its own.
 */
public abstract class JournalContract {
    /** Small limits, so that tests roll files and fill buffers soon. */
    protected static final JournalLimits LIMITS = new JournalLimits(1 << 20, 64 << 10, 256 << 10);

    private RecordingListener listener = new RecordingListener();

    /** Opens the journal on this test's storage. */
    protected abstract Journal open(JournalLimits limits, RecordingListener listener);

    /** Makes everything appended durable and returns when the listener has heard of it. */
    protected abstract void sync(Journal journal, RecordingListener listener, long lsn);

    /** Kills the journal as a power failure would, at any moment; the storage can be opened again. */
    protected abstract void crash(Journal journal, Random random);

    /** True if what is appended waits until {@link #sync} is called, false if it becomes durable by itself. */
    protected abstract boolean syncsOnlyOnDemand();

    @AfterEach
    final void nothingContradictoryWasSaid() {
        assertThat(listener.wrongs()).isEmpty();
    }

    @Test
    void aNewJournalIsEmpty() {
        try (Journal journal = open(LIMITS)) {
            assertThat(Survivors.of(journal)).isEmpty();
            assertThat(journal.durableLsn()).isZero();
            assertThat(journal.accepting()).isTrue();
            assertThat(journal.recordMaxBytes()).isEqualTo(LIMITS.recordMaxBytes());
        }
    }

    @Test
    void lsnsGrowByOneABatchAndStartAtOneInEachOpening() {
        try (Journal journal = opened(LIMITS)) {
            assertThat(journal.append(adding(1, "a"))).isEqualTo(1);
            assertThat(journal.append(adding(2, "b"))).isEqualTo(2);
        }
        try (Journal journal = opened(LIMITS)) {
            assertThat(journal.append(adding(3, "c"))).isEqualTo(1);
        }
    }

    @Test
    void theListenerHearsOfDurabilityAndTheJournalAgrees() {
        try (Journal journal = opened(LIMITS)) {
            long lsn = journal.append(adding(1, "a"));
            sync(journal, listener, lsn);
            assertThat(listener.durable()).isEqualTo(lsn);
            assertThat(journal.durableLsn()).isEqualTo(lsn);
        }
    }

    @Test
    void aDurableRecordSurvivesACrashWithItsIdTypeAndPayload() {
        Journal journal = opened(LIMITS);
        Batch batch = new Batch();
        batch.add(Long.MAX_VALUE, (byte) -7, Payload.of(new byte[] {1, 2, 3}));
        batch.add(0, (byte) 0, Payload.of(new byte[0]));
        sync(journal, listener, journal.append(batch));
        crash(journal, new Random(1));
        assertThat(reload())
                .containsOnly(
                        Map.entry(Long.MAX_VALUE, Survivors.form((byte) -7, new byte[] {1, 2, 3})),
                        Map.entry(0L, Survivors.form((byte) 0, new byte[0])));
    }

    @Test
    void aDeletedRecordIsGone() {
        Journal journal = opened(LIMITS);
        journal.append(adding(1, "a"));
        journal.append(adding(2, "b"));
        Batch batch = new Batch();
        batch.delete(1);
        sync(journal, listener, journal.append(batch));
        crash(journal, new Random(1));
        assertThat(reload()).containsOnlyKeys(2L);
    }

    @Test
    void closeMakesWhatWasAppendedDurable() {
        try (Journal journal = opened(LIMITS)) {
            for (long id = 1; id <= 500; id++) {
                journal.append(adding(id, "record " + id));
            }
        }
        assertThat(listener.durable()).isEqualTo(500);
        assertThat(reload()).hasSize(500);
    }

    @Test
    void closeTwiceIsAsGoodAsOnce() {
        Journal journal = opened(LIMITS);
        journal.append(adding(1, "a"));
        journal.close();
        journal.close();
        assertThat(reload()).containsOnlyKeys(1L);
    }

    @Test
    void appendAfterCloseIsRefused() {
        Journal journal = opened(LIMITS);
        journal.close();
        assertThatThrownBy(() -> journal.append(adding(1, "a"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void appendBeforeLoadIsRefused() {
        try (Journal journal = open(LIMITS)) {
            assertThatThrownBy(() -> journal.append(adding(1, "a"))).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void loadTwiceIsRefused() {
        try (Journal journal = opened(LIMITS)) {
            assertThatThrownBy(() -> Survivors.of(journal)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aJournalThatWasNeverLoadedClosesAndLosesNothing() {
        try (Journal journal = opened(LIMITS)) {
            journal.append(adding(1, "a"));
        }
        open(LIMITS).close();
        assertThat(reload()).containsOnlyKeys(1L);
    }

    @Test
    void anOpenUnitIsRefusedAndNothingOfItsBatchIsKept() {
        try (Journal journal = opened(LIMITS)) {
            Batch batch = new Batch();
            batch.add(1, (byte) 1, Payload.of(new byte[1]));
            batch.beginUnit();
            assertThatThrownBy(() -> journal.append(batch)).isInstanceOf(IllegalArgumentException.class);
            assertThat(journal.append(adding(2, "b"))).isEqualTo(1);
        }
        assertThat(reload()).containsOnlyKeys(2L);
    }

    @Test
    void theLargestRecordIsKeptAndALargerOneRefusedWithoutHarm() {
        byte[] largest = new byte[LIMITS.recordMaxBytes()];
        new Random(3).nextBytes(largest);
        try (Journal journal = opened(LIMITS)) {
            Batch tooLarge = new Batch();
            tooLarge.add(1, (byte) 1, Payload.of(new byte[largest.length + 1]));
            assertThatThrownBy(() -> journal.append(tooLarge))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(LIMITS.recordMaxBytes()));
            Batch batch = new Batch();
            batch.add(2, (byte) 1, Payload.of(largest));
            sync(journal, listener, journal.append(batch));
        }
        assertThat(reload()).containsExactly(Map.entry(2L, Survivors.form((byte) 1, largest)));
    }

    @Test
    void aUnitLargerThanAFileAndThanTheOutstandingMarkIsKeptWhole() {
        try (Journal journal = opened(LIMITS)) {
            Batch batch = new Batch();
            batch.beginUnit();
            for (long id = 1; id <= 40; id++) {
                batch.add(id, (byte) 1, Payload.of(new byte[60 << 10]));
            }
            batch.endUnit();
            assertThat(batch.payloadBytes()).isGreaterThan(2L * LIMITS.outstandingBytes());
            sync(journal, listener, journal.append(batch));
        }
        assertThat(reload()).hasSize(40);
    }

    @Test
    void aUnitOfDeletesIsKeptWhole() {
        try (Journal journal = opened(LIMITS)) {
            for (long id = 1; id <= 100; id++) {
                journal.append(adding(id, "record " + id));
            }
            Batch batch = new Batch();
            batch.beginUnit();
            for (long id = 1; id <= 99; id++) {
                batch.delete(id);
            }
            batch.endUnit();
            batch.beginUnit();
            batch.endUnit();
            batch.beginUnit();
            batch.delete(100);
            batch.endUnit();
            journal.append(batch);
        }
        assertThat(reload()).isEmpty();
    }

    @Test
    void aRecordMayBeDeletedInTheBatchOrUnitThatAddsIt() {
        try (Journal journal = opened(LIMITS)) {
            Batch batch = new Batch();
            batch.add(1, (byte) 1, Payload.of(new byte[9]));
            batch.delete(1);
            batch.beginUnit();
            batch.add(2, (byte) 1, Payload.of(new byte[9]));
            batch.add(3, (byte) 1, Payload.of(new byte[9]));
            batch.delete(2);
            batch.endUnit();
            journal.append(batch);
        }
        assertThat(reload()).containsOnlyKeys(3L);
    }

    @Test
    void anEmptyBatchBecomesDurableLikeAnyOther() {
        try (Journal journal = opened(LIMITS)) {
            sync(journal, listener, journal.append(new Batch()));
            assertThat(journal.durableLsn()).isEqualTo(1);
        }
    }

    @Test
    void acceptingIsFalseBeyondTheOutstandingMarkAndTrueAgainWhenDurable() {
        try (Journal journal = opened(new JournalLimits(1, 64 << 10, 256 << 10))) {
            long lsn = journal.append(adding(1, "more than one byte"));
            if (syncsOnlyOnDemand()) {
                assertThat(journal.accepting()).isFalse();
            }
            assertThat(journal.append(adding(2, "settles and commits still go")))
                    .isEqualTo(lsn + 1);
            sync(journal, listener, lsn + 1);
            assertThat(journal.accepting()).isTrue();
        }
    }

    @Test
    void manyOpeningsLoseAndDoubleNothing() {
        NavigableMap<Long, String> expected = new TreeMap<>();
        long nextId = 1;
        for (int opening = 0; opening < 30; opening++) {
            listener = new RecordingListener();
            try (Journal journal = open(LIMITS)) {
                assertThat(Survivors.of(journal)).isEqualTo(expected);
                RandomHistory history = new RandomHistory(new Random(opening), 3_000, expected, nextId);
                for (int i = 0; i < 40; i++) {
                    journal.append(history.nextBatch());
                }
                nextId = history.nextId();
                expected = last(history.states());
            }
        }
        assertThat(reload()).isEqualTo(expected);
    }

    @Test
    void aCrashKeepsAPrefixAtOrPastWhatWasDurableWithUnitsWhole() {
        NavigableMap<Long, String> loaded = new TreeMap<>();
        long nextId = 1;
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            listener = new RecordingListener();
            Journal journal = open(LIMITS);
            assertThat(Survivors.of(journal)).isEqualTo(loaded);
            RandomHistory history = new RandomHistory(random, 4_000, loaded, nextId);
            int batches = 1 + random.nextInt(60);
            int syncAt = random.nextInt(batches + 1);
            long[] unitsAtLsn = new long[batches + 1];
            for (int i = 1; i <= batches; i++) {
                long lsn = journal.append(history.nextBatch());
                unitsAtLsn[(int) lsn] = history.states().size() - 1L;
                if (i == syncAt) {
                    sync(journal, listener, lsn);
                }
            }
            long durableAtLeast = unitsAtLsn[(int) listener.durable()];
            crash(journal, random);
            nextId = history.nextId();

            listener = new RecordingListener();
            try (Journal reopened = open(LIMITS)) {
                NavigableMap<Long, String> survivors = Survivors.of(reopened);
                int prefix = history.states().lastIndexOf(survivors);
                assertThat(prefix)
                        .as("seed %s: the survivors are a prefix at or past the %s durable units", seed, durableAtLeast)
                        .isGreaterThanOrEqualTo((int) durableAtLeast);
                loaded = survivors;
            }
        }
    }

    @Test
    void afterTheFirstAppendNoRecordIsVisited() {
        try (Journal journal = opened(LIMITS)) {
            journal.append(adding(1, "a"));
            assertThatThrownBy(() -> journal.visit(0, Long.MAX_VALUE, (id, type, payload) -> {}))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aSecondJournalOnTheStorageIsRefusedAndTheFirstGoesOn() {
        try (Journal journal = opened(LIMITS)) {
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> open(LIMITS, new RecordingListener()))
                        .isInstanceOfSatisfying(
                                JournalException.class,
                                refusal -> assertThat(refusal.kind()).isEqualTo(JournalException.Kind.LOCKED));
            }
            sync(journal, listener, journal.append(adding(1, "a")));
        }
        assertThat(reload()).containsOnlyKeys(1L);
    }

    /** Opens with this test's current listener. */
    protected final Journal open(JournalLimits limits) {
        return open(limits, listener);
    }

    /** Opens with a new listener and loads, expecting nothing of the content. */
    protected final Journal opened(JournalLimits limits) {
        listener = new RecordingListener();
        Journal journal = open(limits);
        Survivors.of(journal);
        return journal;
    }

    /** Opens again with a new listener, loads, closes and returns what was loaded. */
    protected final NavigableMap<Long, String> reload() {
        listener = new RecordingListener();
        try (Journal journal = open(LIMITS)) {
            return Survivors.of(journal);
        }
    }

    /** The listener of the current opening. */
    protected final RecordingListener listener() {
        return listener;
    }

    /** A batch with one record. */
    protected static Batch adding(long id, String text) {
        Batch batch = new Batch();
        batch.add(id, (byte) 1, Payload.of(text.getBytes(UTF_8)));
        return batch;
    }

    private static NavigableMap<Long, String> last(List<NavigableMap<Long, String>> states) {
        return states.get(states.size() - 1);
    }
}
