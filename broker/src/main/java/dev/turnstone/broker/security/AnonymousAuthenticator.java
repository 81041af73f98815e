package dev.turnstone.broker.security;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * There are no users: whoever comes is anonymous, whatever name is given. Any thread.
 *
 * @param fromAnywhere false to take those only who come from the broker's own machine
 */
record AnonymousAuthenticator(boolean fromAnywhere) implements Authenticator {
    private static final Principal ANYBODY = Principal.anonymous(Set.of());

    @Override
    public @Nullable Principal known(Login login) {
        return fromAnywhere || login.isLoopback() ? ANYBODY : null;
    }

    @Override
    public CompletionStage<Principal> authenticate(Login login) {
        Principal known = known(login);
        if (known != null) {
            return CompletableFuture.completedStage(known);
        }
        return CompletableFuture.failedStage(new BrokerException(
                ErrorCode.UNAUTHENTICATED, "this broker has no users and takes connections from its own machine only"));
    }

    @Override
    public @Nullable Principal renew(Principal principal) {
        // Where a named user was left over from a configuration that had users, nobody vouches for the name any more.
        return principal.name().equals(Principal.ANONYMOUS) ? principal : null;
    }
}
