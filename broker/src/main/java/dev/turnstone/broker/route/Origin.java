package dev.turnstone.broker.route;

import org.jspecify.annotations.Nullable;

/**
 * Who sends or subscribes, for "no local".
 *
 * @param connection the connection's id; empty for whatever connection has the client identifier
 * @param clientId its client identifier, or null
 */
public record Origin(String connection, @Nullable String clientId) {
    /** The broker itself. */
    static final Origin BROKER = new Origin("", null);

    /** Any connection under this client identifier. */
    static Origin ofClient(@Nullable String clientId) {
        return new Origin("", clientId);
    }

    /** True if what comes from there comes from here. */
    boolean sends(Origin from) {
        return connection.isEmpty()
                ? clientId != null && clientId.equals(from.clientId)
                : connection.equals(from.connection);
    }
}
