package dev.turnstone.testkit.model;

import org.jspecify.annotations.Nullable;

/**
 * A session in its role as a sender.
 *
 * @param session unique in a run
 * @param connection the connection that it belongs to, unique in a run
 * @param clientId the connection's client identifier, or null
 */
public record Producer(
        int session, int connection, @Nullable String clientId) {}
