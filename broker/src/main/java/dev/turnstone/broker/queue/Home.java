package dev.turnstone.broker.queue;

/** Whoever keeps a queue. Engine thread. */
@FunctionalInterface
public interface Home {
    /** Neither a message nor a consumer is left; the home may {@link QueueState#end} the queue. */
    void idle(QueueState queue);
}
