package dev.turnstone.broker.queue;

/** Where a consumer's deliveries go: its session. Engine thread. */
public interface Receiver {
    /**
     * Takes an entry for a consumer under a delivery number.
     *
     * @param causeLsn what must be durable before it leaves; 0 for nothing
     */
    void deliver(Consumer consumer, long number, Entry entry, long causeLsn);

    /** Shows an entry to a browser; as {@link #deliver}, but nothing comes back for it. */
    void show(Consumer browser, long number, Entry entry, long causeLsn);

    /** A browser has seen everything. */
    void shownAll(Consumer browser);
}
