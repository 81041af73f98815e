package dev.turnstone.broker.queue;

import java.util.ArrayDeque;
import java.util.function.IntConsumer;

/**
 * Measures, of one message in 16, how long after its confirmation it goes to a consumer first. Costs the others a
 * counter. Owned by the engine thread.
 */
final class Waits {
    /** What an entry says that is not measured, or no more. */
    static final int UNMEASURED = 0;

    private static final int UNCONFIRMED = 1;
    private static final int MEASURED_MASK = 15;
    /** So many may wait for their confirmation; while they do, others are not measured. */
    private static final int UNCONFIRMED_MAX = 4_096;

    private final IntConsumer hearer;
    /** In the order of their turns, and so in that of the disk. */
    private final ArrayDeque<Entry> unconfirmed = new ArrayDeque<>();

    private int arrivals;

    /** The hearer is told the milliseconds. */
    Waits(IntConsumer hearer) {
        this.hearer = hearer;
    }

    /** A message comes into a queue in this turn. */
    void arrived(Entry entry) {
        if ((++arrivals & MEASURED_MASK) == 0 && unconfirmed.size() < UNCONFIRMED_MAX) {
            entry.confirmed = UNCONFIRMED;
            unconfirmed.add(entry);
        }
    }

    /** What was recorded up to this LSN is confirmed. */
    void confirmed(long durableLsn, long nowMs) {
        for (Entry first = unconfirmed.peek();
                first != null && first.stored().lsn() <= durableLsn;
                first = unconfirmed.peek()) {
            unconfirmed.remove();
            if (first.confirmed == UNCONFIRMED) {
                first.confirmed = lowBits(nowMs);
            }
        }
    }

    /** A consumer is given it; if it is not confirmed, with the confirmation. */
    void dispatched(Entry entry, long nowMs) {
        if (entry.confirmed != UNMEASURED) {
            hearer.accept(entry.confirmed == UNCONFIRMED ? 0 : since(entry.confirmed, nowMs));
            entry.confirmed = UNMEASURED;
        }
    }

    /** Positive, and none of the words above; so it may be two milliseconds late, once in 24 days. */
    private static int lowBits(long nowMs) {
        return Math.max(UNCONFIRMED + 1, (int) nowMs & Integer.MAX_VALUE);
    }

    /** Right also when the bits have begun anew meanwhile; a clock that was set back makes it nothing. */
    private static int since(int confirmed, long nowMs) {
        int passed = ((int) nowMs - confirmed) & Integer.MAX_VALUE;
        return passed > Integer.MAX_VALUE / 2 ? 0 : passed;
    }
}
