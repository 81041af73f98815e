package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.EarlyPages;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Message;

/**
 * What can be moved to pages before it is routed. Bindings that come after that leave a message alone, and so do
 * filters that leave out what its sender sends. Owned by the engine thread.
 */
public final class Ahead {
    private final BoundRoutes bound;
    private final Topics topics;
    private final QueueContext context;

    Ahead(BoundRoutes bound, Topics topics, QueueContext context) {
        this.bound = bound;
        this.topics = topics;
        this.context = context;
    }

    /**
     * True if a message needs no other place than its queues, and nothing of its body to get there; and if it is one
     * and the same for all of them: whoever takes what it sends itself by some of its filters only gets a copy that
     * says so.
     */
    public boolean takes(Message message, Origin from) {
        return !message.hasStoredBody()
                && !message.retain()
                && !bound.concern(message.address())
                && !topics.marksOwn(message.address(), from);
    }

    /** How many may get a message at most: selectors are not asked. */
    public int takersMost(Message message) {
        return message.address().kind() == AddressKind.TOPIC ? topics.takersMost(message.address()) : 1;
    }

    /** The pages. */
    public EarlyPages pages() {
        return context.pager().early();
    }

    /** The time of the turn. */
    public long nowMs() {
        return context.nowMs();
    }
}
