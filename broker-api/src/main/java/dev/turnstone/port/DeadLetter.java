package dev.turnstone.port;

/**
 * The properties of a message that the broker has moved to a dead-letter or expiry address: what happened to it. Its
 * other properties, its headers and its body are as they were sent, but it no longer expires.
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
    /** How many attempts were counted, an int. */
    public static final String ATTEMPTS = "JMS_TURNSTONE_ATTEMPTS";
    /** What the consumer said of the last attempt; see {@link Settle#reason}. Not set if nothing. */
    public static final String EXCEPTION = "JMS_TURNSTONE_EXCEPTION";

    private DeadLetter() {}
}
