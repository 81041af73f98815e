package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Broker;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Login;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StateQuery;
import dev.turnstone.spi.Principal;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.transport.vertx.StateSession;
import dev.turnstone.transport.vertx.ThreadLabels;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.command.ConnectionId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the OpenWire connections of one broker have in common: the broker's identity, who is connected, and the
 * temporary destinations. Any thread.
 */
public final class OpenWireBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenWireBroker.class);
    private static final String NAMESPACE = "openwire";
    private static final String IDENTITY = "broker";
    private static final Login LOGIN = new Login(null, null, null, NAMESPACE, Login.SAME_JVM);
    /** So many deliveries a connection may number before it meets the numbers of one that began a millisecond later. */
    private static final int NUMBERS_BITS = 20;
    /** So many connections are remembered when they are gone. */
    private static final int ENDINGS_MAX = 10_000;

    private final Broker broker;
    private final Temporaries temporaries = new Temporaries();
    private final Map<ConnectionId, OpenWireConnection> connections = new ConcurrentHashMap<>();
    private final AtomicLong lastStart = new AtomicLong();
    private final long startedMs = System.currentTimeMillis();
    /** When connections ended, those that ended last; guarded by itself. */
    private final Map<ConnectionId, Long> endings = new LinkedHashMap<>();

    private final CompletableFuture<String> identity;

    private OpenWireBroker(Broker broker) {
        this.broker = broker;
        identity = load();
    }

    /** That of a broker; the first call begins to load its identity. */
    public static OpenWireBroker of(SharedResources shared, Broker broker) {
        return shared.shared(OpenWireBroker.class, name -> new OpenWireBroker(broker));
    }

    /** Made once for a data folder: clients tell brokers apart by it, whatever their addresses. */
    private CompletableFuture<String> load() {
        ThreadLabels labels = ThreadLabels.ofCaller();
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> labels.daemon("openwire-start", task));
        return broker.resume(Principal.BROKER, LOGIN, cause -> LOG.debug("ended: {}", cause.getMessage()))
                .toCompletableFuture()
                .thenComposeAsync(made -> identity(made, thread), thread)
                .whenComplete((known, fault) -> thread.shutdown());
    }

    private static CompletableFuture<String> identity(Connection connection, ExecutorService thread) {
        StateSession state = new StateSession(connection, thread);
        return state.list(StateQuery.of(NAMESPACE, IDENTITY))
                .thenCompose(found -> found.isEmpty() ? make(state) : CompletableFuture.completedFuture(text(found)))
                .thenCompose(known -> connection.close().thenApply(closed -> known));
    }

    private static CompletableFuture<String> make(StateSession state) {
        String made = "ID:turnstone-" + UUID.randomUUID();
        byte[] value = made.getBytes(StandardCharsets.UTF_8);
        return state.change(List.of(StateChange.put(NAMESPACE, IDENTITY, value)))
                .thenApply(kept -> made);
    }

    private static String text(List<StateEntry> found) {
        return new String(found.get(0).value(), StandardCharsets.UTF_8);
    }

    /** Completes when the broker's identity is known, which connections need. */
    public CompletableFuture<String> identity() {
        return identity.copy();
    }

    Broker broker() {
        return broker;
    }

    Temporaries temporaries() {
        return temporaries;
    }

    /** A number above those of the deliveries of all earlier connections, of the broker's last run, too. */
    long firstSequence() {
        long now = System.currentTimeMillis() << NUMBERS_BITS;
        return lastStart.updateAndGet(last -> Math.max(now, last + (1L << NUMBERS_BITS)));
    }

    /** Who has a connection of this name, or null. */
    @Nullable
    OpenWireConnection connected(ConnectionId id) {
        return connections.get(id);
    }

    void entered(ConnectionId id, OpenWireConnection connection) {
        connections.put(id, connection);
    }

    void left(ConnectionId id, OpenWireConnection connection) {
        if (connections.remove(id, connection)) {
            synchronized (endings) {
                endings.remove(id);
                endings.put(id, System.currentTimeMillis());
                if (endings.size() > ENDINGS_MAX) {
                    endings.remove(endings.keySet().iterator().next());
                }
            }
        }
    }

    /** How long ago the last connection of this name ended; if nobody knows, for how long the broker has run. */
    long awayMs(ConnectionId id) {
        synchronized (endings) {
            return System.currentTimeMillis() - endings.getOrDefault(id, startedMs);
        }
    }

    @Override
    public void close() {
        connections.clear();
    }
}
