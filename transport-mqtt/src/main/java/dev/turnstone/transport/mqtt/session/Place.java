package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Session;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.vertx.SessionPump;
import dev.turnstone.transport.vertx.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's place in the broker, from its login to its end: its connection to the port, taken over from an older one
 * if need be, its session and its queue. Each step waits for the one before; whoever leaves in between leaves nothing
 * behind. On the event loop only.
 */
public final class Place {
    /** The one consumer, of the session's queue. */
    static final int CONSUMER = 1;

    private static final Logger LOG = LoggerFactory.getLogger(Place.class);

    /** How often a client identifier is tried that no MQTT client has, before it counts as another's. */
    private static final int ATTEMPTS_MAX = 20;

    private static final int RETRY_MS = 25;

    /** No more changes in one command than any broker takes. */
    private static final int CHANGES_MAX = 500;

    private final Wire wire;
    private final Backing backing;
    private final MqttConnection who;
    private @Nullable Connection connection;
    private @Nullable SessionPump pump;
    private int willParts;
    /** Of a client that has its place. */
    private String clientId = "";

    private long expiryS;
    /** CONNECT has asked for a session that ends with the connection. */
    private boolean brief;

    private boolean durable;
    private boolean takingOver;
    private boolean left;

    /** What all connections of a listener share. */
    public record Backing(Broker broker, MqttSessions sessions, MqttSettings settings) {}

    Place(Wire wire, Backing backing, MqttConnection who) {
        this.wire = wire;
        this.backing = backing;
        this.who = who;
    }

    /** The pump of the session, once there is one. */
    @Nullable
    SessionPump pump() {
        return pump;
    }

    /** Takes the place; {@link MqttConnection#admitted} or a refusal follows. */
    void take(Client asked) {
        clientId = asked.clientId();
        expiryS = asked.expiryS();
        brief = Client.askedExpiryS(asked.connect()) == 0;
        attempt(asked, ATTEMPTS_MAX);
    }

    private Login login(Client asked) {
        Packet.Credentials given = asked.connect().login();
        byte[] password = given.password();
        return new Login(
                given.user(),
                password == null ? null : new String(password, StandardCharsets.UTF_8),
                asked.clientId(),
                "mqtt",
                wire.remote(),
                wire.tlsSubject());
    }

    private void attempt(Client asked, int attempts) {
        backing.broker()
                .connect(login(asked), cause -> wire.execute(() -> who.brokerClosed(cause)))
                .whenComplete((made, fault) -> wire.execute(() -> answered(asked, attempts, made, fault)));
    }

    private void answered(Client asked, int attempts, @Nullable Connection made, @Nullable Throwable fault) {
        if (left) {
            if (made != null) {
                made.close();
            }
        } else if (made != null) {
            takingOver = false;
            connection = made;
            wire.label(made, asked.clientId());
            guarded(() -> arrive(asked, made));
        } else if (attempts > 0 && cause(fault) instanceof BrokerException refusal && refusal.user() != null) {
            takeOver(asked, refusal.user(), attempts);
        } else {
            who.refuse(cause(fault));
        }
    }

    /** Another connection has the client identifier. It is ended only for its own user. */
    private void takeOver(Client asked, String user, int attempts) {
        takingOver = true;
        backing.sessions()
                .takeOver(asked.clientId(), user)
                .whenComplete((taken, fault) -> wire.execute(() -> {
                    if (left) {
                        return;
                    }
                    if (fault != null) {
                        who.refuse(cause(fault));
                    } else if (taken) {
                        attempt(asked, ATTEMPTS_MAX);
                    } else {
                        // No MQTT client has it, or one that has just come or is about to go.
                        wire.afterMs(RETRY_MS, () -> attempt(asked, attempts - 1));
                    }
                }));
    }

    /** True while another client has the client identifier and is to go. */
    boolean takingOver() {
        return takingOver;
    }

    private void arrive(Client asked, Connection made) {
        WillRecord will = will(asked, made);
        willParts =
                will == null ? 0 : will.put(new SessionKeys(asked.clientId())).size();
        backing.sessions()
                .arrive(new MqttSessions.Arrival(
                        who,
                        asked.clientId(),
                        made.principal().name(),
                        asked.connect().cleanStart(),
                        asked.expiryS(),
                        will))
                .whenComplete((stored, fault) -> wire.execute(() -> {
                    if (left) {
                        return;
                    }
                    if (stored == null) {
                        who.refuse(cause(fault));
                    } else {
                        guarded(() -> open(asked, made, stored));
                    }
                }));
    }

    private static @Nullable WillRecord will(Client asked, Connection made) {
        Packet.Will will = asked.connect().will();
        return will == null || asked.will() == null
                ? null
                : new WillRecord(
                        asked.will(), will.properties().number(Property.WILL_DELAY_INTERVAL, 0), made.principal());
    }

    private void open(Client asked, Connection made, StoredSession stored) {
        SessionPump opened = new SessionPump(wire, made, who.writer());
        pump = opened;
        boolean resumes = stored.record() != null;
        durable = resumes || asked.expiryS() > 0;
        SubscriptionQueue queue = queue(durable, expiryS);
        Admission admission = new Admission(asked, opened, stored, durable);
        if (resumes) {
            opened.session()
                    .changeQueue(
                            new QueueChange.Revise(queue),
                            new Step(() -> consume(queue, admission), cause -> begin(queue, admission, cause)));
        } else if (durable) {
            declare(queue, admission);
        } else {
            // It begins with its first filter: many clients only publish.
            who.admitted(admission);
            return;
        }
        opened.post();
    }

