package dev.turnstone.port;

/** What became of a commit, durably and for good. */
public enum CommitOutcome {
    /** It took effect as a whole. */
    COMMITTED,
    /** It had no effect and never will have: a late commit with its identifier is refused. */
    ROLLED_BACK
}
