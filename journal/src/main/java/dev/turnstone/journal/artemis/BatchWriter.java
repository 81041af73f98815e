package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import java.security.SecureRandom;
import java.util.List;
import org.apache.activemq.artemis.core.journal.IOCompletion;
import org.apache.activemq.artemis.core.journal.JournalUpdateCallback;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.dataformat.ByteArrayEncoding;

/** Turns batches into the library's appends. Used by the journal's thread alone. */
final class BatchWriter {
    private final Library library;
    private final GroupCommit commit;
    private final Progress progress;
    private final RecordEnvelope envelope = new RecordEnvelope();
    private final IOCompletion onError;
    private final JournalUpdateCallback mustExist;
    private final ByteArrayEncoding nothing = new ByteArrayEncoding(new byte[0]);

    // The library knows a torn transaction by its id until the next compaction, so ids must differ from those of
    // earlier runs.
    private long nextTransaction = new SecureRandom().nextLong();

    BatchWriter(Library library, GroupCommit commit, Progress progress) {
        this.library = library;
        this.commit = commit;
        this.progress = progress;
        this.onError = new FailingCompletion(progress);
        this.mustExist = (id, exists) -> {
            if (!exists) {
                progress.fail(new JournalException(Kind.MISUSE, "delete of record " + id + ", which does not exist"));
            }
        };
    }

    /** Appends a batch's steps; nothing is durable yet. */
    void write(Batch batch) throws Exception {
        List<Batch.Step> steps = batch.steps();
        int count = steps.size();
        for (int i = 0; i < count; i++) {
            Batch.Step step = steps.get(i);
            if (step instanceof Batch.BeginUnit) {
                int end = unitEnd(steps, i);
                // What is alone needs no transaction.
                if (end - i > 2) {
                    writeUnit(steps, i + 1, end);
                    i = end;
                }
            } else {
                writeAlone(step);
            }
            progress.check();
        }
    }

    private static int unitEnd(List<Batch.Step> steps, int begin) {
        int end = begin + 1;
        while (!(steps.get(end) instanceof Batch.EndUnit)) {
            end++;
        }
        return end;
    }

    private void writeAlone(Batch.Step step) throws Exception {
        if (step instanceof Batch.Add add) {
            library.appendAddRecord(add.id(), add.type(), envelope, add, false, onError);
        } else if (step instanceof Batch.Delete delete) {
            library.tryAppendDeleteRecord(delete.id(), false, mustExist, onError);
        }
    }

    private void writeUnit(List<Batch.Step> steps, int from, int to) throws Exception {
        long transaction = nextTransaction++;
        library.unitGate().lock();
        try {
            JournalFile first = library.getCurrentFile();
            for (int i = from; i < to; i++) {
                Batch.Step step = steps.get(i);
                if (step instanceof Batch.Add add) {
                    library.appendAddRecordTransactional(transaction, add.id(), add.type(), envelope, add);
                } else if (step instanceof Batch.Delete delete) {
                    library.appendDeleteRecordTransactional(transaction, delete.id(), nothing);
                }
                progress.check();
            }
            library.appendCommitRecord(transaction, false, onError, false);
            if (library.getCurrentFile() != first) {
                // Its deletes lie in files that a reclaim may count on, its end does not yet: see that it is durable
                // first.
                commit.commitNow();
            }
        } finally {
            library.unitGate().unlock();
        }
    }

    /** The library completes appends when they are encoded, which says nothing; only its errors count. */
    private record FailingCompletion(Progress progress) implements IOCompletion {
        @Override
        public void done() {
            // The journal's thread confirms, after the sync.
        }

        @Override
        public void onError(int errorCode, String errorMessage) {
            progress.fail(new JournalException(Kind.IO, "append failed: " + errorMessage));
        }

        @Override
        public void storeLineUp() {
            // Order is the journal's thread's.
        }
    }
}
