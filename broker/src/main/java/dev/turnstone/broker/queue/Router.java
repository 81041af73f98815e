package dev.turnstone.broker.queue;

import dev.turnstone.port.Message;

/** Takes messages that the broker itself moves to another address. Engine thread. */
@FunctionalInterface
public interface Router {
    /** Gives the message to whatever stands behind its address; never refuses. */
    void route(Message message);
}
