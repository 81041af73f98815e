package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.PacketType;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is on its way to the client, up to its last answer. A message's packet identifier follows from its position, so
 * that after a crash it is sent again under the same one; only where that one is taken it is another one, which is
 * stored before the PUBLISH leaves. PUBREC settles the message and stores that PUBREL is owed, in one unit, before
 * PUBREL leaves. An identifier is free again when the record that ends its use is durable, and then the broker may
 * deliver one more message: so no more are out than the client's Receive Maximum. On the event loop only.
 */
final class Outbound {
    /** So many pairs are forgotten at a time. */
    private static final int FORGOTTEN_MAX = 100;

    private final Session session;
    private final SessionKeys keys;
    private final MqttWriter writer;
    private final PacketIds<InFlight> ids = new PacketIds<>();
    /**
     * Identifiers of messages that were sent before, where their position does not say them; null if there are none.
     */
    private @Nullable TreeMap<Long, Integer> pairs;
    /** Messages that wait, in order, for the first one's identifier to be durable; null if none do. */
    private @Nullable Deque<Outgoing> held;

    private boolean durable;
    private long releases;
    /** How many more are out than may be. */
    private int surplus;
    /** A run of deliveries at QoS 0 that are not settled yet. */
    private int unsettled;

    private long lastUnsettled;
    /** Messages at QoS 0 that wait for what settles them to be durable. */
    private int settling;

    private enum Stage {
        /** PUBLISH is out, or will be. */
        SENT,
        /** PUBACK or PUBREC has come, and is not durable yet. */
        SETTLING,
        /** PUBREL is out. */
        RELEASED,
        /** PUBCOMP has come, and is not durable yet. */
        ENDING
    }

    /** A packet identifier in use. */
    private static final class InFlight {
        private final int packetId;
        private final long number;
        private final long position;
        private final boolean exactlyOnce;
        private boolean paired;
        private Stage stage = Stage.SENT;

        InFlight(int packetId, long number, long position, boolean exactlyOnce) {
            this.packetId = packetId;
            this.number = number;
            this.position = position;
            this.exactlyOnce = exactlyOnce;
        }
    }

    Outbound(Session session, SessionKeys keys, MqttWriter writer) {
        this.session = session;
        this.keys = keys;
        this.writer = writer;
    }

    /** The session outlives its connection. */
    void keep() {
        durable = true;
    }

    /** A pair of an earlier connection. */
    void loadPair(long position, int packetId) {
        TreeMap<Long, Integer> all = pairs == null ? new TreeMap<>() : pairs;
        pairs = all;
        all.put(position, packetId);
    }

    /** A PUBREL that an earlier connection owes; called in the order in which they are sent. */
    void loadRelease(int packetId, long order) {
        InFlight owed = new InFlight(packetId, 0, 0, true);
        owed.stage = Stage.RELEASED;
        ids.put(packetId, owed);
        releases = Math.max(releases, order);
        writer.ack(PacketType.PUBREL, packetId, ReasonCode.SUCCESS);
    }

    /** From now on so many messages may be out, those among them whose PUBREL is owed. */
    void open(int window) {
        surplus = Math.max(0, ids.size() - window);
        session.credit(Place.CONSUMER, Math.max(0, window - ids.size()));
    }

    /** A message at QoS 1 or 2. */
    void send(Outgoing outgoing) {
        if (held == null) {
            start(outgoing);
        } else {
            held.add(outgoing);
        }
    }

    private void start(Outgoing outgoing) {
        long position = outgoing.delivery().position();
        forgetBefore(position);
        Integer known = pairs == null ? null : pairs.remove(position);
        int packetId = known != null ? known : free(position);
        if (packetId == 0) {
            writer.refuse(ReasonCode.QUOTA_EXCEEDED, "all packet identifiers are in use");
            return;
        }
        InFlight message = new InFlight(packetId, outgoing.delivery().number(), position, outgoing.qos() == 2);
        ids.put(packetId, message);
        message.paired = known != null;
        if (known != null || !durable || packetId == first(position)) {
            publish(outgoing, message);
            return;
        }
        message.paired = true;
        held = new ArrayDeque<>(1);
        held.add(outgoing);
        session.changeState(
                List.of(keys.pair(position, packetId)), Session.NO_TRANSACTION, new Done(() -> paired(message)));
    }

    /** The identifier of the first that is held is durable. */
    private void paired(InFlight first) {
        Deque<Outgoing> waiting = held;
        held = null;
        if (waiting != null) {
            publish(waiting.remove(), first);
            waiting.forEach(this::send);
        }
    }

    private void publish(Outgoing outgoing, InFlight message) {
        boolean duplicate = outgoing.delivery().redelivered();
        if (!writer.publish(outgoing, message.packetId, duplicate)) {
            // Larger than the client takes: as if it had been sent and answered (MQTT 5 §3.1.2.11.4).
            settle(message);
        }
    }

    /** What was sent before comes again in order: messages at lower positions are gone, and need no pairs. */
    private void forgetBefore(long position) {
        TreeMap<Long, Integer> known = pairs;
        if (known == null || known.isEmpty() || known.firstKey() >= position) {
            return;
        }
        List<StateChange> changes = new ArrayList<>();
        while (!known.isEmpty() && known.firstKey() < position && changes.size() < FORGOTTEN_MAX) {
            changes.add(keys.pairEnds(known.pollFirstEntry().getKey()));
        }
        session.changeState(changes, Session.NO_TRANSACTION, new Done(null));
    }

