package dev.turnstone.transport.openwire.session;

import org.apache.activemq.command.ConnectionId;
import org.jspecify.annotations.Nullable;

/**
 * What a client's login has settled.
 *
 * @param id the name that the client gave the connection; the same when it comes back
 * @param user whom the client acts for
 * @param clientId the owner of durable subscriptions; null for none
 * @param sendsAgain whether the client sends again what was not answered, when it comes back (failover)
 * @param awayMs for how long, at least, it has been away if it comes back, milliseconds
 * @param connection the port's identifier of the connection
 * @param settings the listener's settings
 */
record Client(
        ConnectionId id,
        String user,
        @Nullable String clientId,
        boolean sendsAgain,
        long awayMs,
        String connection,
        OpenWireSettings settings) {}
