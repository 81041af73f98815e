package dev.turnstone.broker.session;

import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.store.Few;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ConnectionListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** One connection in the engine: who it is, what it may do, and its sessions. Owned by the engine thread. */
final class ConnectionState {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionState.class);

    private final Origin origin;
    private final Access access;
    private final ConnectionListener listener;
    private Set<SessionState> sessions = Set.of();
    private boolean closed;

    ConnectionState(Origin origin, Access access, ConnectionListener listener) {
        this.origin = origin;
        this.access = access;
        this.listener = listener;
    }

    Origin origin() {
        return origin;
    }

    Access access() {
        return access;
    }

    boolean closed() {
        return closed;
    }

    void add(SessionState session) {
        sessions = Few.with(sessions, session);
    }

    void remove(SessionState session) {
        sessions = Few.without(sessions, session);
    }

    /** Ends all its sessions. */
    void close() {
        closed = true;
        List<SessionState> open = new ArrayList<>(sessions);
        for (SessionState session : open) {
            session.end();
        }
    }

    /** What it may do has changed: consumers that it may have no longer end. */
    void revise() {
        for (SessionState session : sessions) {
            session.revise();
        }
    }

    /** Tells its edge that the broker has ended it. */
    void tell(BrokerException cause) {
        MDC.put("connection", origin.connection());
        try {
            listener.closed(cause);
        } catch (RuntimeException e) {
            LOG.warn("Connection {} failed to hear that it ended", origin.connection(), e);
        } finally {
            MDC.remove("connection");
        }
    }
}
