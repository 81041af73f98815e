package dev.turnstone.testkit.sim;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.testkit.model.Violation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks and changes things while nobody else is there, and waits for each answer. One thread. */
final class Operator implements AutoCloseable, SessionListener {
    private static final int EVENTS_MAX = 100;

    private final SimulatedBroker broker;
    private final Connection connection;
    private final Session session;

    Operator(SimulatedBroker broker, @Nullable String clientId) {
        this.broker = broker;
        CompletableFuture<Connection> connecting = broker.port()
                .connect(new Login(null, null, clientId, "sim", "operator"), cause -> {})
                .toCompletableFuture();
        broker.runAndSync();
        this.connection = connecting.join();
        this.session = connection.openSession(() -> {});
    }

    /** What it asks with; {@link #run} then waits for the answers. */
    Session session() {
        return session;
    }

    void run() {
        session.flush();
        broker.runAndSync();
        session.drain(this, EVENTS_MAX);
    }

    /** The outcome of a command that must not be refused. */
    static Completion granted() {
        return Completion.onFailure(Operator::refused);
    }

    /** The outcome of a command that may be refused for one reason. */
    static Completion grantedUnless(ErrorCode code) {
        return Completion.onFailure(cause -> {
            if (cause.code() != code) {
                refused(cause);
            }
        });
    }

    private static void refused(BrokerException cause) {
        throw new Violation(Violation.Promise.REFUSAL, "an operator was refused: " + cause.getMessage());
    }

    @Override
    public void delivery(Delivery delivery) {
        throw new Violation(Violation.Promise.ROUTING, delivery + " came to nobody");
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        throw new Violation(Violation.Promise.REFUSAL, "a consumer that is not there was ended: " + cause);
    }

    @Override
    public void close() {
        connection.close();
        broker.runAndSync();
    }
}
