package dev.turnstone.broker.store;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What one durable queue has passed of one page, and the records that say so; folded into one now and then. Owned by
 * the engine thread.
 */
final class PagePasses {
    private final long page;
    private final long queue;
    private final BitSet passed = new BitSet();
    private long[] singles = new long[4];
    private int count;
    private long folded;

    PagePasses(long page, long queue) {
        this.page = page;
        this.queue = queue;
    }

    void pass(int slot, int foldAfter, Log log) {
        adopt(slot, log.add(RecordType.PAGE_SETTLED, new PageSettledRecord(page, queue, slot)));
        if (count >= foldAfter) {
            fold(log);
        }
    }

    /** Takes over a record that recovery found. */
    void adopt(int slot, long record) {
        passed.set(slot);
        if (count == singles.length) {
            singles = Arrays.copyOf(singles, 2 * count);
        }
        singles[count++] = record;
    }

    /** Takes over a folded record that recovery found; of two, which a crash can leave, both are true. */
    void adoptFolded(long[] words, long record, Log log) {
        passed.or(BitSet.valueOf(words));
        if (folded == 0) {
            folded = record;
        } else {
            long before = folded;
            folded = log.add(RecordType.PAGE_PASSED, new PagePassedRecord(page, queue, passed.toLongArray()));
            log.delete(before);
            log.delete(record);
        }
    }

    boolean has(int slot) {
        return passed.get(slot);
    }

    private void fold(Log log) {
        long before = folded;
        folded = log.add(RecordType.PAGE_PASSED, new PagePassedRecord(page, queue, passed.toLongArray()));
        if (before != 0) {
            log.delete(before);
        }
        deleteSingles(log);
    }

    /** The page ends: deletes all records. */
    void erase(Log log) {
        deleteSingles(log);
        if (folded != 0) {
            log.delete(folded);
            folded = 0;
        }
    }

    private void deleteSingles(Log log) {
        for (int i = 0; i < count; i++) {
            log.delete(singles[i]);
        }
        count = 0;
    }
}
