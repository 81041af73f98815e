package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription takes: from one topic, or from those of a pattern, what its selector matches. Immutable; owned by
 * the engine thread.
 *
 * @param subscription whose it is
 * @param topic a topic, or a pattern of topics
 * @param selector what it takes, or null for everything
 * @param notFrom whose messages it leaves out, or null
 */
record Filter(
        Subscription subscription,
        Address topic,
        @Nullable Selector selector,
        @Nullable Origin notFrom) {
    /** True if it takes the message, which was sent to one of its topics. */
    boolean takes(Message message, Origin from) {
        return (notFrom == null || !notFrom.sends(from)) && (selector == null || selector.matches(message));
    }

    // Two filters are the same only if they are one: a subscription may have equal ones while it is replaced.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return subscription + " of " + topic;
    }
}
