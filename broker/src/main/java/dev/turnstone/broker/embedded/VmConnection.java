package dev.turnstone.broker.embedded;

import dev.turnstone.port.Connection;
import dev.turnstone.port.PortLimits;
import dev.turnstone.port.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection that counts among those that keep an embedded broker alive. Any thread. */
final class VmConnection implements Connection {
    private final Connection connection;
    private final SharedBroker shared;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    VmConnection(Connection connection, SharedBroker shared) {
        this.connection = connection;
        this.shared = shared;
    }

    @Override
    public String id() {
        return connection.id();
    }

    @Override
    public String broker() {
        return shared.id();
    }

    @Override
    public PortLimits limits() {
        return connection.limits();
    }

    @Override
    public Session openSession(Runnable wakeup) {
        return connection.openSession(wakeup);
    }

    @Override
    public CompletionStage<Void> close() {
        if (closing.compareAndSet(false, true)) {
            // The broker may end with this connection, which must not wait for itself on one of its own threads.
            connection.close().whenComplete((none, failure) -> {
                Thread last = new Thread(this::leave, "turnstone-vm-close");
                last.setDaemon(true);
                last.start();
            });
        }
        return closed.minimalCompletionStage();
    }

    private void leave() {
        try {
            shared.leave();
        } finally {
            closed.complete(null);
        }
    }
}
