package dev.turnstone.transport.stomp;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.Login;
import dev.turnstone.port.PortLimits;
import dev.turnstone.port.Session;
import dev.turnstone.spi.Principal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A broker that does what the test tells it, so that a test can look at the moments between a command and its
 * confirmation.
 */
final class ScriptedBroker implements Broker {
    final List<Login> logins = new CopyOnWriteArrayList<>();
    final List<ScriptedSession> sessions = new CopyOnWriteArrayList<>();
    final List<ConnectionListener> listeners = new CopyOnWriteArrayList<>();
    volatile @Nullable BrokerException refusal;
    volatile boolean answersLogins = true;
    volatile int closedConnections;

    @Override
    public CompletionStage<Connection> connect(Login login, ConnectionListener listener) {
        logins.add(login);
        listeners.add(listener);
        BrokerException refused = refusal;
        if (refused != null) {
            return CompletableFuture.failedFuture(refused);
        }
        return answersLogins ? CompletableFuture.completedFuture(new ScriptedConnection()) : new CompletableFuture<>();
    }

    @Override
    public CompletionStage<Connection> resume(Principal principal, Login login, ConnectionListener listener) {
        throw new UnsupportedOperationException("STOMP does nothing when its peer is not there");
    }

    private final class ScriptedConnection implements Connection {
        private boolean closed;

        @Override
        public String id() {
            return "c1";
        }

        @Override
        public Principal principal() {
            return Principal.anonymous(Set.of());
        }

        @Override
        public PortLimits limits() {
            return PortLimits.DEFAULTS;
        }

        @Override
        public Session openSession(Runnable wakeup) {
            ScriptedSession session = new ScriptedSession(wakeup);
            sessions.add(session);
            return session;
        }

        @Override
        public synchronized CompletionStage<Void> close() {
            if (!closed) {
                closed = true;
                closedConnections++;
            }
            return CompletableFuture.completedFuture(null);
        }
    }
}
