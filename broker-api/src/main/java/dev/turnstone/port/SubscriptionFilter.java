package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/**
 * One filter of a {@link SubscriptionQueue}; a queue has at most one for each topic or pattern.
 *
 * @param topic a topic, or a pattern of topics
 * @param selector a Jakarta Messaging selector, or null for every message
 * @param noLocal true to leave out what connections with the queue's client identifier send
 * @param options what the edge wants to know of the filter at each delivery; the engine keeps it and does not look at
 *     it
 * @param retained which retained messages the queue gets first
 */
public record SubscriptionFilter(
        Address topic, @Nullable String selector, boolean noLocal, long options, Retained retained) {
    /** Whether the retained messages of the topics are put into the queue when the filter is added. */
    public enum Retained {
        /** None. */
        NEVER,
        /** All, if the queue had no filter for this topic or pattern before. */
        IF_NEW,
        /** All. */
        ALWAYS
    }

    /** Checks that it is about topics. */
    public SubscriptionFilter {
        if (topic.kind() != AddressKind.TOPIC || topic.isSubscription()) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "a filter is of topics, not of " + topic);
        }
    }
}
