package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.PassedRecord;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.SettledRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The settle records of one durable subscription, for messages that others held too; folded now and then into a few,
 * which speak of stretches of positions and name what is still held there. Owned by the engine thread.
 */
final class Settles {
    /** Entries that a folded record names at most; more take several records. */
    private static final int HELD_MAX = 1024;

    private final int foldAfter;
    private final Memory memory;
    private long[] positions = {};
    private long[] records = {};
    private int count;
    private int foldAt;
    /** What is folded; after a crash some may speak of the same. */
    private List<Stretch> folded = new ArrayList<>(1);

    /** A record that speaks of the positions after one up to another, and names so many. */
    private record Stretch(long from, long upTo, int held, long record) {}

    Settles(int foldAfter, Memory memory) {
        this.memory = memory;
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
            makeRoomFor(Math.max(16, 2 * count));
        }
        positions[count] = position;
        records[count++] = record;
    }

    private void makeRoomFor(int most) {
        memory.standing(2L * Long.BYTES * (most - positions.length));
        positions = Arrays.copyOf(positions, most);
        records = Arrays.copyOf(records, most);
    }

    /** Takes over a folded record that recovery found. */
    void adoptPassed(PassedRecord passed, long record) {
        folded.add(new Stretch(passed.from(), passed.upTo(), passed.held().length, record));
    }

    boolean wantsFold() {
        return count >= foldAt;
    }

    /** Folds: all positions that the index does not hold, up to the last settled one, are passed. */
    void fold(long queue, EntryIndex index, Log log) {
        // Never less than before: the new records replace those that speak of all up to there.
        long upTo = 0;
        for (Stretch stretch : folded) {
            upTo = Math.max(upTo, stretch.upTo());
        }
        for (int i = 0; i < count; i++) {
            upTo = Math.max(upTo, positions[i]);
        }
        long[] held = index.positionsUpTo(upTo);
        List<Stretch> before = folded;
        folded = stretches(queue, held, upTo, log);
        for (Stretch stretch : before) {
            if (!folded.contains(stretch)) {
                log.delete(stretch.record());
            }
        }
        for (int i = 0; i < count; i++) {
            log.delete(records[i]);
        }
        if (positions.length > 2 * foldAt) {
            makeRoomFor(0);
        }
        count = 0;
        // Who looks at many must do so less often.
        foldAt = Math.max(foldAfter, held.length / 16);
    }

    /** Those of before that name many and have not changed stay as they are; the rest is recorded anew between them. */
    private List<Stretch> stretches(long queue, long[] held, long upTo, Log log) {
        List<Stretch> made = new ArrayList<>(1);
        long from = 0;
        int next = 0;
        // Recovery finds them in any order.
        folded.sort(Comparator.comparingLong(Stretch::from).thenComparingLong(Stretch::upTo));
        for (Stretch old : folded) {
            int first = firstAfter(held, old.from());
            int end = firstAfter(held, old.upTo());
            if (old.from() >= from && old.held() >= HELD_MAX / 2 && old.held() == end - first) {
                record(made, new PassedRecord(queue, from, old.from(), Arrays.copyOfRange(held, next, first)), log);
                made.add(old);
                from = old.upTo();
                next = end;
            }
        }
        record(made, new PassedRecord(queue, from, upTo, Arrays.copyOfRange(held, next, held.length)), log);
        return made;
    }

    private static int firstAfter(long[] held, long position) {
        int found = Arrays.binarySearch(held, position);
        return found < 0 ? -found - 1 : found + 1;
    }

    /** Records one stretch, or several if it has too many. */
    private static void record(List<Stretch> made, PassedRecord all, Log log) {
        long from = all.from();
        for (int at = 0; from < all.upTo(); at += HELD_MAX) {
            boolean last = all.held().length - at <= HELD_MAX;
            int end = last ? all.held().length : at + HELD_MAX;
            long upTo = last ? all.upTo() : all.held()[end - 1];
            long[] held = Arrays.copyOfRange(all.held(), at, end);
            long record = log.add(RecordType.PASSED, new PassedRecord(all.queue(), from, upTo, held));
            made.add(new Stretch(from, upTo, held.length, record));
            from = upTo;
        }
    }

    /** The subscription ends: deletes all its records. */
    void erase(Log log) {
        for (int i = 0; i < count; i++) {
            log.delete(records[i]);
        }
        count = 0;
        makeRoomFor(0);
        folded.forEach(stretch -> log.delete(stretch.record()));
        folded = new ArrayList<>(1);
    }
}
