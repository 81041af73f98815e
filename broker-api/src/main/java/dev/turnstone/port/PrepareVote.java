package dev.turnstone.port;

/** What a prepared branch answers. */
public enum PrepareVote {
    /** It is durable and waits for its outcome, whatever happens. */
    PREPARED,
    /** There was nothing in it: it has ended and needs no outcome. */
    READ_ONLY
}