    private static int first(long position) {
        return (int) (position % PacketIds.MAX) + 1;
    }

    /** 0 if there is none. */
    private int free(long position) {
        int packetId = first(position);
        for (int left = PacketIds.MAX; left > 0; left--) {
            if (ids.get(packetId) == null && (pairs == null || !pairs.containsValue(packetId))) {
                return packetId;
            }
            packetId = packetId == PacketIds.MAX ? 1 : packetId + 1;
        }
        return 0;
    }

    /** PUBACK. */
    void acknowledged(int packetId) {
        InFlight message = ids.get(packetId);
        if (message == null) {
            return;
        }
        expect(!message.exactlyOnce, "PUBACK", packetId);
        if (message.stage == Stage.SENT) {
            settle(message);
        }
    }

    /** PUBREC. */
    void received(int packetId, ReasonCode reason) {
        InFlight message = ids.get(packetId);
        if (message == null || message.stage == Stage.ENDING) {
            writer.ack(PacketType.PUBREL, packetId, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
            return;
        }
        expect(message.exactlyOnce, "PUBREC", packetId);
        if (message.stage == Stage.RELEASED) {
            writer.ack(PacketType.PUBREL, packetId, ReasonCode.SUCCESS);
        } else if (message.stage == Stage.SENT && reason.isError()) {
            settle(message);
        } else if (message.stage == Stage.SENT) {
            release(message);
        }
    }

    private static void expect(boolean fits, String packet, int packetId) {
        if (!fits) {
            throw MqttException.protocolError(packet + " for the message " + packetId + ", which has another QoS");
        }
    }

    /** The message is settled, and PUBREL is owed from the same moment on. */
    private void release(InFlight message) {
        message.stage = Stage.SETTLING;
        List<StateChange> changes = new ArrayList<>(2);
        if (durable) {
            changes.add(keys.released(message.packetId, ++releases));
            if (message.paired) {
                changes.add(keys.pairEnds(message.position));
            }
        }
        session.settle(settled(message, changes), new Done(() -> {
            message.stage = Stage.RELEASED;
            writer.ack(PacketType.PUBREL, message.packetId, ReasonCode.SUCCESS);
        }));
    }

    /** The message is settled, and its identifier will be free. */
    private void settle(InFlight message) {
        message.stage = Stage.SETTLING;
        List<StateChange> changes = message.paired ? List.of(keys.pairEnds(message.position)) : List.of();
        session.settle(settled(message, changes), new Done(() -> free(message)));
    }

    private Settle settled(InFlight message, List<StateChange> changes) {
        return new Settle(Place.CONSUMER, message.number, message.number, Outcome.ACCEPTED, Session.NO_TRANSACTION)
                .with(changes);
    }

    /** PUBCOMP. */
    void completed(int packetId) {
        InFlight message = ids.get(packetId);
        if (message == null || message.stage != Stage.RELEASED) {
            return;
        }
        message.stage = Stage.ENDING;
        if (durable) {
            session.changeState(
                    List.of(keys.releasedEnds(packetId)), Session.NO_TRANSACTION, new Done(() -> free(message)));
        } else {
            free(message);
        }
    }

    private void free(InFlight message) {
        ids.remove(message.packetId, message);
        more();
    }

    /** The client can have one more, unless it is about to go. */
    private void more() {
        if (surplus > 0) {
            surplus--;
        } else if (!writer.ended()) {
            session.credit(Place.CONSUMER, 1);
        }
    }

    /**
     * A message at QoS 0: settled before it is written, so that it comes at most once. If a restart could bring it
     * again, what settles it is made durable first, and no other overtakes it meanwhile (MQTT-4.6.0-6).
     */
    void atMostOnce(Outgoing outgoing) {
        long number = outgoing.delivery().number();
        if (durable && (settling > 0 || outgoing.delivery().message().persistent())) {
            settling++;
            Settle settle = new Settle(Place.CONSUMER, number, number, Outcome.ACCEPTED, Session.NO_TRANSACTION);
            session.settle(settle, new Done(() -> {
                settling--;
                writer.publish(outgoing, 0, false);
                more();
            }));
            return;
        }
        if (unsettled > 0 && lastUnsettled + 1 != number) {
            flush();
        }
        lastUnsettled = number;
        unsettled++;
        writer.publish(outgoing, 0, false);
    }

    /** Settles what was written at QoS 0 and not settled yet. */
    void flush() {
        if (unsettled > 0) {
            long first = lastUnsettled - unsettled + 1;
            session.settle(
                    new Settle(Place.CONSUMER, first, lastUnsettled, Outcome.ACCEPTED, Session.NO_TRANSACTION),
                    new Done(null));
            session.credit(Place.CONSUMER, unsettled);
            unsettled = 0;
        }
    }

    /** Goes on when a record is durable. What the broker refuses here ends the connection: nothing is known then. */
    private final class Done implements Completion {
        private final @Nullable Runnable then;

        Done(@Nullable Runnable then) {
            this.then = then;
        }

        @Override
        public void done() {
            if (then != null) {
                then.run();
            }
        }

        @Override
        public boolean wantsDone() {
            return then != null;
        }

        @Override
        public void failed(BrokerException cause) {
            writer.refuse(Reasons.ofEnd(cause), String.valueOf(cause.getMessage()));
        }
    }
}
