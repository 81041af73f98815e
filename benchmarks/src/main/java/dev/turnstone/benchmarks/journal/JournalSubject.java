package dev.turnstone.benchmarks.journal;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * Our journal, one batch a call, as the engine appends one batch a turn. A record lives until {@link #LIVE_RECORDS}
 * newer ones came, then the next batch deletes it, so that files are reused and reclaimed as they are behind a broker
 * that drains its queues.
 */
final class JournalSubject implements Subject {
    static final int LIVE_RECORDS = 20_000;

    /** A power of two above any number of batches in flight. */
    private static final int BATCHES_MAX = 4096;

    private final Journal journal;
    private final Payload payload;
    private final long[] lastIds = new long[BATCHES_MAX];
    private long id;
    private long lsn;

    JournalSubject(Path folder, int recordBytes, LongConsumer durable) {
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
            if (id > LIVE_RECORDS) {
                batch.delete(id - LIVE_RECORDS);
            }
        }
        lastIds[(int) ++lsn & (lastIds.length - 1)] = id;
        journal.append(batch);
    }

    @Override
    public void close() {
        journal.close();
    }
}
