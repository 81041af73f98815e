package dev.turnstone.port;

/** Takes what a session receives, from within {@link Session#drain} on its owner thread. */
public interface SessionListener {
    /** The next delivery of one of the session's consumers. */
    void delivery(Delivery delivery);

    /** The broker has ended this consumer; its unsettled deliveries are back in their queue. */
    void consumerClosed(int consumer, BrokerException cause);
}
