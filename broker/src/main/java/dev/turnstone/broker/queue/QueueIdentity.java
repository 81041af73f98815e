package dev.turnstone.broker.queue;

import dev.turnstone.port.Address;
import org.jspecify.annotations.Nullable;

/**
 * Which queue one is. Immutable.
 *
 * @param id its durable identity; 0 for one that is never recorded
 * @param address its address, or the topic's that its subscription is of
 * @param subscription the subscription's name; null for a queue, and for a subscription without a name
 * @param durable true if persistent messages in it survive the broker
 */
public record QueueIdentity(
        long id, Address address, @Nullable String subscription, boolean durable) {
    /** For people. */
    @Override
    public String toString() {
        return subscription == null ? address.name() : address.name() + "::" + subscription;
    }
}
