package dev.turnstone.port;

/** What becomes of a delivery that is settled. */
public enum Outcome {
    /** Consumed: the message leaves the queue. */
    ACCEPTED,
    /** Not seen by the application: it returns to its place, unflagged and uncounted. */
    RELEASED,
    /**
     * Seen and not consumed (nack, recover, failing listener): it returns to its place, flagged as redelivered, and one
     * more attempt is counted.
     */
    MODIFIED,
    /** Never to be delivered again: it goes to the dead-letter address, if there is one, else it is dropped. */
    REJECTED
}
