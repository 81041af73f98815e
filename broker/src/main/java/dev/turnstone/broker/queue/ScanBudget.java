package dev.turnstone.broker.queue;

/** How many entries a queue's cursors may still pass over in this turn. Owned by the engine thread. */
final class ScanBudget {
    private int left;

    void refill(int entries) {
        left = entries;
    }

    int left() {
        return left;
    }

    /** Spends one; false if that was the last. */
    boolean spend() {
        return --left > 0;
    }
}
