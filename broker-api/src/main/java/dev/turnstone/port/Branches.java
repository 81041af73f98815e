package dev.turnstone.port;

import java.util.List;
import java.util.function.Consumer;

/**
 * The commands of a session that concern branches of global transactions (X/Open XA, Jakarta Transactions). They are
 * commands of the session like its others: collected, flushed together, effective and confirmed in order; answers come
 * right before their completion.
 *
 * <p>Several sessions, of several connections, may work for one branch, whose identifier is the same for all of a
 * user's connections; another user's branches do not exist for it. If one of the connections is lost, a branch that is
 * not prepared rolls back; a prepared one waits, also over restarts of the broker, until somebody commits it or rolls
 * it back. A branch that rolled back by itself (a time-out, a lost connection, a refused command) is remembered as that
 * until it is asked to end, or its connections have ended.
 *
 * <p>Every command may be refused with NO_SUCH_BRANCH (XAER_NOTA), and with BRANCH_STATE (XAER_PROTO) if it does not
 * fit the branch's state.
 */
public interface Branches {
    /**
     * The session works for the branch from now on. Refused with DUPLICATE_BRANCH (XAER_DUPID) if a new one is there
     * already, with BRANCH_ROLLED_BACK or TRANSACTION_TIMED_OUT if it has rolled back by itself, with LIMIT_EXCEEDED
     * ({@code tx.branchesMax}).
     */
    void start(BranchStart start, Completion completion);

    /**
     * The session's work for the branch ends, or is suspended. Refused with BRANCH_ROLLED_BACK or TRANSACTION_TIMED_OUT
     * if the branch can only roll back; the work has ended all the same.
     */
    void end(BranchId branch, BranchEnd how, Completion completion);

    /**
     * Makes the branch durable, invisible, and ready for both outcomes. All work for it must have ended. Refused with
     * BRANCH_ROLLED_BACK or TRANSACTION_TIMED_OUT if it can only roll back: then it has, and is forgotten.
     */
    void prepare(BranchId branch, Consumer<PrepareVote> vote, Completion completion);

    /**
     * Makes the branch effective as one unit. Refused with HEURISTIC_COMMIT or HEURISTIC_ROLLBACK if an operator has
     * decided before; in one phase also as {@link #prepare}.
     *
     * @param onePhase true if it is not prepared and no other resource has a part in it
     */
    void commit(BranchId branch, boolean onePhase, Completion completion);

    /**
     * Undoes the branch, prepared or not: its sends are dropped, its settled deliveries return to their place, flagged,
     * with one more attempt counted. Refused with HEURISTIC_COMMIT or HEURISTIC_ROLLBACK if an operator has decided
     * before.
     */
    void rollback(BranchId branch, Completion completion);

    /** Forgets a branch that an operator has decided; NO_SUCH_BRANCH for any other. */
    void forget(BranchId branch, Completion completion);

    /** Lists the branches that are prepared, and those that an operator has decided and nobody has forgotten. */
    void recover(Consumer<List<BranchId>> branches, Completion completion);
}
