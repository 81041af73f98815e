package dev.turnstone.broker.security;

import dev.turnstone.spi.AuditLog;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Authorizer;

/**
 * A broker's security, replaced as a whole. Any thread.
 *
 * @param authenticator finds out who connects
 * @param authorizer says what they may do
 * @param audit hears of logins and refusals
 */
public record Security(Authenticator authenticator, Authorizer authorizer, AuditLog audit) {
    /** Nobody logs in, from wherever they come, and everybody may do everything. */
    public static final Security OPEN =
            new Security(new AnonymousAuthenticator(true), Authorizer.ALLOW_ALL, AuditLog.NONE);

    /** As {@link #OPEN}, for this machine alone: what holds when nothing is configured. */
    public static final Security LOOPBACK =
            new Security(new AnonymousAuthenticator(false), Authorizer.ALLOW_ALL, AuditLog.NONE);
}
