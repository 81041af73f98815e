package dev.turnstone.jms;

import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.PortLimits;
import dev.turnstone.port.Session;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A connection to the fake broker. */
final class FakeConnection implements Connection {
    private final FakeBroker broker;
    private final String id = UUID.randomUUID().toString();
    private final List<FakeSession> sessions = new CopyOnWriteArrayList<>();

    FakeConnection(FakeBroker broker) {
        this.broker = broker;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public PortLimits limits() {
        return PortLimits.DEFAULTS;
    }

    @Override
    public Session openSession(Runnable wakeup) {
        FakeSession session = new FakeSession(broker, wakeup);
        sessions.add(session);
        return session;
    }

    void wakeRefused() {
        sessions.forEach(FakeSession::wakeIfRefused);
    }

    @Override
    public CompletionStage<Void> close() {
        sessions.forEach(session -> session.close(Completion.onFailure(cause -> {})));
        broker.closed(this);
        return CompletableFuture.completedFuture(null);
    }
}
