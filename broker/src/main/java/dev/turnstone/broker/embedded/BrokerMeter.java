package dev.turnstone.broker.embedded;

/** Is told how long a broker's work takes, on the broker's own threads: returns at once, and never fails. */
public interface BrokerMeter {
    /** Measures nothing, which costs nothing. */
    BrokerMeter NONE = new BrokerMeter() {
        @Override
        public void turn(long nanos) {
            // Nobody asks.
        }

        @Override
        public void confirmed(long nanos) {
            // Nobody asks.
        }

        @Override
        public void synced(long nanos) {
            // Nobody asks.
        }
    };

    /** A turn of the engine took so long, in nanoseconds. */
    void turn(long nanos);

    /**
     * So long after a turn had taken something that must survive, what waited for that was let out: confirmations,
     * deliveries. In nanoseconds, once for each turn.
     */
    void confirmed(long nanos);

    /** An fsync of the journal took so long, in nanoseconds. */
    void synced(long nanos);

    /** So long after its confirmation a message went to a consumer first: milliseconds, of one message in 16. */
    default void delivered(int millis) {
        // Not every meter asks.
    }
}
