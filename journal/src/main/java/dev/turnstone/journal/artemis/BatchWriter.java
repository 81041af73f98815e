package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.activemq.artemis.core.journal.IOCompletion;
import org.apache.activemq.artemis.core.journal.JournalUpdateCallback;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;

/** Turns batches into the library's appends. Used by the journal's thread alone. */
final class BatchWriter {
    private final Library library;
    private final GroupCommit commit;
    private final Progress progress;
    private final RecordEnvelope envelope = new RecordEnvelope();
    private final IOCompletion onError;
    private final JournalUpdateCallback mustExist;

    // The library knows a torn transaction by its id until the next compaction, so ids must differ from those of
    // earlier runs.
    private long nextTransaction = new SecureRandom().nextLong();

    /** No record with an id above this has an id of the library that is not its own. */
    private long movedUpTo = -1;

    /** What one unit deletes of what was there before, while that is checked. */
    private long[] deleted = new long[16];

    BatchWriter(Library library, GroupCommit commit, Progress progress) {
        this.library = library;
        this.commit = commit;
        this.progress = progress;
        this.onError = new FailingCompletion(progress);
        this.mustExist = (id, exists) -> {
            if (!exists) {
                failMisused(id);
            }
        };
    }

    /** Says up to which id load has met records that were moved. */
    void expectMoved(long upTo) {
        movedUpTo = Math.max(movedUpTo, upTo);
    }

    /**
     * The id that a record that was moved has in the library, and the other way round: each move turns it over, since
     * the library must not see the same id come anew while the old one may be in a file. By the next move that file is
     * gone.
     */
    static long turned(long id) {
        return ~id;
    }

    /** The id of a record that the library knows by this one. */
    static long own(long libraryId) {
        return libraryId < 0 ? turned(libraryId) : libraryId;
    }

    /** The id that the library knows a record by. */
    private long known(long id) {
        if (id > movedUpTo || library.getRecords().containsKey(id)) {
            return id;
        }
        return library.getRecords().containsKey(turned(id)) ? turned(id) : id;
    }

    /** Appends records of an older file again and deletes them there, all or nothing; nothing is durable yet. */
    void move(List<RecordInfo> records) throws IOException, InterruptedException {
        unit(transaction -> {
            for (RecordInfo record : records) {
                expectMoved(own(record.id));
                library.addIn(
                        transaction, turned(record.id), record.userRecordType, BytesPersister.INSTANCE, record.data);
                library.deleteIn(transaction, record.id);
                progress.check();
            }
        });
    }

    /** Appends a batch's steps; nothing is durable yet. */
    void write(Batch batch) throws IOException, InterruptedException {
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

    private void writeAlone(Batch.Step step) {
        if (step instanceof Batch.Add add) {
            library.add(add.id(), add.type(), envelope, add, onError);
        } else if (step instanceof Batch.Delete delete) {
            library.delete(known(delete.id()), mustExist, onError);
        }
    }

    private void failMisused(long id) {
        progress.fail(new JournalException(Kind.MISUSE, "delete of record " + id + ", which does not exist"));
    }

    /**
     * Fails if a unit deletes what does not live and was not added in it before, or deletes it twice: in a transaction
     * the library says nothing of that.
     */
    private void checkDeletes(List<Batch.Step> steps, int from, int to) {
        Set<Long> added = null;
        int seen = from;
        int count = 0;
        for (int i = from; i < to; i++) {
            if (steps.get(i) instanceof Batch.Delete delete) {
                if (library.getRecords().containsKey(known(delete.id()))) {
                    count = noteDeleted(delete.id(), count);
                    continue;
                }
                added = added == null ? new HashSet<>() : added;
                for (; seen < i; seen++) {
                    if (steps.get(seen) instanceof Batch.Add add) {
                        added.add(add.id());
                    }
                }
                if (!added.remove(delete.id())) {
                    failMisused(delete.id());
                }
            }
        }
        checkDistinct(count);
        progress.check();
    }

    private int noteDeleted(long id, int count) {
        if (count == deleted.length) {
            deleted = Arrays.copyOf(deleted, 2 * count);
        }
        deleted[count] = id;
        return count + 1;
    }

    private void checkDistinct(int count) {
        Arrays.sort(deleted, 0, count);
        for (int i = 1; i < count; i++) {
            if (deleted[i] == deleted[i - 1]) {
                failMisused(deleted[i]);
            }
        }
    }

    private void writeUnit(List<Batch.Step> steps, int from, int to) throws IOException, InterruptedException {
        checkDeletes(steps, from, to);
        unit(transaction -> {
            for (int i = from; i < to; i++) {
                Batch.Step step = steps.get(i);
                if (step instanceof Batch.Add add) {
                    library.addIn(transaction, add.id(), add.type(), envelope, add);
                } else if (step instanceof Batch.Delete delete) {
                    library.deleteIn(transaction, known(delete.id()));
                }
                progress.check();
            }
        });
    }

    /** Appends in one transaction of the library: all or nothing. */
    private void unit(LongConsumer appends) throws IOException, InterruptedException {
        long transaction = nextTransaction++;
        library.unitGate().lock();
        try {
            JournalFile first = library.getCurrentFile();
            appends.accept(transaction);
            library.commit(transaction, onError);
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
