package dev.turnstone.broker.settings;

/** What becomes of a message for a queue that holds as much as it may. */
public enum WhenFull {
    /** It is taken; what is beyond the limit is kept on disk only. */
    PAGE,
    /** Its sender is refused. */
    REJECT,
    /** It is taken, and the oldest one that nobody has been given leaves. */
    DROP_OLDEST,
    /** Its sender waits. */
    BLOCK
}
