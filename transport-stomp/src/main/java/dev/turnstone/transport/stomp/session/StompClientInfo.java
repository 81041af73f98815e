package dev.turnstone.transport.stomp.session;

import dev.turnstone.transport.stomp.codec.Version;
import org.jspecify.annotations.Nullable;

/**
 * What CONNECT has settled.
 *
 * @param version the version that both sides speak
 * @param clientId the owner of durable subscriptions; null for none
 */
record StompClientInfo(Version version, @Nullable String clientId) {}
