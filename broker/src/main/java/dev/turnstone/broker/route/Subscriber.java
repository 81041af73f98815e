package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.port.Message;

/** Whoever has a queue that filters put messages into. Owned by the engine thread. */
public sealed interface Subscriber permits Fed, QueueHome {
    /** Its queue. */
    QueueState queue();

    /** Its place among all subscribers, the same over restarts if it is durable. */
    long order();

    /** True if its persistent messages survive the broker. */
    boolean durable();

    /** True if the queue may take the message, which a filter matches. */
    boolean hasRoomFor(Message message);
}
