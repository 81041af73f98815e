package dev.turnstone.broker.queue;

import java.util.Comparator;
import java.util.TreeSet;

/** The queues that wait for consumers, by when they no longer do. Owned by the engine thread. */
public final class Gates {
    private final TreeSet<Gate> waiting = new TreeSet<>(Comparator.<Gate>comparingLong(gate -> gate.dueMs)
            .thenComparingLong(gate -> gate.queue().id())
            .thenComparingInt(System::identityHashCode));

    void add(Gate gate) {
        waiting.add(gate);
    }

    void remove(Gate gate) {
        waiting.remove(gate);
    }

    /** Opens those whose time has come. */
    public void release(long nowMs) {
        while (dueMs() <= nowMs) {
            Gate first = waiting.pollFirst();
            if (first != null) {
                first.due();
            }
        }
    }

    /** When the next one opens, in milliseconds since the epoch; {@link Long#MAX_VALUE} for never. */
    public long dueMs() {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.first().dueMs;
    }
}