    /** The stored session has no queue any more, so it is none (MQTT-3.2.2-2): it begins anew. */
    private void begin(SubscriptionQueue queue, Admission admission, BrokerException cause) {
        if (cause.code() != ErrorCode.NO_SUCH_SUBSCRIPTION) {
            who.refuse(cause);
            return;
        }
        Session session = admission.pump().session();
        List<StateChange> forgotten = admission.resumed().withoutMessages();
        for (int from = 0; from < forgotten.size(); from += CHANGES_MAX) {
            List<StateChange> some = forgotten.subList(from, Math.min(from + CHANGES_MAX, forgotten.size()));
            session.changeState(some, Session.NO_TRANSACTION, Completion.onFailure(who::refuse));
        }
        declare(queue, new Admission(admission.client(), admission.pump(), StoredSession.NONE, true));
    }

    private SubscriptionQueue queue(boolean stays, long lifeS) {
        return Client.queue(clientId, stays, lifeS, backing.settings().queueMax());
    }

    private void declare(SubscriptionQueue queue, Admission admission) {
        declare(admission.pump().session(), queue, who::refuse);
        consume(queue, admission);
    }

    /** Declares the queue in place of one that is left of another session; mostly there is none. */
    static void declare(Session session, SubscriptionQueue queue, Consumer<BrokerException> refused) {
        session.deleteSubscription(queue.name(), Completion.onFailure(none -> LOG.trace("{}", none.getMessage())));
        session.changeQueue(new QueueChange.Declare(queue), Completion.onFailure(refused));
    }

    private void consume(SubscriptionQueue queue, Admission admission) {
        admission
                .pump()
                .session()
                .subscribe(consumer(queue.name()), new Step(() -> who.admitted(admission), who::refuse));
    }

    static Subscribe consumer(SubscriptionName queue) {
        return Subscribe.to(CONSUMER, Address.subscription(queue));
    }

    /** A client that has its place. Nobody keeps it. */
    record Admission(Client client, SessionPump pump, StoredSession resumed, boolean durable) {}

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (BrokerException refusal) {
            who.refuse(refusal);
        }
    }

    /**
     * For how long the session is to outlive the connection, as DISCONNECT says or CONNECT has said.
     *
     * @throws MqttException if a session that was to end with its connection is not to any more (MQTT 5 §3.14.2.2.2)
     */
    long expiryS(Properties disconnect) {
        if (!disconnect.has(Property.SESSION_EXPIRY_INTERVAL)) {
            return expiryS;
        }
        long asked = disconnect.number(Property.SESSION_EXPIRY_INTERVAL, 0);
        if (asked > 0 && brief) {
            throw MqttException.protocolError("DISCONNECT with a session expiry interval where CONNECT had none");
        }
        return Client.limited(asked, backing.settings());
    }

    /**
     * Leaves the place in order: all that was asked for is done before.
     *
     * @param withoutWill true if the will is not wanted any more
     * @param lifeS for how long the session outlives the connection
     * @param then run when {@link #leave} can follow
     */
    void depart(boolean withoutWill, long lifeS, Runnable then) {
        Connection leaving = connection;
        SessionPump opened = pump;
        if (leaving == null || opened == null) {
            then.run();
            return;
        }
        SessionKeys keys = new SessionKeys(clientId);
        List<StateChange> changes = new ArrayList<>();
        if (withoutWill) {
            for (int part = willParts - 1; part >= 0; part--) {
                changes.add(keys.willEnds(part));
            }
        }
        Session session = opened.session();
        who.writer().write();
        Completion silent = Completion.onFailure(cause -> LOG.warn("{}: {}", wire.remote(), cause.getMessage()));
        if (durable && lifeS != expiryS) {
            changes.add(keys.session(new SessionRecord(leaving.principal().name(), lifeS, 0)));
            session.changeQueue(new QueueChange.Revise(queue(true, lifeS)), silent);
        }
        if (!changes.isEmpty()) {
            session.changeState(changes, Session.NO_TRANSACTION, silent);
        }
        session.close(new Step(then, cause -> then.run()));
        opened.post();
    }

    /**
     * Leaves the place at once: what is unsettled returns to the queue. Completes when the client identifier is free
     * and the session knows.
     *
     * @param admitted false if the client was refused: it leaves nothing that was not there before
     */
    CompletionStage<Void> leave(boolean admitted) {
        left = true;
        SessionPump opened = pump;
        if (opened != null) {
            opened.stop();
            opened.session().flush();
        }
        Connection leaving = connection;
        if (leaving == null) {
            return MqttSessions.done();
        }
        return leaving.close().thenCompose(gone -> backing.sessions().left(clientId, who, admitted));
    }

    static Throwable cause(@Nullable Throwable fault) {
        if (fault == null) {
            return new IllegalStateException("neither an answer nor a fault");
        }
        return fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
    }

    private record Step(Runnable then, Consumer<BrokerException> otherwise) implements Completion {
        @Override
        public void done() {
            then.run();
        }

        @Override
        public void failed(BrokerException cause) {
            otherwise.accept(cause);
        }
    }
}
