package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a consumer. It starts without credit: nothing is delivered before {@link Session#credit}.
 *
 * @param consumer its number, chosen by the edge, unique within the session
 * @param address the queue or topic
 * @param subscription a durable topic subscription's name, created if it does not exist; null for a queue, and for a
 *     topic subscription that ends with its consumer
 * @param selector a Jakarta Messaging selector, or null for every message
 * @param noLocal true to leave out what this connection (or, when durable, this client identifier) sends to the topic
 */
public record Subscribe(
        int consumer,
        Address address,
        @Nullable SubscriptionName subscription,
        @Nullable String selector,
        boolean noLocal) {
    /** Checks that only topics have subscriptions. */
    public Subscribe {
        if (subscription != null && address.kind() != AddressKind.TOPIC) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "a durable subscription needs a topic, not " + address);
        }
    }

    /** A consumer of all of a queue's messages, or a non-durable one of a topic's. */
    public static Subscribe to(int consumer, Address address) {
        return new Subscribe(consumer, address, null, null, false);
    }
}
