package dev.turnstone.journal.artemis;

import dev.turnstone.journal.RecordVisitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalFileImpl;
import org.apache.activemq.artemis.core.journal.impl.JournalReaderCallback;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records that live from the journal's files, after the library's load and before anything is appended, so
 * that a load need not keep them. Used by the thread that loads.
 */
final class LiveRecords {
    /** Where in a range of identifiers the records of a file lie. */
    private record Extent(JournalFile file, long first, long last) {}

    private final Library library;
    private final SegmentFiles files;
    private @Nullable List<Extent> extents;
    private Set<Long> torn = Set.of();

    LiveRecords(Library library, SegmentFiles files) {
        this.library = library;
        this.files = files;
    }

    /** Hands out all, from the oldest file to the newest. */
    void visitAll(RecordVisitor visitor) {
        List<JournalFile> all = new ArrayList<>(library.completeFiles());
        all.add(library.getCurrentFile());
        Whole whole = new Whole(visitor);
        List<Extent> found = new ArrayList<>();
        for (JournalFile file : all) {
            whole.first = Long.MAX_VALUE;
            whole.last = Long.MIN_VALUE;
            read(file, whole);
            found.add(new Extent(file, whole.first, whole.last));
        }
        torn = Set.copyOf(whole.pending.keySet());
        extents = found;
    }

    /** Hands out those with identifiers in a range. */
    void visit(long firstId, long lastId, RecordVisitor visitor) {
        List<Extent> known = extents;
        if (known == null) {
            visitAll((id, type, payload) -> {});
            known = extents;
        }
        if (known == null) {
            throw new IllegalStateException("the journal's files were looked at");
        }
        for (Extent extent : known) {
            if (extent.first() <= lastId && extent.last() >= firstId) {
                read(extent.file(), new Part(firstId, lastId, visitor));
            }
        }
    }

    private void read(JournalFile file, JournalReaderCallback callback) {
        // The library's own object of the file stays as it is.
        SegmentFile copy = new SegmentFile(files, file.getFile().getFileName());
        Library.read(files, new JournalFileImpl(copy, file.getFileID(), file.getJournalVersion()), callback);
    }

    private void hand(RecordInfo info, RecordVisitor visitor) {
        if (library.getRecords().containsKey(info.id)) {
            visitor.record(BatchWriter.own(info.id), info.userRecordType, RecordEnvelope.payload(info));
        }
    }

    /** Sees all files in their order. What a torn unit has left counts for nothing, even if its ids were used again. */
    private final class Whole implements JournalReaderCallback {
        private final RecordVisitor visitor;
        private final Map<Long, List<RecordInfo>> pending = new HashMap<>();
        private long first;
        private long last;

        Whole(RecordVisitor visitor) {
            this.visitor = visitor;
        }

        private void extend(RecordInfo info) {
            long id = BatchWriter.own(info.id);
            first = Math.min(first, id);
            last = Math.max(last, id);
        }

        @Override
        public void onReadAddRecord(RecordInfo info) {
            extend(info);
            hand(info, visitor);
        }

        @Override
        public void onReadAddRecordTX(long transaction, RecordInfo info) {
            extend(info);
            pending.computeIfAbsent(transaction, none -> new ArrayList<>()).add(info);
        }

        @Override
        public void onReadCommitRecord(long transaction, int records) {
            List<RecordInfo> committed = pending.remove(transaction);
            if (committed != null) {
                committed.forEach(info -> hand(info, visitor));
            }
        }
    }

    /** Sees some files, and so perhaps not the ends of units. */
    private final class Part implements JournalReaderCallback {
        private final long firstId;
        private final long lastId;
        private final RecordVisitor visitor;

        Part(long firstId, long lastId, RecordVisitor visitor) {
            this.firstId = firstId;
            this.lastId = lastId;
            this.visitor = visitor;
        }

        @Override
        public void onReadAddRecord(RecordInfo info) {
            long id = BatchWriter.own(info.id);
            if (id >= firstId && id <= lastId) {
                hand(info, visitor);
            }
        }

        @Override
        public void onReadAddRecordTX(long transaction, RecordInfo info) {
            if (!torn.contains(transaction)) {
                onReadAddRecord(info);
            }
        }
    }
}
