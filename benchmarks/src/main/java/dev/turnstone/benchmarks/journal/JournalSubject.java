package dev.turnstone.benchmarks.journal;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Our journal, one batch a call, as the engine appends one batch a turn. */
final class JournalSubject implements Subject {
    /** What happens to a record after it was added. */
    enum Life {
        /** It stays until the burst is over: what is measured is adds alone, into files that were made before. */
        BURST,
        /** The next batch deletes it when {@link #LIVE_RECORDS} newer ones came, as behind a queue that is drained. */
        QUEUE,
        /**
         * As in a queue, but one in {@link #LONG_ONE_IN} lives until {@link #LONG_LIVED} newer ones of its kind came,
         * so that a compaction runs all the time.
         */
        MIXED
    }

    /** Of so many records one lives long, if the lives are mixed. */
    private static final int LONG_ONE_IN = 4;

    private static final int LONG_LIVED = 60_000;

    static final int LIVE_RECORDS = 20_000;

    /** Fills fewer files than the journal keeps for reuse. */
    private static final int BURST_RECORDS = 100_000;

    /** A power of two above any number of batches in flight. */
    private static final int BATCHES_MAX = 4096;

    private final Life life;
    private final Journal journal;
    private final Payload payload;
    private final long[] lastIds = new long[BATCHES_MAX];
    private long id;
    private long deleted;
    private long lsn;

    JournalSubject(Life life, Path folder, int recordBytes, LongConsumer durable) {
        this.life = life;
        this.payload = Payload.of(new byte[recordBytes]);
        this.journal = new ArtemisJournalProvider().open(folder, JournalLimits.DEFAULTS, new JournalListener() {
            @Override
            public void durable(long upTo) {
                durable.accept(lastIds[(int) upTo & (lastIds.length - 1)]);
            }

            @Override
            public void failed(JournalException cause) {
                throw new IllegalStateException(cause);
            }
        });
        journal.load((ignoredId, type, ignoredPayload) -> {
            throw new IllegalStateException("the folder is not empty");
        });
    }

    @Override
    public void submit(int records) {
        Batch batch = new Batch();
        for (int i = 0; i < records; i++) {
            batch.add(++id, (byte) 1, payload);
            if (life != Life.BURST && id > LIVE_RECORDS) {
                deleteNext(batch);
            }
        }
        append(batch);
    }

    private void deleteNext(Batch batch) {
        long next = ++deleted;
        long longLived = next - (long) LONG_LIVED * LONG_ONE_IN;
        if (life == Life.QUEUE || next % LONG_ONE_IN != 0) {
            batch.delete(next);
        } else if (longLived > 0) {
            batch.delete(longLived);
        }
    }

    @Override
    public long burstRecords() {
        return life == Life.BURST ? BURST_RECORDS : Long.MAX_VALUE;
    }

    /** Mixed lives need as many files as they ever will once as much as lives was moved twice. */
    @Override
    public boolean settled() {
        return life != Life.MIXED || id > 2L * LONG_LIVED * LONG_ONE_IN;
    }

    @Override
    public void rest() {
        if (life == Life.BURST) {
            Batch batch = new Batch();
            while (deleted < id) {
                batch.delete(++deleted);
            }
            append(batch);
            while (journal.durableLsn() < lsn) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    private void append(Batch batch) {
        lastIds[(int) ++lsn & (lastIds.length - 1)] = id;
        journal.append(batch);
    }

    @Override
    public void close() {
        journal.close();
    }
}
