package dev.turnstone.broker.security;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.AuditEvent;
import dev.turnstone.spi.AuditEvent.Outcome;
import dev.turnstone.spi.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one connection may do. The authorizer is asked once for each action and address, not for each message. Owned by
 * the engine thread.
 */
public final class Access {
    private final Guard guard;
    private final String connection;
    private final @Nullable String clientId;
    private final String protocol;
    private final String remote;
    /** Not to be changed before the first. */
    private Map<Address, Decisions> decided = Map.of();

    private Principal principal;
    /** Where the last message was allowed to go: most producers have one address. */
    private @Nullable Address lastSent;

    Access(Guard guard, Principal principal, Login login, String connection) {
        this.guard = guard;
        this.principal = principal;
        this.connection = connection;
        // The password has done its work, and with it the login; it is kept by nobody.
        this.clientId = login.clientId();
        this.protocol = login.protocol();
        this.remote = login.remote();
    }

    /** Who it is. */
    public Principal principal() {
        return principal;
    }

    /** Becomes larger whenever somebody may be allowed other things than before. */
    public long revision() {
        return guard.revision();
    }

    /**
     * Checks that a message may be sent to an address.
     *
     * @throws BrokerException FORBIDDEN
     */
    public void checkSend(Address address) {
        if (address.equals(lastSent)) {
            return;
        }
        check(Action.SEND, address);
        lastSent = address;
    }

    /**
     * Checks that something may be done; takes note of it if not.
     *
     * @throws BrokerException FORBIDDEN, naming user, action and address
     */
    public void check(Action action, Address address) {
        if (permits(action, address)) {
            return;
        }
        BrokerException refusal = refusal(action, address);
        record(word(action), address, Outcome.REFUSED, refusal.getMessage());
        throw refusal;
    }

    /** Why something may not be done. */
    public BrokerException refusal(Action action, Address address) {
        return new BrokerException(
                ErrorCode.FORBIDDEN, "user '" + principal.name() + "' may not " + action.words() + " " + address);
    }

    /** True if it may be done. Cheap enough for every delivery of a subscription to many addresses. */
    public boolean permits(Action action, Address address) {
        if (principal.equals(Principal.BROKER)) {
            return true;
        }
        Decisions decisions = decided.get(address);
        if (decisions == null) {
            if (decided.isEmpty() || decided.size() >= guard.decisionsMax()) {
                decided = new HashMap<>(2);
            }
            decisions = new Decisions();
            decided.put(address, decisions);
        }
        int bit = bit(action);
        if ((decisions.known & bit) == 0) {
            decisions.known |= bit;
            if (isOwnTemporary(action, address) || guard.allows(principal, clientId, action, address)) {
                decisions.allowed |= bit;
            }
        }
        return (decisions.allowed & bit) != 0;
    }

    @SuppressWarnings("EnumOrdinal") // Nobody sees the bits but this connection, while it lasts.
    private static int bit(Action action) {
        return 1 << action.ordinal();
    }

    /** A connection may use the temporary destinations that it has made (Jakarta Messaging 3.1 §6.2.2). */
    private boolean isOwnTemporary(Action action, Address address) {
        if (!address.isTemporary() || action == Action.MANAGE) {
            return false;
        }
        List<String> levels = address.levels();
        return levels.size() > 1 && levels.get(1).equals(connection);
    }

    /**
     * After the broker's security was replaced: asks who this is now, and forgets what was decided. False if nobody
     * vouches for the principal any more.
     */
    public boolean renew() {
        if (principal.equals(Principal.BROKER)) {
            return true;
        }
        Principal now = guard.renew(principal);
        if (now == null) {
            return false;
        }
        principal = now;
        decided = Map.of();
        lastSent = null;
        return true;
    }

    /** Takes note that the connection has ended. */
    public void ended(@Nullable String reason) {
        record("logout", null, Outcome.DONE, reason);
    }

    void record(String what, @Nullable Address on, Outcome outcome, @Nullable String reason) {
        if (principal.equals(Principal.BROKER)) {
            return;
        }
        guard.security()
                .audit()
                .record(new AuditEvent(
                        principal.name(),
                        remote,
                        protocol,
                        connection,
                        what,
                        on == null ? null : on.toString(),
                        outcome,
                        reason));
    }

    private static String word(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    /** One bit for each action. */
    private static final class Decisions {
        private int known;
        private int allowed;
    }
}
