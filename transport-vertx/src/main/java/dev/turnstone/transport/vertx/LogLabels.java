package dev.turnstone.transport.vertx;

import dev.turnstone.port.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What lines of the log say about the connection that a thread works for: its address, the broker's name for it, the
 * client identifier and the user. On the connection's event loop only.
 */
final class LogLabels {
    private static final String REMOTE = "remote";
    private static final String CONNECTION = "connection";
    private static final String CLIENT = "client";
    private static final String USER = "user";

    private final String remote;
    private @Nullable String connection;
    private @Nullable String client;
    private @Nullable String user;

    /** Of a connection that nobody has logged in on. */
    LogLabels(String remote) {
        this.remote = remote;
    }

    /** Somebody has logged in. */
    void of(Connection made, @Nullable String clientId) {
        connection = made.id();
        client = clientId;
        user = made.principal().name();
        put();
    }

    /** The thread works for this connection. */
    void put() {
        MDC.put(REMOTE, remote);
        if (connection != null) {
            MDC.put(CONNECTION, connection);
            MDC.put(USER, user);
            if (client != null) {
                MDC.put(CLIENT, client);
            }
        }
    }

    /** The thread is done with it. */
    void remove() {
        MDC.remove(REMOTE);
        if (connection != null) {
            MDC.remove(CONNECTION);
            MDC.remove(USER);
            MDC.remove(CLIENT);
        }
    }
}
