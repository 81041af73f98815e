package dev.turnstone.port;

/** How a session ends its work for a branch. */
public enum BranchEnd {
    /** It is done (TMSUCCESS). */
    SUCCESS,
    /** It failed: the branch can only roll back (TMFAIL). */
    FAIL,
    /** It will go on later (TMSUSPEND). */
    SUSPEND
}
