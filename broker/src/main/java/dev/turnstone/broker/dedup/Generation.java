package dev.turnstone.broker.dedup;

import dev.turnstone.broker.store.DedupRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fingerprints that were added in one stretch of time, and their records: one each at first, folded into larger
 * ones as they come. Owned by the engine thread.
 */
final class Generation {
    /** Records of one fingerprint that are folded into one. */
    private static final int FOLD = 256;

    private final long sinceMs;
    private final FingerprintSet set = new FingerprintSet();
    private final long[] singles = new long[FOLD];
    private final long[] prints = new long[2 * FOLD];
    private int count;
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

    /** Records one that was added. */
    void record(Fingerprint print, long forgottenBeforeMs, Log log) {
        long[] one = {print.high(), print.low()};
        adopt(one, log.add(RecordType.DEDUP, new DedupRecord(sinceMs, forgottenBeforeMs, one)));
        if (count == FOLD) {
            folded.add(log.add(RecordType.DEDUP, new DedupRecord(sinceMs, forgottenBeforeMs, prints.clone())));
            for (long single : singles) {
                log.delete(single);
            }
            count = 0;
        }
    }

    private void adopt(long[] one, long record) {
        singles[count] = record;
        System.arraycopy(one, 0, prints, 2 * count++, 2);
    }

    /** Recovery: takes what a record of this generation says. */
    void recover(DedupRecord record, long id, Memory memory) {
        long[] of = record.fingerprints();
        for (int i = 0; i < of.length; i += 2) {
            add(new Fingerprint(of[i], of[i + 1]), memory);
        }
        if (of.length == 2 && count < FOLD - 1) {
            adopt(of, id);
        } else {
            folded.add(id);
        }
    }

    /** Forgets everything. */
    void erase(Log log, Memory memory) {
        Arrays.stream(singles, 0, count).forEach(log::delete);
        folded.forEach(log::delete);
        memory.remove(memoryBytes);
    }
}
