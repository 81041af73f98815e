package dev.turnstone.port;

/** Takes what a session receives, from within {@link Session#drain} on its owner thread. */
public interface SessionListener {
    /** The next delivery of one of the session's consumers. */
    void delivery(Delivery delivery);

    /** A browser has been given all that there was when it subscribed; it gets nothing more and can be unsubscribed. */
    default void browseEnded(int consumer) {}

    /** There is a queue that a watch asks for; once for each queue and watch, and again if it had ended meanwhile. */
    default void queueFound(int watch, Address queue) {}

    /** The broker has ended this consumer; its unsettled deliveries are back in their queue. */
    void consumerClosed(int consumer, BrokerException cause);
}
