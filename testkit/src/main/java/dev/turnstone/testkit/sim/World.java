package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.Login;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.testkit.model.Box;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Producer;
import dev.turnstone.testkit.model.Stream;
import dev.turnstone.testkit.model.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A broker, the connections to it and the ledger of both. */
final class World {
    private static final int ROUNDS_MAX = 2_000;
    private static final int EVENTS_MAX = 1_000;

    final SimulatedBroker broker;
    final Ledger ledger;
    final Trace trace;
    final Carried carried;
    private final Tampering tampering;
    private final List<SimConnection> connections = new ArrayList<>();
    private final Map<SubscriptionName, Stream> durableStreams = new HashMap<>();
    private int restarts;
    private int connectionCount;
    private int sessionCount;
    private int messageCount;
    private int begun;

    World(SimulatedBroker broker, Ledger ledger, Trace trace, Tampering tampering) {
        this.broker = broker;
        this.ledger = ledger;
        this.trace = trace;
        this.tampering = tampering;
        this.carried = new Carried(broker, ledger);
    }

    List<SimConnection> connections() {
        connections.removeIf(SimConnection::gone);
        return connections;
    }

    /** The sessions whose end was not asked for. */
    List<SimSession> sessions() {
        List<SimSession> open = new ArrayList<>();
        for (SimConnection connection : connections()) {
            for (SimSession session : connection.sessions) {
                if (session.open()) {
                    open.add(session);
                }
            }
        }
        return open;
    }

    int nextMessage() {
        return ++messageCount;
    }

    /** The identifier of the branch that the next transaction is; null if it is a session's own. */
    @Nullable
    BranchId nextBranch() {
        return ++begun % 2 == 0 ? SimBranches.id(begun) : null;
    }

    /** After a restart, before anybody connects: decides the branches that are prepared. */
    void decideAll() {
        carried.check(true);
    }

    boolean clientIdFree(String clientId) {
        return connections().stream().noneMatch(connection -> clientId.equals(connection.clientId));
    }

    SimConnection connect(@Nullable String clientId) {
        Login login = new Login(null, null, clientId, "sim", "seed");
        CompletableFuture<Connection> connecting = broker.port()
                .connect(login, cause -> trace.add("the broker ends a connection: " + cause.getMessage()))
                .toCompletableFuture();
        SimConnection connection = new SimConnection(++connectionCount, clientId, connecting);
        trace.add("asks for " + connection);
        connections.add(connection);
        return connection;
    }

    SimSession openSession(SimConnection connection, Connection port) {
        Producer producer = new Producer(++sessionCount, connection.number, connection.clientId);
        SimSession session =
                new SimSession(wakeup -> tampering.session(port.openSession(wakeup)), producer, ledger, trace, carried);
        session.on(port.id());
        trace.add(session + " on " + connection);
        connection.sessions.add(session);
        return session;
    }

    SimConsumer subscribeQueue(SimSession session, Address queue, @Nullable String kind, int rank) {
        Stream stream =
                ledger.stream(ledger.queue(queue), session.producer(), session.nextConsumer(), kind, broker.nowMs());
        stream.rank(rank);
        return session.subscribe(
                new Subscribe(session.nextConsumer(), queue, null, selector(kind), false)
                        .with(ConsumerOptions.DEFAULTS.priority(rank)),
                stream);
    }

    void subscribeTopic(SimSession session, Address topic, @Nullable String kind, boolean noLocal) {
        Box box = ledger.subscription(topic, new Box.Filter(null, session.producer(), kind, noLocal));
        Stream stream = ledger.stream(box, session.producer(), session.nextConsumer(), kind, broker.nowMs());
        session.subscribe(new Subscribe(session.nextConsumer(), topic, null, selector(kind), noLocal), stream);
    }

    private static @Nullable String selector(@Nullable String kind) {
        return kind == null ? null : "kind = '" + kind + "'";
    }

    /** True if nobody uses the subscription or is about to delete it. */
    boolean durableFree(Universe.Durable durable) {
        Stream last = durableStreams.get(durable.name());
        return (last == null || last.isOver()) && !ledger.isDeleting(durable.name());
    }

    SimConsumer subscribeDurable(SimSession session, Universe.Durable durable) {
        Box box = ledger.durable(durable.name());
        if (box == null) {
            box = ledger.subscription(
                    durable.topic(),
                    new Box.Filter(durable.name(), session.producer(), durable.kind(), durable.noLocal()));
        }
        int consumer = session.nextConsumer();
        Stream stream = ledger.stream(box, session.producer(), consumer, durable.kind(), broker.nowMs());
        durableStreams.put(durable.name(), stream);
        return session.subscribe(
                new Subscribe(consumer, durable.topic(), durable.name(), selector(durable.kind()), durable.noLocal()),
                stream);
    }

    /** All that can go on without new commands has gone on; then what must have come has come. */
    void rest(Violation.Promise promise) {
        broker.room(true);
        int quiet = 0;
        for (int round = 0; quiet < 2; round++) {
            if (round == ROUNDS_MAX) {
                throw new Violation(Violation.Promise.PROGRESS, "no rest after " + ROUNDS_MAX + " rounds");
            }
            quiet = goOn() ? 0 : quiet + 1;
        }
        for (SimConnection connection : connections()) {
            if (connection.ending() || connection.port() == null) {
                throw new Violation(Violation.Promise.PROGRESS, connection + " neither opens nor ends");
            }
            connection.sessions.forEach(SimSession::mustBeIdle);
        }
        List<Stream> streams = new ArrayList<>();
        sessions().forEach(session -> streams.addAll(session.streams()));
        ledger.audit().rest(streams, broker.nowMs(), promise);
    }

    private boolean goOn() {
        boolean any = false;
        List<SimSession> sessions = new ArrayList<>();
        connections().stream()
                .filter(connection -> !connection.ending())
                .forEach(connection -> sessions.addAll(connection.sessions));
        sessions.forEach(SimSession::flush);
        any |= broker.runAndSync();
        for (SimSession session : sessions) {
            any |= session.drain(EVENTS_MAX) > 0;
        }
        return any;
    }

    /** The broker dies and comes back with what is durable and perhaps some more. */
    void crash(RandomGenerator random) {
        trace.add("crash");
        broker.crash(random);
        restart(false);
    }

    /** The broker stops in order and comes back. */
    void stop() {
        trace.add("orderly stop");
        broker.stop();
        restart(true);
    }

    private void restart(boolean orderly) {
        connections.forEach(SimConnection::die);
        connections.clear();
        ledger.restarted(orderly);
        broker.start();
        trace.add("started");
        if (++restarts % 2 == 0) {
            // Not each time: a crash may follow before anything became durable.
            carried.check(false);
        }
    }
}
