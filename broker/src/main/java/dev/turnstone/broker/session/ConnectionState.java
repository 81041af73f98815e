package dev.turnstone.broker.session;

import dev.turnstone.broker.route.Origin;
import dev.turnstone.port.ConnectionListener;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One connection in the engine: who it is, and its sessions. Owned by the engine thread. */
final class ConnectionState {
    private final Origin origin;
    private final ConnectionListener listener;
    private final Set<SessionState> sessions = new LinkedHashSet<>();
    private boolean closed;

    ConnectionState(Origin origin, ConnectionListener listener) {
        this.origin = origin;
        this.listener = listener;
    }

    Origin origin() {
        return origin;
    }

    ConnectionListener listener() {
        return listener;
    }

    boolean closed() {
        return closed;
    }

    void add(SessionState session) {
        sessions.add(session);
    }

    void remove(SessionState session) {
        sessions.remove(session);
    }

    /** Ends all its sessions. */
    void close() {
        closed = true;
        List<SessionState> open = new ArrayList<>(sessions);
        for (SessionState session : open) {
            session.end();
        }
    }
}
