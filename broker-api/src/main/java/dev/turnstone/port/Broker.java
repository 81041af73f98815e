package dev.turnstone.port;

import java.util.concurrent.CompletionStage;

/** A running broker. Any thread. */
public interface Broker {
    /**
     * Opens a connection. The stage completes on a broker thread; it fails with a {@link BrokerException}:
     * UNAUTHENTICATED, CLIENT_ID_IN_USE, LIMIT_EXCEEDED or STOPPED.
     */
    CompletionStage<Connection> connect(Login login, ConnectionListener listener);
}
