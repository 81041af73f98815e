package dev.turnstone.server.security;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
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

    /**
     * Checks a name that somebody else's system gave: any text goes, but none that would be another's here.
     *
     * @throws BrokerException UNAUTHENTICATED
     */
    static String checked(String name) {
        boolean control = name.chars().anyMatch(Character::isISOControl);
        if (name.isBlank() || control || name.length() > User.NAME_CHARS_MAX || name.equals(Principal.ANONYMOUS)) {
            throw new BrokerException(
                    ErrorCode.UNAUTHENTICATED,
                    "a user's name has 1 to " + User.NAME_CHARS_MAX + " characters, no control characters, and is not '"
                            + Principal.ANONYMOUS + "'");
        }
        return name;
    }

    /** What a principal of this source has become; null also for every other's. */
    @Override
    @Nullable
    Principal renew(Principal principal);
}
