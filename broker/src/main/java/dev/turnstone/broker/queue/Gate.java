package dev.turnstone.broker.queue;

import dev.turnstone.broker.settings.DispatchSettings;

/**
 * Holds a queue's messages back until enough consumers are there, or the first has waited for long enough; closes again
 * when the last one has left. Owned by the engine thread.
 */
final class Gate {
    private final QueueState queue;
    private final Gates gates;
    private int consumersBefore;
    private long delayMs;
    private boolean open;
    /** When it opens by itself; 0 if it does not. */
    long dueMs;

    /** One that is open, if there are consumers already. */
    Gate(QueueState queue, Gates gates, boolean open) {
        this.queue = queue;
        this.gates = gates;
        this.open = open;
    }

    QueueState queue() {
        return queue;
    }

    void configure(DispatchSettings settings) {
        consumersBefore = settings.consumersBefore();
        delayMs = settings.delayBeforeMs();
    }

    boolean open() {
        return open || consumersBefore == 0;
    }

    /** So many consumers are there now. */
    void consumers(int count, long nowMs) {
        if (count == 0) {
            open = false;
            stop();
        } else if (!open && count >= consumersBefore) {
            open = true;
            stop();
        } else if (!open && delayMs > 0 && dueMs == 0) {
            dueMs = nowMs + delayMs;
            gates.add(this);
        }
    }

    private void stop() {
        if (dueMs != 0) {
            gates.remove(this);
            dueMs = 0;
        }
    }

    /** The first consumer has waited for long enough. */
    void due() {
        dueMs = 0;
        open = true;
        queue.wake();
    }
}
