package dev.turnstone.journal.artemis;

import dev.turnstone.journal.RecordVisitor;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.artemis.core.journal.LoaderCallback;
import org.apache.activemq.artemis.core.journal.PreparedTransactionInfo;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.jspecify.annotations.Nullable;

/**
 * Collects the records that live at the end of the library's load, as long as they are not too many for that. Used by
 * the thread that loads.
 */
final class Survivors implements LoaderCallback {
    /** A record's objects, beside its bytes. */
    private static final int RECORD_OVERHEAD = 128;

    private final Map<Long, RecordInfo> records = new HashMap<>();
    private final long bytesMax;
    private final Set<Long> torn;
    private long bytes;
    private boolean tooMany;
    private long movedUpTo = -1;

    /** Keeps records of so many bytes at most. */
    Survivors(long bytesMax, Set<Long> torn) {
        this.bytesMax = bytesMax;
        this.torn = torn;
    }

    @Override
    public void addRecord(RecordInfo info) {
        if (info.id < 0) {
            movedUpTo = Math.max(movedUpTo, BatchWriter.own(info.id));
        }
        if (tooMany) {
            return;
        }
        records.put(info.id, info);
        bytes += size(info);
        if (bytes > bytesMax) {
            tooMany = true;
            records.clear();
        }
    }

    @Override
    public void deleteRecord(long id) {
        RecordInfo deleted = records.remove(id);
        if (deleted != null) {
            bytes -= size(deleted);
        }
    }

    private static long size(RecordInfo info) {
        return (long) info.data.length + RECORD_OVERHEAD;
    }

    /** True if they are not here: they must be read again. */
    boolean tooMany() {
        return tooMany;
    }

    @Override
    public void updateRecord(RecordInfo info) {
        throw new IllegalStateException("record " + info.id + " was updated; this journal only adds and deletes");
    }

    @Override
    public void addPreparedTransaction(PreparedTransactionInfo prepared) {
        throw new IllegalStateException("a transaction of the library is prepared; this journal never does that");
    }

    @Override
    public void failedTransaction(
            long transactionId, @Nullable List<RecordInfo> added, @Nullable List<RecordInfo> deleted) {
        // A unit whose end did not reach the disk: it never happened.
        torn.add(transactionId);
    }

    /** No record with an id above this was moved by a compaction. */
    long movedUpTo() {
        return movedUpTo;
    }

    /** Hands out the records and forgets each, so that the visitor's form of it can take its place in memory. */
    void visit(RecordVisitor visitor) {
        Iterator<RecordInfo> left = records.values().iterator();
        while (left.hasNext()) {
            RecordInfo record = left.next();
            left.remove();
            visitor.record(BatchWriter.own(record.id), record.userRecordType, RecordEnvelope.payload(record));
        }
    }
}
