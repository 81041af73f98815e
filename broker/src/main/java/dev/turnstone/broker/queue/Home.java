package dev.turnstone.broker.queue;

/** Whoever keeps a queue. Engine thread. */
@FunctionalInterface
public interface Home {
    /** Nothing that is in the queue can be handed out now: the home may add more. */
    default void wants(QueueState queue) {
        // Most homes have nothing more.
    }

    /** Neither a message nor a consumer is left; the home may {@link QueueState#end} the queue. */
    void idle(QueueState queue);
}
