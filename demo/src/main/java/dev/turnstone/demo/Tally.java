package dev.turnstone.demo;

import java.util.BitSet;

/** What one receiver has got. Any thread. */
final class Tally {
    private final BitSet seen = new BitSet();
    private int doubled;
    private int again;

    /**
     * One has come.
     *
     * @param flagged true if the broker says that it may have come before, which the receiver then checks
     */
    synchronized void got(int id, boolean flagged) {
        if (seen.get(id)) {
            if (flagged) {
                again++;
            } else {
                doubled++;
            }
        }
        seen.set(id);
    }

    synchronized int count() {
        return seen.cardinality();
    }

    synchronized int doubled() {
        return doubled;
    }

    /** Those that came again and said so. */
    synchronized int again() {
        return again;
    }
}
