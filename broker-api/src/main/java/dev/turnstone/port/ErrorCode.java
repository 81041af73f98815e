package dev.turnstone.port;

/** Why the broker refused; every edge maps these to its own protocol's words. */
public enum ErrorCode {
    /** The destination's name is not one. */
    INVALID_ADDRESS,
    /** The selector does not parse (Jakarta Messaging 3.1 §3.8.1). */
    INVALID_SELECTOR,
    /** The message contradicts itself or its encoding. */
    INVALID_MESSAGE,
    /** The message is larger than {@code message.bytesMax}. */
    MESSAGE_TOO_LARGE,
    /** No consumer with this number in the session. */
    NO_SUCH_CONSUMER,
    /** The session has a consumer with this number already. */
    DUPLICATE_CONSUMER,
    /** The delivery is unknown or settled already. */
    NO_SUCH_DELIVERY,
    /** No transaction with this number in the session. */
    NO_SUCH_TRANSACTION,
    /** The session has a transaction with this number already. */
    DUPLICATE_TRANSACTION,
    /** Somebody has asked for the outcome of this commit before it came: it is rolled back for good. */
    COMMIT_FENCED,
    /** The commit is so old that its outcome may have been forgotten. */
    OUTCOME_UNKNOWN,
    /** The transaction, or branch, was open for too long and has rolled back. */
    TRANSACTION_TIMED_OUT,
    /** There is no such branch of a global transaction, or not of this user (XAER_NOTA). */
    NO_SUCH_BRANCH,
    /** There is such a branch already (XAER_DUPID). */
    DUPLICATE_BRANCH,
    /** The branch is in a state in which this cannot be (XAER_PROTO). */
    BRANCH_STATE,
    /** The branch has rolled back, or can only roll back (XA_RBROLLBACK). */
    BRANCH_ROLLED_BACK,
    /** An operator has committed the prepared branch (XA_HEURCOM). */
    HEURISTIC_COMMIT,
    /** An operator has rolled back the prepared branch (XA_HEURRB). */
    HEURISTIC_ROLLBACK,
    /** The transaction was larger than a named limit and has been marked to roll back. */
    TRANSACTION_TOO_LARGE,
    /** The subscription does not exist. */
    NO_SUCH_SUBSCRIPTION,
    /** The subscription has an active consumer, or deliveries that are not settled. */
    SUBSCRIPTION_IN_USE,
    /** Another connection has this client identifier. */
    CLIENT_ID_IN_USE,
    /** A named limit on connections, sessions, consumers or addresses is reached. */
    LIMIT_EXCEEDED,
    /** Nobody gets the message, and it asked to be refused then. */
    NO_ROUTE,
    /** The queue is at its limit. */
    QUEUE_FULL,
    /**
     * The broker's disk has less room than {@code disk.lowWater}: it takes no persistent messages until there is more.
     */
    DISK_FULL,
    /** The user is unknown or the password is wrong. */
    UNAUTHENTICATED,
    /** The user may not do this. */
    FORBIDDEN,
    /** The feature is one that this broker does not have. */
    UNSUPPORTED,
    /** The URL or a setting is wrong. */
    INVALID_CONFIGURATION,
    /** The data folder is in use by another broker. */
    DATA_LOCKED,
    /** The data folder cannot be used: not writable, foreign, corrupt or of a newer format. */
    DATA_UNUSABLE,
    /** The session or connection is closed. */
    CLOSED,
    /** The broker stopped: in order, or because its journal failed. */
    STOPPED
}
