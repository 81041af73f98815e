package dev.turnstone.broker.security;

import dev.turnstone.port.Address;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.AuditEvent;
import dev.turnstone.spi.AuditEvent.Outcome;
import dev.turnstone.spi.Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The security that holds now. Owned by the engine thread. */
public final class Guard {
    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

    private final int decisionsMax;
    private Security security;
    /** How often it was replaced. */
    private long revision;

    /**
     * With this security until it is replaced.
     *
     * @param decisionsMax about how many addresses each connection remembers decisions
     */
    public Guard(Security security, int decisionsMax) {
        this.security = security;
        this.decisionsMax = decisionsMax;
    }

    /** What holds now. */
    public Security security() {
        return security;
    }

    int decisionsMax() {
        return decisionsMax;
    }

    /** From now on another one holds; connections ask it when they are told to {@link Access#renew}. */
    public void replace(Security other) {
        security = other;
        revision++;
    }

    /** How often it was replaced. */
    long revision() {
        return revision;
    }

    /** Who somebody is now; null if nobody vouches for them any more, or if it cannot be said. */
    public @Nullable Principal renew(Principal known) {
        try {
            return security.authenticator().renew(known);
        } catch (RuntimeException e) {
            // A plug-in's, which must not end the engine.
            LOG.error("It cannot be said what '{}' has become; they are out", known.name(), e);
            return null;
        }
    }

    /** Who logs in, if that is known at once; null if not, or if it cannot be said. */
    public @Nullable Principal known(Login login) {
        try {
            return security.authenticator().known(login);
        } catch (RuntimeException e) {
            // A plug-in's, which must not end the engine.
            LOG.error("It cannot be said who logs in from {}", login.remote(), e);
            return null;
        }
    }

    /** True if somebody may do something; false, too, if that cannot be said. */
    boolean allows(Principal principal, @Nullable String clientId, Action action, Address address) {
        try {
            return security.authorizer().allows(principal, clientId, action, address);
        } catch (RuntimeException e) {
            // A plug-in's, which must not end the engine.
            LOG.error(
                    "It cannot be said whether '{}' may {} {}; they may not",
                    principal.name(),
                    action.words(),
                    address,
                    e);
            return false;
        }
    }

    /** What a connection that has been authenticated may do. */
    public Access admit(Principal principal, Login login, String connection) {
        Access access = new Access(this, principal, login, connection);
        access.record("login", null, Outcome.DONE, null);
        return access;
    }

    /** Takes note of a login that was refused. */
    public void refused(Login login, @Nullable String reason) {
        String user = login.user() == null ? Principal.ANONYMOUS : login.user();
        security.audit()
                .record(new AuditEvent(
                        user, login.remote(), login.protocol(), null, "login", null, Outcome.REFUSED, reason));
    }
}
