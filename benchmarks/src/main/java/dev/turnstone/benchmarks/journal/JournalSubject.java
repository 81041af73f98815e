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
 * Our journal, one batch a record. A record lives until {@link #LIVE_RECORDS} newer ones came, then the next batch
 * deletes it, so that files are reused and reclaimed as they are behind a broker that drains its queues.
 */
final class JournalSubject implements Subject {
    static final int LIVE_RECORDS = 20_000;

    private final Journal journal;
    private final Payload payload;
    private long id;

    JournalSubject(Path folder, int recordBytes, LongConsumer durable) {
        this.payload = Payload.of(new byte[recordBytes]);
        this.journal = new ArtemisJournalProvider().open(folder, JournalLimits.DEFAULTS, new JournalListener() {
            @Override
            public void durable(long lsn) {
                durable.accept(lsn);
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
    public void submit() {
        Batch batch = new Batch();
        batch.add(++id, (byte) 1, payload);
        if (id > LIVE_RECORDS) {
            batch.delete(id - LIVE_RECORDS);
        }
        journal.append(batch);
    }

    @Override
    public void close() {
        journal.close();
    }
}
