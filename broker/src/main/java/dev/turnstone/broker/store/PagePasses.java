package dev.turnstone.broker.store;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What one durable queue has passed of one page, and the records that say so; folded into one now and then. What it
 * takes is counted. Owned by the engine thread.
 */
final class PagePasses {
    /** Its objects, beside bitmap and single records. */
    private static final int OVERHEAD_BYTES = 160;

    private static final long[] NONE = {};

    private final long page;
    private final long queue;
    private final Memory memory;
    /** Null if it has passed all. */
    private @Nullable BitSet passed = new BitSet();

    private long[] singles = NONE;
    private int count;
    private long folded;
    private int counted;

    PagePasses(long page, long queue, Memory memory) {
        this.page = page;
        this.queue = queue;
        this.memory = memory;
        measure();
    }

    void pass(int slot, int foldAfter, Log log) {
        adopt(slot, log.add(RecordType.PAGE_SETTLED, new PageSettledRecord(page, queue, slot)));
        if (count >= foldAfter) {
            fold(log);
        }
    }

    /** Takes over a record that recovery found. */
    void adopt(int slot, long record) {
        if (passed != null) {
            passed.set(slot);
        }
        if (count == singles.length) {
            singles = Arrays.copyOf(singles, Math.max(4, 2 * count));
        }
        singles[count++] = record;
        measure();
    }

    /** Takes over a folded record that recovery found; of two, which a crash can leave, both are true. */
    void adoptFolded(PagePassedRecord found, long record, Log log) {
        if (found.all()) {
            passed = null;
        } else if (passed != null) {
            passed.or(BitSet.valueOf(found.passed()));
        }
        if (folded == 0) {
            folded = record;
        } else {
            refold(log);
            log.delete(record);
        }
        measure();
    }

    boolean has(int slot) {
        return passed == null || passed.get(slot);
    }

    /** The queue holds nothing of the page any more: one record says so. */
    void passAll(Log log) {
        passed = null;
        fold(log);
    }

    private void fold(Log log) {
        refold(log);
        deleteSingles(log);
    }

    private void refold(Log log) {
        long before = folded;
        PagePassedRecord now = passed == null
                ? PagePassedRecord.all(page, queue)
                : new PagePassedRecord(page, queue, passed.toLongArray());
        folded = log.add(RecordType.PAGE_PASSED, now);
        if (before != 0) {
            log.delete(before);
        }
    }

    /** It is no longer needed: deletes all records. */
    void erase(Log log) {
        deleteSingles(log);
        if (folded != 0) {
            log.delete(folded);
            folded = 0;
        }
        memory.remove(counted);
        counted = 0;
    }

    private void deleteSingles(Log log) {
        for (int i = 0; i < count; i++) {
            log.delete(singles[i]);
        }
        count = 0;
        singles = NONE;
        measure();
    }

    private void measure() {
        int bits = passed == null ? 0 : passed.size() / Byte.SIZE;
        int now = OVERHEAD_BYTES + bits + singles.length * Long.BYTES;
        memory.add(now - counted);
        counted = now;
    }
}
