package dev.turnstone.port;

/**
 * The properties of a message that the broker has moved to a dead-letter or expiry address: what happened to it. Its
 * other properties, its headers and its body are as they were sent, but it no longer expires, and has no identity of
 * its sender's any more.
 */
public final class DeadLetter {
    /** Why it was moved: {@code attempts}, {@code rejected} or {@code expired}. */
    public static final String REASON = "JMS_TURNSTONE_DEAD_REASON";
    /** Where it was sent to, as {@code queue:NAME} or {@code topic:NAME}. */
    public static final String ORIGINAL_ADDRESS = "JMS_TURNSTONE_ORIGINAL_ADDRESS";
    /** The name of the subscription that it was moved out of; not set for a queue. */
    public static final String ORIGINAL_SUBSCRIPTION = "JMS_TURNSTONE_ORIGINAL_SUBSCRIPTION";
    /** When it would have expired, milliseconds since the epoch; not set if never. */
    public static final String ORIGINAL_EXPIRATION = "JMS_TURNSTONE_ORIGINAL_EXPIRATION";
    /**
     * The identity that its sender had given it as {@link DedupId#PROPERTY} or {@link DedupId#HEADER}, which the moved
     * message has no longer: who sends that on, or back, sends a message of its own, not a copy of what was sent
     * before. Not set if it had none.
     */
    public static final String ORIGINAL_DEDUP_ID = "JMS_TURNSTONE_ORIGINAL_DEDUP_ID";
    /** How many attempts were counted, an int. */
    public static final String ATTEMPTS = "JMS_TURNSTONE_ATTEMPTS";
    /** What the consumer said of the last attempt; see {@link Settle#reason}. Not set if nothing. */
    public static final String EXCEPTION = "JMS_TURNSTONE_EXCEPTION";

    private DeadLetter() {}
}
