package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalReport;
import dev.turnstone.journal.NamedFiles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalReaderCallback;

/** Follows the library's records from the oldest file on, and counts what lives at the end. Used by one thread. */
final class LivingCount implements JournalReaderCallback {
    private record Size(byte type, int bytes, long[] files) {}

    /** What a transaction of the library will do. */
    private record Pending(Map<Long, Size> added, List<Long> deleted) {}

    private final NamedFiles named;
    private final Map<Long, Size> living = new HashMap<>();
    private final Map<Long, Pending> pending = new HashMap<>();

    LivingCount(NamedFiles named) {
        this.named = named;
    }

    JournalReport.Living living() {
        SortedMap<Byte, JournalReport.OfType> types = new TreeMap<>();
        long moved = 0;
        long bytes = 0;
        for (Map.Entry<Long, Size> record : living.entrySet()) {
            Size size = record.getValue();
            types.put(
                    size.type(),
                    types.getOrDefault(size.type(), new JournalReport.OfType(0, 0))
                            .and(size.bytes()));
            bytes += size.bytes();
            moved += record.getKey() < 0 ? 1 : 0;
        }
        return new JournalReport.Living(living.size(), bytes, moved, types);
    }

    /** The page files that living records name. */
    Set<Long> files() {
        Set<Long> files = new TreeSet<>();
        living.values().forEach(size -> {
            for (long file : size.files()) {
                files.add(file);
            }
        });
        return files;
    }

    private Size size(RecordInfo info) {
        ByteBuffer payload = RecordEnvelope.payload(info);
        int bytes = payload.remaining();
        return new Size(info.userRecordType, bytes, named.of(BatchWriter.own(info.id), info.userRecordType, payload));
    }

    private Pending pending(long transaction) {
        return pending.computeIfAbsent(transaction, none -> new Pending(new HashMap<>(), new ArrayList<>()));
    }

    @Override
    public void onReadAddRecord(RecordInfo info) {
        living.put(info.id, size(info));
    }

    @Override
    public void onReadDeleteRecord(long id) {
        living.remove(id);
    }

    @Override
    public void onReadAddRecordTX(long transaction, RecordInfo info) {
        pending(transaction).added().put(info.id, size(info));
    }

    @Override
    public void onReadDeleteRecordTX(long transaction, RecordInfo info) {
        pending(transaction).deleted().add(info.id);
    }

    @Override
    public void onReadCommitRecord(long transaction, int records) {
        Pending committed = pending.remove(transaction);
        if (committed != null) {
            living.putAll(committed.added());
            committed.deleted().forEach(living::remove);
        }
    }

    @Override
    public void onReadRollbackRecord(long transaction) {
        pending.remove(transaction);
    }
}
