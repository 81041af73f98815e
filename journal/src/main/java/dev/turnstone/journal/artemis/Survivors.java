package dev.turnstone.journal.artemis;

import dev.turnstone.journal.RecordVisitor;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.journal.LoaderCallback;
import org.apache.activemq.artemis.core.journal.PreparedTransactionInfo;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.jspecify.annotations.Nullable;

/** Collects the records that live at the end of the library's load. Used by the thread that loads. */
final class Survivors implements LoaderCallback {
    private final Map<Long, RecordInfo> records = new HashMap<>();

    @Override
    public void addRecord(RecordInfo info) {
        records.put(info.id, info);
    }

    @Override
    public void deleteRecord(long id) {
        records.remove(id);
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
    }

    /** True if a compaction has moved one of them. */
    boolean anyMoved() {
        return records.keySet().stream().anyMatch(id -> id < 0);
    }

    /** Hands out the records and forgets each, so that the visitor's form of it can take its place in memory. */
    void visit(RecordVisitor visitor) {
        Iterator<RecordInfo> left = records.values().iterator();
        while (left.hasNext()) {
            RecordInfo record = left.next();
            left.remove();
            visitor.record(
                    record.id < 0 ? BatchWriter.turned(record.id) : record.id,
                    record.userRecordType,
                    RecordEnvelope.payload(record));
        }
    }
}
