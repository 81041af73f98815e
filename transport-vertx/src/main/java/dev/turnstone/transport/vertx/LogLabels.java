package dev.turnstone.transport.vertx;

import dev.turnstone.port.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What lines of the log say about the connection that a thread works for: its address, and once somebody has logged in
 * the broker's name for it, the client identifier and the user. Stateless.
 */
final class LogLabels {
    private static final String REMOTE = "remote";
    private static final String CONNECTION = "connection";
    private static final String CLIENT = "client";
    private static final String USER = "user";

    private LogLabels() {}

    /** The thread works for this connection. */
    static void put(String remote, @Nullable Connection connection, @Nullable String clientId) {
        MDC.put(REMOTE, remote);
        if (connection != null) {
            MDC.put(CONNECTION, connection.id());
            MDC.put(USER, connection.principal().name());
            if (clientId != null) {
                MDC.put(CLIENT, clientId);
            }
        }
    }

    /** The thread is done with it. */
    static void remove(@Nullable Connection connection) {
        MDC.remove(REMOTE);
        if (connection != null) {
            MDC.remove(CONNECTION);
            MDC.remove(USER);
            MDC.remove(CLIENT);
        }
    }
}
