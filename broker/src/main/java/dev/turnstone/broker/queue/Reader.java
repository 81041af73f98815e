package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.StoredMessage;

/**
 * One consumer that reads a queue without consuming from it: a queue of its own, which holds what the consumer has been
 * given and has not settled, and is filled from the other one as it has credit. Ends when the consumer has left. Owned
 * by the engine thread.
 */
public final class Reader implements Home {
    private final QueueState source;
    private final QueueState own;
    private final Consumer consumer;
    private final QueueContext context;
    private final Feed feed;

    private Reader(QueueState source, Consumer consumer, QueueContext context) {
        this.source = source;
        this.consumer = consumer;
        this.context = context;
        QueueIdentity identity = new QueueIdentity(0, source.address(), null, false);
        this.own = new QueueState(identity, source.settings().forReader(), this, context);
        this.feed = source.dispatch().attachReader(this, consumer.selector());
    }

    /** The queue to which a consumer is to be attached that reads this one. */
    public static QueueState of(QueueState source, Consumer consumer, QueueContext context) {
        return new Reader(source, consumer, context).own;
    }

    /** True if the consumer has credit for more than waits for it. */
    boolean hungry() {
        return consumer.wants() && consumer.credit() > own.waiting();
    }

    /** The consumer is to be given an entry of the source, which stays there. */
    void take(Entry entry) {
        StoredMessage stored = entry.stored();
        context.store().share(stored);
        own.enqueue(stored);
    }

    @Override
    public void wants(QueueState queue) {
        if (!queue.hasConsumers()) {
            end();
        } else if (hungry()) {
            source.wake();
        }
    }

    @Override
    public void idle(QueueState queue) {
        end();
    }

    private void end() {
        if (!own.ended()) {
            source.dispatch().detachReader(feed);
            source.wake();
            own.end();
        }
    }
}
