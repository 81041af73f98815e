package dev.turnstone.broker.route;

import dev.turnstone.broker.store.PassedRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one queue has passed, as folded records say that survived. Of several that speak of the same, which a crash can
 * leave, all are true. Used in recovery.
 */
final class PassedStretches {
    private final List<PassedRecord> stretches = new ArrayList<>(1);
    /** For each, in the order of their beginnings, up to where it or one before it speaks; empty until asked. */
    private long[] furthest = {};

    void add(PassedRecord stretch) {
        stretches.add(stretch);
        furthest = new long[0];
    }

    /** True if the queue has passed a position. */
    boolean cover(long position) {
        if (furthest.length == 0) {
            sort();
        }
        for (int at = lastBefore(position); at >= 0 && furthest[at] >= position; at--) {
            if (stretches.get(at).covers(position)) {
                return true;
            }
        }
        return false;
    }

    private void sort() {
        stretches.sort(Comparator.comparingLong(PassedRecord::from));
        furthest = new long[stretches.size()];
        long most = 0;
        for (int i = 0; i < furthest.length; i++) {
            most = Math.max(most, stretches.get(i).upTo());
            furthest[i] = most;
        }
    }

    /** The last that begins before a position; -1 if there is none. */
    private int lastBefore(long position) {
        int low = 0;
        int high = stretches.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (stretches.get(middle).from() < position) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
