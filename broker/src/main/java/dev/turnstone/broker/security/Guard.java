package dev.turnstone.broker.security;

import dev.turnstone.port.Login;
import dev.turnstone.spi.AuditEvent;
import dev.turnstone.spi.AuditEvent.Outcome;
import dev.turnstone.spi.Principal;
import org.jspecify.annotations.Nullable;

/** The security that holds now. Owned by the engine thread. */
public final class Guard {
    private final int decisionsMax;
    private Security security;

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
