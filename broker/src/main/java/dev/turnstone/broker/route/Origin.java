package dev.turnstone.broker.route;

import org.jspecify.annotations.Nullable;

/**
 * Who sends or subscribes, for "no local".
 *
 * @param connection the connection's id
 * @param clientId its client identifier, or null
 */
public record Origin(String connection, @Nullable String clientId) {}
