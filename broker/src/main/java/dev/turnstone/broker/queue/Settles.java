package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.PassedRecord;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.SettledRecord;
import java.util.Arrays;

/**
 * The settle records of one durable subscription, for messages that others held too; folded into one record now and
 * then. Owned by the engine thread.
 */
final class Settles {
    /** Entries that a folded record names at most; beyond, settles stay as they are. */
    private static final int HELD_MAX = 1024;

    private final int foldAfter;
    private long[] positions = {};
    private long[] records = {};
    private int count;
    private long passedRecord;
    private long passedUpTo;
    private int foldAt;

    Settles(int foldAfter) {
        this.foldAfter = foldAfter;
        this.foldAt = foldAfter;
    }

    /** Records that the queue has passed a message. */
    void add(long queue, long position, Log log) {
        adopt(position, log.add(RecordType.SETTLED, new SettledRecord(queue, position)));
    }

    /** Takes over a record that recovery found. */
    void adopt(long position, long record) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, Math.max(16, 2 * count));
            records = Arrays.copyOf(records, positions.length);
        }
        positions[count] = position;
        records[count++] = record;
    }

    /** Takes over a folded record that recovery found. */
    void adoptPassed(long upTo, long record) {
        passedRecord = record;
        passedUpTo = upTo;
    }

    boolean wantsFold() {
        return count >= foldAt;
    }

    /** Folds: all positions that the index does not hold, up to the last settled one, are passed. */
    void fold(long queue, EntryIndex index, Log log) {
        // Never less than before: the new record replaces one that speaks of all up to there.
        long upTo = passedUpTo;
        for (int i = 0; i < count; i++) {
            upTo = Math.max(upTo, positions[i]);
        }
        long[] held = index.positionsUpTo(upTo, HELD_MAX);
        if (held.length == HELD_MAX) {
            upTo = held[HELD_MAX - 1];
            if (upTo < passedUpTo) {
                foldAt = count + foldAfter;
                return;
            }
        }
        long before = passedRecord;
        passedUpTo = upTo;
        passedRecord = log.add(RecordType.PASSED, new PassedRecord(queue, upTo, held));
        if (before != 0) {
            log.delete(before);
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (positions[i] <= upTo) {
                log.delete(records[i]);
            } else {
                positions[kept] = positions[i];
                records[kept++] = records[i];
            }
        }
        count = kept;
        // What could not be folded now must not make every later settle try again.
        foldAt = kept + foldAfter;
    }

    /** The subscription ends: deletes all its records. */
    void erase(Log log) {
        for (int i = 0; i < count; i++) {
            log.delete(records[i]);
        }
        count = 0;
        if (passedRecord != 0) {
            log.delete(passedRecord);
            passedRecord = 0;
        }
    }
}
