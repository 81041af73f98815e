package dev.turnstone.broker.dedup;

import dev.turnstone.broker.store.DedupRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fingerprints that were added in one stretch of time, and their records: one for each unit at first, folded into
 * larger ones as they come. Owned by the engine thread.
 */
final class Generation {
    /** Fingerprints of small records that are folded into one. */
    private static final int FOLD = 256;

    private final long sinceMs;
    private final FingerprintSet set = new FingerprintSet();
    /** Records that are small, and what they say, for the next fold. */
    private final long[] small = new long[FOLD];

    private final long[] prints = new long[2 * FOLD];
    private int count;
    private int used;
    private final List<Long> folded = new ArrayList<>();
    private long memoryBytes;

    Generation(long sinceMs) {
        this.sinceMs = sinceMs;
    }

    long sinceMs() {
        return sinceMs;
    }

    int size() {
        return set.size();
    }

    boolean contains(Fingerprint print) {
        return set.contains(print);
    }

    void add(Fingerprint print, Memory memory) {
        int grown = set.add(print);
        memoryBytes += grown;
        memory.add(grown);
    }

    /** Records some that were added: two halves each. */
    void record(long[] some, long forgottenBeforeMs, Log log) {
        if (some.length > FOLD) {
            folded.add(log.add(RecordType.DEDUP, new DedupRecord(sinceMs, forgottenBeforeMs, some)));
            return;
        }
        if (used + some.length > prints.length || count == FOLD) {
            fold(forgottenBeforeMs, log);
        }
        adopt(some, log.add(RecordType.DEDUP, new DedupRecord(sinceMs, forgottenBeforeMs, some)));
    }

    private void fold(long forgottenBeforeMs, Log log) {
        long[] all = Arrays.copyOf(prints, used);
        folded.add(log.add(RecordType.DEDUP, new DedupRecord(sinceMs, forgottenBeforeMs, all)));
        Arrays.stream(small, 0, count).forEach(log::delete);
        count = 0;
        used = 0;
    }

    private void adopt(long[] some, long record) {
        small[count++] = record;
        System.arraycopy(some, 0, prints, used, some.length);
        used += some.length;
    }

    /** Recovery: takes what a record of this generation says. */
    void recover(DedupRecord record, long id, Memory memory) {
        long[] of = record.fingerprints();
        for (int i = 0; i < of.length; i += 2) {
            add(new Fingerprint(of[i], of[i + 1]), memory);
        }
        if (of.length <= FOLD && used + of.length <= prints.length && count < FOLD) {
            adopt(of, id);
        } else {
            folded.add(id);
        }
    }

    /** Forgets everything. */
    void erase(Log log, Memory memory) {
        Arrays.stream(small, 0, count).forEach(log::delete);
        folded.forEach(log::delete);
        memory.remove(memoryBytes);
    }
}
