package dev.turnstone.port;

/**
 * A queue that subscribes to topics by filters that come and go, such as that of an MQTT session. It exists without a
 * consumer; what it is consumed by is {@link Address#subscription(SubscriptionName)}.
 *
 * @param name its name, shared with no subscription; only connections of the user who has declared it, and with the
 *     name's client identifier, if it has one, may use it: others are refused with FORBIDDEN
 * @param durable true if it, its filters and its persistent messages survive the broker
 * @param idleMs for how long, in milliseconds, it lives without a consumer; the time runs on while the broker is down.
 *     0: it ends with its consumer, or with the connection that declared it; {@link #FOREVER}: until it is deleted
 * @param depthMax at so many messages it takes no more; 0 for no limit of its own
 */
public record SubscriptionQueue(SubscriptionName name, boolean durable, long idleMs, int depthMax) {
    /** In place of a time: it does not end by itself. */
    public static final long FOREVER = -1;

    /** Checks the numbers. */
    public SubscriptionQueue {
        if (idleMs < FOREVER || depthMax < 0) {
            throw new IllegalArgumentException("idleMs=" + idleMs + ", depthMax=" + depthMax);
        }
    }
}
