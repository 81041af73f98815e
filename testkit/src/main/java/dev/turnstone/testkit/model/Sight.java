package dev.turnstone.testkit.model;

/** What a run may have come across; a campaign that never sees one of these tests less than it says. */
public enum Sight {
    /** A message that one consumer got. */
    DELIVERY,
    /** A delivery that said that it was seen before. */
    FLAGGED_DELIVERY,
    /** A delivery that a recall or a close had overtaken. */
    VOID_DELIVERY,
    /** A flag on what nobody had seen, within what is allowed. */
    NEEDLESS_FLAG,
    /** A transaction whose commit was confirmed. */
    COMMIT,
    /** A transaction that was rolled back as asked. */
    ROLLBACK,
    /** A transaction whose commit was refused because one of its commands was. */
    REFUSED_COMMIT,
    /** A commit in doubt of which something showed that it took effect. */
    DOUBT_EFFECTIVE,
    /** A commit in doubt of which something showed that it had no effect. */
    DOUBT_UNDONE,
    /** A commit of which the broker said, when asked, that it took effect. */
    OUTCOME_COMMITTED,
    /** A commit of which the broker said, when asked, that it had no effect. */
    OUTCOME_ROLLED_BACK,
    /** A disk that became full. */
    DISK_FULL,
    /** A message that was delivered before its sender heard of it. */
    SEEN_BEFORE_CONFIRMED,
    /** A restart after a crash. */
    CRASH,
    /** A restart in order. */
    ORDERLY_RESTART,
    /** A delivery from a durable subscription. */
    DURABLE_DELIVERY,
    /** A page that was written: messages left memory. */
    PAGE_WRITTEN,
    /** A page that was read: messages came back. */
    PAGE_READ,
    /** A delivery of a message of a group. */
    GROUPED_DELIVERY,
    /** A delivery of an exclusive queue while its consumer is known. */
    EXCLUSIVE_DELIVERY,
    /** A dead letter. */
    DEAD_LETTER,
    /** What has expired, at the expiry address. */
    EXPIRED,
    /** A value that a newer one has replaced for certain. */
    REPLACED,
    /** A ring that was full at the end. */
    FULL_RING,
    /** A queue with a maximum that had so many at the end. */
    FULL_QUEUE,
    /** A send that a full queue refused. */
    REFUSED_SEND,
    /** A session that waits for room in a queue, or in memory. */
    BLOCKED_SESSION,
    /** Memory that is so full that senders wait. */
    MEMORY_FULL,
    /** A delivery to a consumer that has a higher priority than another one with credit. */
    RANKED_DELIVERY,
    /** A message that was delivered after it had to wait for its time. */
    DELAYED_DELIVERY,
    /** A message that was delivered after it had to wait since it had failed. */
    RETRIED_DELIVERY,
    /** A delivery to a subscription of a pattern. */
    PATTERN_DELIVERY,
    /** A delivery from a queue that subscribes to a topic by its name. */
    VIRTUAL_DELIVERY,
    /** A delivery from a queue that subscribes by filters. */
    FILTERED_DELIVERY,
    /** A delivery of what a topic had retained. */
    RETAINED_DELIVERY,
    /** A delivery of a copy that a binding has made. */
    BOUND_DELIVERY,
    /** A message that a browser was shown. */
    BROWSED,
    /** A message that a reader was shown of a queue that nobody consumes. */
    READ,
    /** A prepared branch that was committed after a restart. */
    PREPARED_COMMIT,
    /** A prepared branch that was rolled back after a restart. */
    PREPARED_ROLLBACK
}
