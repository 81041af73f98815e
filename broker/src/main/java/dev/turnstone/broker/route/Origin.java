package dev.turnstone.broker.route;

import org.jspecify.annotations.Nullable;

/**
 * Who sends or subscribes: for "no local", and to know whose a subscription is.
 *
 * @param connection the connection's id; empty for whatever connection has the client identifier
 * @param clientId its client identifier, or null
 * @param user its user's name; null where nobody asks for it
 */
public record Origin(
        String connection,
        @Nullable String clientId,
        @Nullable String user) {
    /** The broker itself. */
    static final Origin BROKER = new Origin("", null, null);

    /** Any connection under this client identifier. */
    public static Origin ofClient(@Nullable String clientId) {
        return new Origin("", clientId, null);
    }

    /** True if what comes from there comes from here. */
    boolean sends(Origin from) {
        return connection.isEmpty()
                ? clientId != null && clientId.equals(from.clientId)
                : connection.equals(from.connection);
    }
}
