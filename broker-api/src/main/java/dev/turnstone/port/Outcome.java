package dev.turnstone.port;

/** What becomes of a delivery that is settled. */
public enum Outcome {
    /** Consumed: the message leaves the queue. */
    ACCEPTED,
    /** Not seen by the application: it returns to its place, unflagged and uncounted. */
    RELEASED,
    /**
     * Seen and not consumed (nack, recover, failing listener): it returns to its place, flagged as redelivered, and one
     * more attempt is counted. If that was the last one that its queue allows, it goes to the dead-letter address.
     */
    MODIFIED,
    /**
     * An application may have seen it, but is not to blame for its return, such as after a lost connection: it returns
     * to its place, flagged as redelivered and not counted.
     */
    INTERRUPTED,
    /**
     * Never to be delivered again: it goes to the dead-letter address, if there is one, else it is dropped. In a
     * dead-letter address itself it is as {@link #MODIFIED}, so that nobody loses it by mistake.
     */
    REJECTED
}
