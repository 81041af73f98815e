package dev.turnstone.broker.queue;

/** Where an entry is in its life. */
enum EntryState {
    /** Waits for its time of delivery. */
    DELAYED,
    /** Waits for a consumer. */
    READY,
    /** With a consumer, unsettled. */
    DELIVERED,
    /** Settled in a transaction that is open. */
    LOCKED,
    /** On its way to a dead-letter or expiry address. */
    LEAVING,
    /** Left the queue. */
    GONE
}
