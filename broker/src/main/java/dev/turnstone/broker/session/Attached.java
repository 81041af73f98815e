package dev.turnstone.broker.session;

import dev.turnstone.broker.queue.Consumer;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.route.Subscription;
import dev.turnstone.port.Address;
import org.jspecify.annotations.Nullable;

/**
 * A session's consumer and what it consumes from.
 *
 * @param address the queue's or topic's address
 * @param endsWith the subscription that ends with the consumer, or null
 */
record Attached(
        Address address,
        Consumer consumer,
        QueueState queue,
        @Nullable Subscription endsWith) {}
