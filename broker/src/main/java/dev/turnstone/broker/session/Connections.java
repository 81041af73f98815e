package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.security.Guard;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Principal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All connections by id, and who has which client identifier. Owned by the engine thread. */
public final class Connections {
    /** How long a login may be checked, in milliseconds: a plug-in that never answers must not keep others out. */
    private static final long LOGIN_MS = 60_000;

    private final SessionContext context;
    private final Guard guard;
    private final Map<String, ConnectionState> open = new LinkedHashMap<>();
    private final Map<String, ConnectionState> byClientId = new HashMap<>();
    /** How many connections each user has. */
    private final Map<String, Integer> byUser = new HashMap<>();

    private final Expiries expiries = new Expiries();
    private final String prefix;
    private long opened;
    /** Those that are being checked, in the order in which their time ends. */
    private final Set<LoggingIn> checking = new LinkedHashSet<>();

    private long nowMs;

    /** None yet; ids start with the prefix. */
    public Connections(String prefix, SessionContext context, Guard guard) {
        this.prefix = prefix;
        this.context = context;
        this.guard = guard;
        context.fencedBy(this::fence);
    }

    private void fence(String id, Principal principal) {
        ConnectionState connection = open.get(id);
        if (connection == null) {
            return;
        }
        if (!connection.access().principal().name().equals(principal.name())) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN, "the connection that committed is another user's; nobody else may ask");
        }
        end(
                connection,
                new BrokerException(ErrorCode.CLOSED, "another connection asked what became of a commit of this one"));
    }

    /** Whether the user of a connection may manage an address; false if the connection has ended. */
    public boolean manages(String connection, Address address) {
        ConnectionState state = open.get(connection);
        return state != null && state.access().permits(Action.MANAGE, address);
    }

    /** How many are open. */
    public int size() {
        return open.size();
    }

    /**
     * A login begins; what refuses it before anybody looks at a password does so now. {@link #loggedIn} or
     * {@link #refused} follows, or its time ends.
     *
     * @param late told that its time has ended: then nothing follows
     */
    LoggingIn loggingIn(Login login, Consumer<BrokerException> late) {
        int max = context.limits().intOf(Limit.CONNECTIONS_MAX);
        if (open.size() + checking.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " connections already (" + Limit.CONNECTIONS_MAX.setting() + ")");
        }
        int loginsMax = context.limits().intOf(Limit.LOGINS_MAX);
        if (checking.size() >= loginsMax) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    loginsMax + " others are logging in already (" + Limit.LOGINS_MAX.setting() + ")");
        }
        LoggingIn begun = new LoggingIn(login, guard.security(), nowMs + LOGIN_MS, late);
        checking.add(begun);
        return begun;
    }

    /** Who it is, if that is known at once; null if the authenticator has to be asked. */
    @Nullable
    Principal known(LoggingIn login) {
        return guard.known(login.login());
    }

    /** False if its time has ended. */
    boolean isBeingChecked(LoggingIn login) {
        return checking.contains(login);
    }

    /** A login that had begun was refused. */
    void refused(LoggingIn login, BrokerException cause) {
        checking.remove(login);
        guard.refused(login.login(), cause.getMessage());
    }

    /** A login that never began was refused. */
    void refusedAtOnce(Login login, BrokerException cause) {
        guard.refused(login, cause.getMessage());
    }

    /**
     * A principal is authenticated and gets its connection.
     *
     * @throws BrokerException CLIENT_ID_IN_USE, LIMIT_EXCEEDED, UNAUTHENTICATED; {@link #refused} follows
     */
    ConnectionState loggedIn(LoggingIn checked, Principal known, ConnectionListener listener) {
        Principal principal = current(known, checked.security());
        Login login = checked.login();
        String clientId = login.clientId();
        if (clientId != null && byClientId.containsKey(clientId)) {
            throw BrokerException.clientIdInUse(clientId, principal.name());
        }
        checkRoomFor(principal);
        checkNames(login, principal);
        checking.remove(checked);
        ConnectionState connection = open(login, principal, listener);
        if (clientId != null) {
            byClientId.put(clientId, connection);
        }
        return connection;
    }

    /**
     * A connection for a principal that had one before, or for the broker itself. It has the permissions of its client
     * identifier and does not take it: the client may be there again.
     *
     * @throws BrokerException UNAUTHENTICATED
     */
    ConnectionState resumed(Login login, Principal earlier, ConnectionListener listener) {
        Principal principal = earlier.equals(Principal.BROKER) ? earlier : guard.renew(earlier);
        if (principal == null) {
            throw unauthenticated(earlier);
        }
        checkNames(login, principal);
        return open(login, principal, listener);
    }

    private static void checkNames(Login login, Principal principal) {
        SizeCheck.checkName("a client identifier", login.clientId());
        SizeCheck.checkName("a user's name", principal.name());
    }

    private ConnectionState open(Login login, Principal principal, ConnectionListener listener) {
        String id = prefix + ++opened;
        Access access = guard.admit(principal, login, id);
        ConnectionState connection =
                new ConnectionState(new Origin(id, login.clientId(), principal.name()), access, listener);
        open.put(id, connection);
        byUser.merge(principal.name(), 1, Integer::sum);
        expiries.add(connection);
        return connection;
    }

    /** While the login was checked, the security may have been replaced. */
    private Principal current(Principal known, Security checkedBy) {
        Principal principal = guard.security().equals(checkedBy) ? known : guard.renew(known);
        if (principal == null) {
            throw unauthenticated(known);
        }
        return principal;
    }

    private void checkRoomFor(Principal principal) {
        int max = context.limits().intOf(Limit.USER_CONNECTIONS_MAX);
        if (byUser.getOrDefault(principal.name(), 0) >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "user '" + principal.name() + "' has " + max + " connections already ("
                            + Limit.USER_CONNECTIONS_MAX.setting() + ")");
        }
    }

    /** Ends a connection by its edge's wish, if it is open. */
    void close(ConnectionState connection) {
        close(connection, null);
    }

    private void end(ConnectionState connection, BrokerException cause) {
        close(connection, cause.getMessage());
        connection.tell(cause);
    }

    private void close(ConnectionState connection, @Nullable String reason) {
        if (open.remove(connection.origin().connection()) == null) {
            return;
        }
        connection.close();
        if (connection.origin().clientId() != null) {
            byClientId.remove(connection.origin().clientId(), connection);
        }
        byUser.computeIfPresent(connection.access().principal().name(), (user, count) -> count == 1 ? null : count - 1);
        expiries.remove(connection);
        context.addresses().closed(connection.origin().connection());
        context.units().branches().closed(connection.origin().connection());
        connection.access().ended(reason);
    }

    /** From now on another security holds: connections that it does not vouch for end, others are held to it. */
    public void secure(Security security) {
        guard.replace(security);
        for (ConnectionState connection : List.copyOf(open.values())) {
            expiries.remove(connection);
            if (connection.access().renew()) {
                expiries.add(connection);
                connection.revise();
            } else {
                end(connection, unauthenticated(connection.access().principal()));
            }
        }
    }

    private static BrokerException unauthenticated(Principal principal) {
        return new BrokerException(
                ErrorCode.UNAUTHENTICATED,
                "user '" + principal.name() + "' was removed, or what it logged in with is no longer valid");
    }

    /** Ends those connections whose login has expired, and refuses logins whose check takes too long. */
    public void expire(long atMs) {
        nowMs = atMs;
        for (LoggingIn first = firstChecked(); first != null && first.endsMs() <= atMs; first = firstChecked()) {
            BrokerException late = new BrokerException(
                    ErrorCode.UNAUTHENTICATED, "the login could not be checked within " + LOGIN_MS + " milliseconds");
            refused(first, late);
            first.late().accept(late);
        }
        for (ConnectionState due = expiries.due(nowMs); due != null; due = expiries.due(nowMs)) {
            end(
                    due,
                    new BrokerException(
                            ErrorCode.UNAUTHENTICATED,
                            "the login of user '" + due.access().principal().name() + "' has expired"));
        }
    }

    /** When {@link #expire} has something to do, in milliseconds since the epoch. */
    public long dueMs() {
        LoggingIn first = firstChecked();
        return first == null ? expiries.dueMs() : Math.min(expiries.dueMs(), first.endsMs());
    }

    private @Nullable LoggingIn firstChecked() {
        return checking.isEmpty() ? null : checking.iterator().next();
    }

    /** Ends all, in order: deliveries return to their queues. */
    public void closeAll() {
        for (ConnectionState connection : open.values()) {
            connection.close();
        }
    }

    /** Tells all that the broker has ended them. */
    public void tellAll(BrokerException cause) {
        for (ConnectionState connection : open.values()) {
            connection.tell(cause);
        }
        open.clear();
        byClientId.clear();
    }

    SessionContext context() {
        return context;
    }
}
