package dev.turnstone.spi;

import dev.turnstone.port.Address;
import org.jspecify.annotations.Nullable;

/**
 * Says who may do what. Called on the engine's thread: answers at once, from memory, and always the same for the same
 * question. The engine remembers answers until it is given another authorizer.
 *
 * <p>The question is about one address. A subscription to many is not refused as a whole: each message is delivered to
 * it only if its owner may consume from the address that the message was sent to. Only whether a durable subscription
 * to a pattern may be created or deleted is asked about the pattern.
 */
@FunctionalInterface
public interface Authorizer {
    /** Everybody may do everything. */
    Authorizer ALLOW_ALL = (principal, clientId, action, address) -> true;

    /** True if the principal, connected under this client identifier if any, may do this with the address. */
    boolean allows(Principal principal, @Nullable String clientId, Action action, Address address);
}
