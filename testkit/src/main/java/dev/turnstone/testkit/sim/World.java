package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.Login;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.testkit.model.Box;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Producer;
import dev.turnstone.testkit.model.Sight;
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
    final Devices devices;
    private final Tampering tampering;
    private final List<SimConnection> connections = new ArrayList<>();
    private final Map<SubscriptionName, Stream> durableStreams = new HashMap<>();
    private int restarts;
    private int connectionCount;
    private int sessionCount;
    private int messageCount;

    World(SimulatedBroker broker, Ledger ledger, Universe universe, Trace trace, Tampering tampering) {
        this.broker = broker;
        this.ledger = ledger;
        this.trace = trace;
        this.tampering = tampering;
        this.carried = new Carried(broker, ledger, universe.later());
        this.devices = new Devices(this, universe.topics());
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

    /** The other sessions of its connection. */
    List<SimSession> besides(SimSession session) {
        return connections().stream()
                .filter(connection -> connection.sessions.contains(session))
                .flatMap(connection -> connection.sessions.stream())
                .filter(other -> other != session && other.open())
                .toList();
    }

    int nextMessage() {
        return ++messageCount;
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
        session.units.on(port.id());
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

    /** Somebody looks at a queue: a browser, or a reader of one that is consumed by nobody. */
    void look(SimSession session, Address queue, @Nullable String kind, boolean browses) {
        int number = session.nextConsumer();
        session.view(
                browses
                        ? Subscribe.browse(number, queue, selector(kind))
                        : new Subscribe(number, queue, null, selector(kind), false),
                ledger.view(queue, kind, browses));
    }

    /** Subscribes to a topic, with what it retains if that is asked for. */
    SimConsumer subscribeTopic(
            SimSession session, Address topic, @Nullable String kind, boolean noLocal, boolean retained) {
        Box box = ledger.subscription(topic, new Box.Filter(null, session.producer(), kind, noLocal));
        Stream stream = ledger.stream(box, session.producer(), session.nextConsumer(), kind, broker.nowMs());
        return session.subscribe(
                new Subscribe(session.nextConsumer(), topic, null, selector(kind), noLocal)
                        .with(options(box, retained)),
                stream);
    }

    private ConsumerOptions options(Box box, boolean retained) {
        if (retained) {
            ledger.retained().asked(box);
        }
        return ConsumerOptions.DEFAULTS.retained(retained);
    }

    private static @Nullable String selector(@Nullable String kind) {
        return kind == null ? null : "kind = '" + kind + "'";
    }

    /** True if nobody is about to delete the subscription, nor uses it, unless it is shared. */
    boolean durableFree(Universe.Durable durable) {
        return (durable.shared() || isFree(durable.name())) && !ledger.isDeleting(durable.name());
    }

    /** True if nobody consumes from the subscription. */
    boolean isFree(SubscriptionName name) {
        Stream last = durableStreams.get(name);
        return last == null || last.isOver();
    }

    /** The session consumes from a queue that subscribes by filters. */
    SimConsumer subscribeDevice(SimSession session, SubscriptionName name, Box box) {
        int consumer = session.nextConsumer();
        Stream stream = ledger.stream(box, session.producer(), consumer, null, broker.nowMs());
        durableStreams.put(name, stream);
        return session.subscribe(Subscribe.to(consumer, Address.subscription(name)), stream);
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
                new Subscribe(
                        consumer,
                        durable.topic(),
                        durable.name(),
                        selector(durable.kind()),
                        durable.noLocal(),
                        durable.mode(),
                        options(box, durable.retained())),
                stream);
    }

    /** A turn of the broker. */
    void turn() {
        broker.turn();
        ledger.tally().saw(Sight.MEMORY_FULL, broker.memoryFull() ? 1 : 0);
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
            connection.sessions.forEach(session -> session.mustBeIdle(broker.nowMs()));
        }
        if (sessions().stream().anyMatch(SimSession::isBlocked)) {
            // What they have settled or given credit for is not known to the broker.
            ledger.tally().saw(Sight.BLOCKED_SESSION, 1);
            return;
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

    /** All connections end. */
    void leave() {
        connections().forEach(SimConnection::lose);
        broker.runAndSync();
        connections.removeIf(SimConnection::gone);
        if (!connections.isEmpty()) {
            throw new Violation(Violation.Promise.PROGRESS, connections + " do not end");
        }
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
