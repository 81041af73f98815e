package dev.turnstone.spi;

import java.util.Set;

/**
 * Who a connection acts for, as an {@link Authenticator} has found. Immutable.
 *
 * @param name the user's name; {@link #ANONYMOUS} for nobody in particular
 * @param roles what permissions are granted to
 * @param expiresAtMs when the connection must end, in milliseconds since the epoch; {@link #NEVER} for not at all
 * @param source what vouches for it, in the words of its authenticator, who alone reads them; holds no secret
 */
public record Principal(String name, Set<String> roles, long expiresAtMs, String source) {
    /** The name of those who gave none. No user has it. */
    public static final String ANONYMOUS = "anonymous";

    /** The expiry time of what does not expire. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The broker itself, which may do everything. No {@link Authenticator} finds it. */
    public static final Principal BROKER = new Principal("$broker", Set.of(), NEVER, "broker");

    /** Keeps a copy of the roles. */
    public Principal {
        roles = Set.copyOf(roles);
    }

    /** Nobody in particular, with these roles. */
    public static Principal anonymous(Set<String> roles) {
        return new Principal(ANONYMOUS, roles, NEVER, ANONYMOUS);
    }
}
