package dev.turnstone.testkit.sim;

import dev.turnstone.port.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection from the moment that it is asked for until its end is complete. */
final class SimConnection {
    final int number;
    final @Nullable String clientId;
    final List<SimSession> sessions = new ArrayList<>();
    private final CompletableFuture<Connection> connecting;
    private @Nullable CompletableFuture<Void> closing;

    SimConnection(int number, @Nullable String clientId, CompletableFuture<Connection> connecting) {
        this.number = number;
        this.clientId = clientId;
        this.connecting = connecting;
    }

    /** The port's connection, or null while it is being made or after its end was asked for. */
    @Nullable
    Connection port() {
        return closing == null ? connecting.getNow(null) : null;
    }

    /** The wire breaks: nothing more is heard from the sessions. */
    void lose() {
        Connection port = port();
        if (port == null) {
            return;
        }
        for (SimSession session : sessions) {
            if (!session.over()) {
                session.losing();
            }
        }
        closing = port.close().toCompletableFuture();
    }

    /** True when its end is complete; then its sessions are over too. */
    boolean gone() {
        if (closing == null || !closing.isDone()) {
            return false;
        }
        closing.join();
        sessions.forEach(SimSession::lost);
        return true;
    }

    /** True if its end was asked for. */
    boolean ending() {
        return closing != null;
    }

    /** The broker died. */
    void die() {
        for (SimSession session : sessions) {
            if (!session.over()) {
                session.losing();
                session.lost();
            }
        }
    }

    @Override
    public String toString() {
        return "connection " + number + (clientId == null ? "" : " of " + clientId);
    }
}
