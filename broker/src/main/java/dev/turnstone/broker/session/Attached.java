package dev.turnstone.broker.session;

import dev.turnstone.broker.queue.Consumer;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.route.Subscriber;
import dev.turnstone.port.Address;
import org.jspecify.annotations.Nullable;

/**
 * A session's consumer and what it consumes from.
 *
 * @param address the queue's or topic's address
 * @param subscriber whose queue it is, if that hears when the consumer leaves, or null
 */
record Attached(
        Address address,
        Consumer consumer,
        QueueState queue,
        @Nullable Subscriber subscriber) {}
