package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/**
 * Names a topic subscription that outlives or is shared by consumers (Jakarta Messaging 3.1 §8.3).
 *
 * @param clientId the client identifier that it belongs to, or null for none (shared subscriptions may have none)
 * @param name its name within the client identifier
 */
public record SubscriptionName(@Nullable String clientId, String name) {
    /** Checks that there is a name. */
    public SubscriptionName {
        if (name.isEmpty()) {
            throw new BrokerException(ErrorCode.NO_SUCH_SUBSCRIPTION, "a subscription's name must not be empty");
        }
    }
}
