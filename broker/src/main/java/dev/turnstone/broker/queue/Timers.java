package dev.turnstone.broker.queue;

/** What wakes runs in time: when one of their entries is due, or expires. Owned by the engine thread. */
record Timers(Delays delays, Expiry expiry) {
    /** A run is new. */
    void add(Run run) {
        if (run.sleeps()) {
            delays.add(run);
        }
        expiry.add(run);
    }

    /** A run has become entries again, or has left. */
    void left(Run run) {
        delays.left(run);
        expiry.left(run);
    }
}
