package dev.turnstone.journal.artemis;

import java.util.Queue;

/**
 * Looks for work for a moment before its thread parks. What a confirmation sets free often comes back within
 * microseconds, and to park and be woken would cost more than the looks. Where nothing came, the next look is half as
 * long, down to none; now and then a whole one finds out whether that has changed. The journal's thread alone.
 */
final class Lookout {
    /** Some 40 µs, about what a park and its end cost two threads together. */
    private static final int LOOKS_MAX = 1024;

    /** One wait in so many gets a whole look: what that costs an idle thread cannot be measured. */
    private static final int WHOLE_EACH = 64;

    private int looks = LOOKS_MAX;
    private int waits;

    /** True if something is in the queue now, or within the moment that experience allows. */
    boolean comes(Queue<?> queue) {
        int most = ++waits % WHOLE_EACH == 0 ? LOOKS_MAX : looks;
        for (int i = 0; i < most; i++) {
            if (!queue.isEmpty()) {
                looks = LOOKS_MAX;
                return true;
            }
            Thread.onSpinWait();
        }
        looks /= 2;
        return false;
    }
}
