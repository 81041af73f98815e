package dev.turnstone.server.security;

import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import org.jspecify.annotations.Nullable;

/** Users that are not in the users file. Any thread. */
interface UserSource extends Authenticator {
    /**
     * True if this source is the one to check a login that has a password.
     *
     * @param inFile whether the users file has a user of that name
     */
    boolean claims(Login login, boolean inFile);

    /** What a principal of this source has become; null also for every other's. */
    @Override
    @Nullable
    Principal renew(Principal principal);
}
