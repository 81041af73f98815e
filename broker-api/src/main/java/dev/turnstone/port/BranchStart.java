package dev.turnstone.port;

/**
 * A session begins to work for a branch.
 *
 * @param branch the branch
 * @param mode whether it is new to the broker, to other sessions, or to nobody
 * @param transaction the number under which the session's sends and settles name it from now on, until
 *     {@link Branches#end}; chosen by the edge and never used again in this session
 * @param timeoutMs milliseconds after which a branch that is not prepared rolls back; counts for a new branch; 0 for
 *     {@code tx.maxAgeMs}, which is also the most
 */
public record BranchStart(BranchId branch, Mode mode, long transaction, long timeoutMs) {
    /** Whom it is new to. */
    public enum Mode {
        /** The branch begins (TMNOFLAGS). */
        NEW,
        /** The branch is there; this session works for it too (TMJOIN). */
        JOIN,
        /** This session has suspended its work for the branch and goes on (TMRESUME). */
        RESUME
    }
}
