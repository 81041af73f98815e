package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.Send;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateQuery;
import dev.turnstone.spi.Principal;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.transport.vertx.StateSession;
import dev.turnstone.transport.vertx.ThreadLabels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The sessions of all MQTT clients of one broker, between and beyond their connections: who is connected, whose wills
 * wait, which sessions have outlived their time. All state is the broker's protocol state; what happens to one client
 * happens in one order. Its methods may be called by any thread; all else runs on a thread of its own.
 */
public final class MqttSessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MqttSessions.class);

    private final Broker broker;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<String, Present> connected = new HashMap<>();
    /** When each client is looked after again. */
    private final Map<String, ScheduledFuture<?>> timers = new HashMap<>();

    /** Clients of which there may be state; none need be asked for of the others. */
    private final Set<String> kept = new HashSet<>();
    /** Clients that the broker's last run knew, until they are looked after. */
    private final Set<String> ofLastRun = new HashSet<>();
    /** When that run had ended at the latest, as far as it has said so. */
    private long overMs;

    private final Stamping stamping;
    private final CompletableFuture<StateSession> state;
    private final Steps steps;

    private MqttSessions(Broker broker) {
        this.broker = broker;
        ThreadLabels labels = ThreadLabels.ofCaller();
        thread = new ScheduledThreadPoolExecutor(1, work -> labels.daemon("turnstone-mqtt-sessions", work));
        thread.setRemoveOnCancelPolicy(true);
        CompletableFuture<StateSession> opened =
                open(Principal.BROKER, null).thenApplyAsync(made -> new StateSession(made, thread), thread);
        // No client gets its session before it is known which were left by the last run.
        state = opened.thenComposeAsync(this::lookBack, thread);
        steps = new Steps(thread, state);
        stamping = new Stamping(thread, this::shortestS, this::note);
        state.thenRunAsync(this::start, thread)
                .exceptionally(fault -> warn(null, "the sessions of the last run were not looked at", fault));
    }

    /** Those of a broker; the first call begins to look after sessions of the broker's last run. */
    public static MqttSessions of(SharedResources shared, Broker broker) {
        return shared.shared(MqttSessions.class, name -> new MqttSessions(broker));
    }

    private CompletableFuture<Connection> open(Principal principal, @Nullable String clientId) {
        Login login = new Login(null, null, clientId, "mqtt", Login.SAME_JVM);
        return broker.resume(principal, login, cause -> LOG.debug("ended: {}", cause.getMessage()))
                .toCompletableFuture();
    }

    /**
     * A client that has logged in.
     *
     * @param who its connection
     * @param clientId its client identifier
     * @param owner its user
     * @param cleanStart true if an older session is to end
     * @param expiryS for how long its session outlives the connection
     * @param will its will, or null
     */
    record Arrival(
            MqttConnection who,
            String clientId,
            String owner,
            boolean cleanStart,
            long expiryS,
            @Nullable WillRecord will) {}

    /** What was stored for a client. */
    private enum Begun {
        NOTHING,
        NEW,
        GOES_ON
    }

    /** Who has a client identifier, or is about to. */
    private record Present(MqttConnection who, String owner, Begun begun, long dueS) {}

    /**
     * Gives a client its session, durably: the older one, or, if there is none or it must not go on, a new one, which
     * has nothing but its record. Fails with FORBIDDEN if the older one belongs to another user.
     */
    CompletionStage<StoredSession> arrive(Arrival arrival) {
        CompletableFuture<StoredSession> result = new CompletableFuture<>();
        steps.run(
                () -> {
                    boolean simple = leavesNothing(arrival);
                    // Known at once, whatever it waits for: who comes next takes over from it.
                    connected.put(
                            arrival.clientId(),
                            new Present(
                                    arrival.who(),
                                    arrival.owner(),
                                    simple ? Begun.NEW : Begun.NOTHING,
                                    Long.MAX_VALUE));
                    if (simple) {
                        result.complete(StoredSession.NONE);
                    } else {
                        steps.add(
                                arrival.clientId(),
                                open -> load(open, arrival.clientId())
                                        .thenCompose(stored -> arrive(open, arrival, stored)),
                                result);
                    }
                },
                result);
        return result;
    }

    /** True if nothing is known of the client, and nothing will be. */
    private boolean leavesNothing(Arrival arrival) {
        return arrival.expiryS() == 0
                && arrival.will() == null
                && !kept.contains(arrival.clientId())
                && steps.none(arrival.clientId());
    }

    private CompletableFuture<StoredSession> arrive(StateSession open, Arrival arrival, StoredSession stored) {
        long nowMs = System.currentTimeMillis();
        SessionRecord record = stored.record();
        boolean live = record != null && !stored.over(nowMs);
        if (live && !record.owner().equals(arrival.owner())) {
            return CompletableFuture.failedFuture(anothers(arrival.clientId(), arrival.owner()));
        }
        boolean resumes = live && !arrival.cleanStart();
        connected.computeIfPresent(
                arrival.clientId(),
                (id, present) -> present.who() == arrival.who()
                        ? new Present(
                                arrival.who(),
                                arrival.owner(),
                                resumes ? Begun.GOES_ON : Begun.NEW,
                                AliveStamp.dueS(arrival.expiryS(), arrival.will()))
                        : present);
        // The older connection is gone for good: its will is due unless the client is back before the delay is over.
        boolean willDue = !resumes || stored.ended(nowMs).willDueMs(nowMs) <= nowMs;
        return (willDue ? sendWill(open, arrival.clientId(), stored, nowMs) : open.change(stored.withoutWill()))
                .thenCompose(sent -> resumes ? done() : end(open, arrival.clientId(), stored))
                .thenCompose(ended -> begin(open, arrival, resumes ? stored : StoredSession.NONE))
                .thenApply(begun -> resumes ? stored : StoredSession.NONE);
    }

    private static BrokerException anothers(String clientId, String owner) {
        return new BrokerException(
                ErrorCode.FORBIDDEN, "the session of '" + clientId + "' belongs to another user than '" + owner + "'");
    }

    private static List<StateChange> begin(Arrival arrival, StoredSession resumed) {
        SessionKeys keys = new SessionKeys(arrival.clientId());
        List<StateChange> changes = new ArrayList<>();
        if (arrival.expiryS() > 0 || resumed.record() != null) {
            changes.add(keys.session(new SessionRecord(arrival.owner(), arrival.expiryS(), 0)));
        }
        if (arrival.will() != null) {
            changes.addAll(arrival.will().put(keys));
        }
        return changes;
    }

    private CompletableFuture<Void> begin(StateSession open, Arrival arrival, StoredSession resumed) {
        List<StateChange> changes = begin(arrival, resumed);
        if (!changes.isEmpty()) {
            kept.add(arrival.clientId());
        }
        return open.change(withStamp(changes));
    }

    /** The same with the first stamp, for whom it counts. */
    private List<StateChange> withStamp(List<StateChange> changes) {
        AliveStamp stamp = stamping.first();
        if (stamp != null) {
            changes.add(stamp.put());
        }
        return changes;
    }

    /**
     * The connection is gone, and the broker knows; called once for each that has arrived.
     *
     * @param admitted false if the client was refused: neither its will stays, nor a session that was not there before
     */
    CompletionStage<Void> left(String clientId, MqttConnection who, boolean admitted) {
        return steps.add(clientId, open -> {
            Present last = connected.get(clientId);
            if (last == null || last.who() != who) {
                return done();
            }
            connected.remove(clientId);
            if (!kept.contains(clientId)) {
                return done();
            }
            if (admitted || last.begun() == Begun.NOTHING) {
                return tend(open, clientId);
            }
            return load(open, clientId)
                    .thenCompose(stored ->
                            last.begun() == Begun.NEW ? end(open, clientId, stored) : open.change(stored.withoutWill()))
                    .thenCompose(undone -> tend(open, clientId));
        });
    }

    /**
     * Ends the connection that has this client identifier, for another one has come. Completes when the identifier is
     * free; with false if no client has it; fails with FORBIDDEN if another user's client has it.
     */
    CompletionStage<Boolean> takeOver(String clientId, String owner) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        steps.run(
                () -> {
                    Present old = connected.get(clientId);
                    if (old == null) {
                        result.complete(false);
                    } else if (!old.owner().equals(owner)) {
                        result.completeExceptionally(anothers(clientId, owner));
                    } else {
                        old.who().takenOver().whenComplete((gone, fault) -> result.complete(true));
                    }
                },
                result);
        return result;
    }

    private CompletableFuture<StoredSession> load(StateSession open, String clientId) {
        return open.list(new SessionKeys(clientId).all())
                .thenApply(StoredSession::of)
                .whenComplete((stored, fault) -> {
                    if (stored != null && stored.keys().isEmpty()) {
                        kept.remove(clientId);
                    }
                })
                .thenCompose(stored -> ofLastRun.remove(clientId)
                        ? leftByLastRun(open, clientId, stored)
                        : CompletableFuture.completedFuture(stored));
    }

    /** Its connection ended with the last run, if it had not before. */
    private CompletableFuture<StoredSession> leftByLastRun(StateSession open, String clientId, StoredSession found) {
        StoredSession stored = found.ended(Math.min(System.currentTimeMillis(), overMs));
        SessionRecord record = stored.record();
        return record == null || record.equals(found.record())
                ? CompletableFuture.completedFuture(stored)
                : open.change(List.of(new SessionKeys(clientId).session(record)))
                        .thenApply(noted -> stored);
    }

    private long shortestS() {
        return connected.values().stream().mapToLong(Present::dueS).min().orElse(Long.MAX_VALUE);
    }

    private void note(AliveStamp stamp) {
        state.thenComposeAsync(open -> open.change(List.of(stamp.put())), thread)
                .exceptionally(fault -> warn(null, "that the broker runs was not noted", fault));
    }

    /** Looks after a client that is not connected: its will, its session's end, and when to look again. */
    private CompletableFuture<Void> tend(StateSession open, String clientId) {
        if (connected.containsKey(clientId)) {
            return done();
        }
        return load(open, clientId).thenCompose(stored -> tend(open, clientId, stored));
    }

    private CompletableFuture<Void> tend(StateSession open, String clientId, StoredSession found) {
        if (found.keys().isEmpty()) {
            return done();
        }
        long nowMs = System.currentTimeMillis();
        StoredSession stored = found.ended(nowMs);
        SessionRecord record = stored.record();
        List<StateChange> ended = record == null || record.equals(found.record())
                ? List.of()
                : List.of(new SessionKeys(clientId).session(record));
        boolean willDue = stored.willDueMs(nowMs) <= nowMs;
        if (!stored.over(nowMs)) {
            long willDueMs = willDue ? Long.MAX_VALUE : stored.willDueMs(nowMs);
            lookAgain(clientId, Math.min(willDueMs, stored.dueMs()), nowMs);
        }
        return open.change(ended)
                .thenCompose(noted -> willDue ? sendWill(open, clientId, stored, nowMs) : done())
                .thenCompose(sent -> stored.over(nowMs) ? end(open, clientId, stored) : done());
    }

    private void lookAgain(String clientId, long dueMs, long nowMs) {
        if (dueMs != Long.MAX_VALUE && !thread.isShutdown()) {
            ScheduledFuture<?> before = timers.put(
                    clientId, thread.schedule(() -> look(clientId), Math.max(1, dueMs - nowMs), TimeUnit.MILLISECONDS));
            if (before != null) {
                before.cancel(false);
            }
        }
    }

    private void look(String clientId) {
        timers.remove(clientId);
        steps.add(clientId, open -> tend(open, clientId))
                .exceptionally(
                        fault -> warn(clientId, "the session of '" + clientId + "' was not looked after", fault));
    }

    /** The session is over: its queue is gone, then its state. */
    private CompletableFuture<Void> end(StateSession open, String clientId, StoredSession stored) {
        return (stored.record() == null ? done() : deleteQueue(clientId))
                .thenCompose(deleted -> end(open, stored))
                .thenRun(() -> kept.remove(clientId));
    }

    private CompletableFuture<Void> deleteQueue(String clientId) {
        return open(Principal.BROKER, clientId)
                .thenComposeAsync(
                        made -> new StateSession(made, thread)
                                .deleteSubscription(Client.queueName(clientId))
                                .whenComplete((deleted, fault) -> made.close()),
                        thread)
                .exceptionally(fault -> Steps.cause(fault) instanceof BrokerException refusal
                                && refusal.code() == ErrorCode.NO_SUCH_SUBSCRIPTION
                        ? null
                        : warn(clientId, "the queue of the session of '" + clientId + "' was not deleted", fault));
    }

    /** The session is over: all its state is gone, its record last. */
    private static CompletableFuture<Void> end(StateSession open, StoredSession stored) {
        List<StateChange> changes = new ArrayList<>();
        List<StateChange> record = new ArrayList<>();
        for (String key : stored.keys()) {
            (SessionKeys.kind(key) == SessionKeys.SESSION ? record : changes).add(SessionKeys.remove(key));
        }
        changes.addAll(record);
        return open.change(changes);
    }

    /**
     * Sends a will with the permissions of its client, and forgets it in the same unit. A refusal ends it too: nobody
     * is there to be told.
     */
    private CompletableFuture<Void> sendWill(StateSession open, String clientId, StoredSession stored, long nowMs) {
        WillRecord will = stored.will();
        if (will == null) {
            return done();
        }
        return open(will.principal(), clientId)
                .thenComposeAsync(
                        made -> new StateSession(made, thread)
                                .send(Send.of(will.due(nowMs)).with(stored.withoutWill()))
                                .whenComplete((sent, fault) -> made.close()),
                        thread)
                .exceptionallyComposeAsync(
                        fault -> {
                            warn(clientId, "a will to " + will.message().address() + " was not sent", fault);
                            return open.change(stored.withoutWill());
                        },
                        thread);
    }

    private CompletableFuture<StateSession> lookBack(StateSession open) {
        return open.list(AliveStamp.QUERY)
                .thenAccept(entries -> {
                    AliveStamp last = AliveStamp.of(entries);
                    overMs = last == null ? Long.MAX_VALUE : last.overMs();
                })
                .thenCompose(read -> open.each(
                        StateQuery.of(SessionKeys.NAMESPACE, ""), entry -> kept.add(SessionKeys.clientId(entry.key()))))
                .thenApply(found -> {
                    ofLastRun.addAll(kept);
                    return open;
                });
    }

    /** What the broker's last run has left: whoever was connected then is not any more. */
    private void start() {
        List.copyOf(ofLastRun).forEach(this::look);
    }

    /** What has nothing to wait for. */
    static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    private static @Nullable Void warn(@Nullable String clientId, String what, Throwable fault) {
        if (clientId != null) {
            MDC.put("client", clientId);
        }
        if (Steps.cause(fault) instanceof BrokerException refusal) {
            LOG.warn("{}: {}", what, refusal.getMessage());
        } else {
            LOG.error("{}", what, fault);
        }
        MDC.remove("client");
        return null;
    }

    /** Looks after nothing any more; what is left is found by the broker's next run. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
