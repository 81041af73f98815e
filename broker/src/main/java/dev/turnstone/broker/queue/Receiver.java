package dev.turnstone.broker.queue;

import dev.turnstone.port.Address;

/** Where a consumer's deliveries go: its session. Engine thread. */
public interface Receiver {
    /**
     * Takes an entry for a consumer under a delivery number.
     *
     * @param causeLsn what must be durable before it leaves; 0 for nothing
     */
    void deliver(Consumer consumer, long number, Entry entry, long causeLsn);

    /**
     * True if the session may consume messages that were sent to this address: asked for each delivery of a consumer
     * that {@link Consumer#ofMany has many addresses}.
     */
    boolean permits(Address address);

    /** Shows an entry to a browser; as {@link #deliver}, but nothing comes back for it. */
    void show(Consumer browser, long number, Entry entry, long causeLsn);

    /** A browser has seen everything. */
    void shownAll(Consumer browser);
}
