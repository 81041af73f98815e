package dev.turnstone.spi;

import dev.turnstone.port.Login;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Finds out who somebody is before a connection exists. Any thread. */
public interface Authenticator {
    /**
     * Checks a login. Returns at once; what takes time (a slow hash, a directory) is done on threads of its own, and
     * the stage completes on one of those. It fails with a {@link dev.turnstone.port.BrokerException}: UNAUTHENTICATED,
     * with the same message for an unknown user and a wrong password, or LIMIT_EXCEEDED. No message holds the password.
     * What this method throws counts as that failure.
     */
    CompletionStage<Principal> authenticate(Login login);

    /**
     * Who this is, if that can be said at once from memory; null if {@link #authenticate} is to be asked, which also
     * says why somebody is refused. Asked on the engine's thread, for each login.
     */
    default @Nullable Principal known(Login login) {
        return null;
    }

    /**
     * What a principal has become since it was authenticated, by this authenticator or by one that it replaces: the
     * same, one with other roles, or null if it may be here no longer. Asked on the engine's thread, for each
     * connection, when the broker's security has been replaced: answers from memory.
     */
    default @Nullable Principal renew(Principal principal) {
        return principal;
    }
}
