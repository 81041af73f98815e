package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.PacketDecoder;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.mqtt.codec.Version;
import dev.turnstone.transport.vertx.Ending;
import dev.turnstone.transport.vertx.SessionPump;
import dev.turnstone.transport.vertx.Wire;
import dev.turnstone.transport.vertx.WireHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One MQTT connection from its first byte to its end. On the connection's event loop only, but for {@link #takenOver}.
 *
 * <p>A client that says DISCONNECT leaves when all that it had asked for is done. Any other end is at once: a last
 * packet with the reason, behind the answers to what came before if the client is at fault; else what is not confirmed
 * may or may not have happened.
 */
public final class MqttConnection implements WireHandler, MqttEnding {
    private static final Logger LOG = LoggerFactory.getLogger(MqttConnection.class);

    private enum State {
        AWAITING_CONNECT,
        LOGGING_IN,
        OPEN,
        /** The client is at fault: what it has asked for before is done and answered. */
        FAILING,
        /** The client has said DISCONNECT. */
        DEPARTING,
        ENDED
    }

    private final Wire wire;
    private final MqttSettings settings;
    private final PacketDecoder decoder;
    private final MqttWriter writer;
    private final Place place;
    private State state = State.AWAITING_CONNECT;
    private @Nullable MqttSession session;
    private @Nullable KeepAlive keepAlive;
    /** Done when the client identifier is free; null before the end. */
    private @Nullable CompletionStage<Void> leaving;

    /** A connection whose client has said nothing yet. */
    public MqttConnection(Wire wire, Place.Backing backing) {
        this.wire = wire;
        this.settings = backing.settings();
        decoder = new PacketDecoder(settings.packetBytesMax(), settings.connectBytesMax());
        writer = new MqttWriter(wire, this);
        place = new Place(wire, backing, this);
    }

    @Override
    public void received(byte[] bytes, int from, int to) {
        if (begun()) {
            return;
        }
        decoder.feed(bytes, from, to);
        readPackets();
        SessionPump pump = place.pump();
        if (pump != null) {
            pump.post();
        }
    }

    @Override
    public void drained() {
        SessionPump pump = place.pump();
        if (pump != null) {
            pump.pump();
        }
    }

    @Override
    public void loginTimedOut() {
        refuse(
                place.takingOver() ? ReasonCode.SERVER_BUSY : ReasonCode.UNSPECIFIED_ERROR,
                "no login within " + settings.wire().loginTimeoutMs() + " ms");
    }

    @Override
    public void stopping() {
        refuse(ReasonCode.SERVER_SHUTTING_DOWN, "the broker is stopping");
    }

    @Override
    public void closed() {
        if (state == State.DEPARTING) {
            // What is still to be done for the client comes out of the port whether there is a socket or not; a pump
            // that has found the socket full for the last time has to be told.
            drained();
            return;
        }
        state = State.ENDED;
        leave();
    }

    @Override
    public boolean begun() {
        return state == State.FAILING || state == State.DEPARTING || state == State.ENDED;
    }

    @Override
    public boolean answers() {
        return state != State.DEPARTING && state != State.ENDED;
    }

    /** Carries out packets as long as there are some and the connection is in a state to take them. */
    private void readPackets() {
        try {
            while (state == State.AWAITING_CONNECT || state == State.OPEN) {
                Packet packet = decoder.next();
                if (packet == null) {
                    return;
                }
                if (keepAlive != null) {
                    keepAlive.heard();
                }
                accept(packet);
            }
        } catch (MqttException e) {
            fault(() -> refuse(e.reason(), String.valueOf(e.getMessage())));
        } catch (BrokerException e) {
            fault(() -> refuse(e));
        }
    }

    /** The client is at fault: the end comes behind the answers to what came before. */
    private void fault(Runnable end) {
        SessionPump pump = place.pump();
        if (session == null || pump == null) {
            end.run();
            return;
        }
        state = State.FAILING;
        wire.afterMs(settings.wire().lingerMs(), end);
        pump.session().sync(new Last(end));
    }

    private void accept(Packet packet) {
        if (packet instanceof Packet.Connect connect) {
            connect(connect);
        } else if (packet instanceof Packet.Disconnect disconnect) {
            disconnect(disconnect);
        } else if (session != null) {
            session.accept(packet);
        }
    }

    private void connect(Packet.Connect connect) {
        long packetBytesMax = connect.properties().number(Property.MAXIMUM_PACKET_SIZE, Long.MAX_VALUE);
        writer.speak(connect.version(), packetBytesMax);
        state = State.LOGGING_IN;
        Client client = Client.of(connect, settings);
        // What the client sends behind its CONNECT waits, in its own window, for the answer.
        wire.pause();
        place.take(client);
    }

    /** The client has its place. */
    void admitted(Place.Admission admission) {
        if (begun()) {
            return;
        }
        MqttSession opened = new MqttSession(admission, settings, writer);
        if (!opened.welcome(admission)) {
            refuse(ReasonCode.PACKET_TOO_LARGE, "the client takes no CONNACK that has the broker's terms");
            return;
        }
        state = State.OPEN;
        wire.loggedIn();
        session = opened;
        opened.begin(admission);
        keepAlive = KeepAlive.of(wire, admission.client().keepAliveS(), this);
        readPackets();
        admission.pump().post();
    }

    private void disconnect(Packet.Disconnect disconnect) {
        long expiryS = place.expiryS(disconnect.properties());
        state = State.DEPARTING;
        place.depart(disconnect.reason() == ReasonCode.SUCCESS, expiryS, () -> {
            if (state == State.DEPARTING) {
                state = State.ENDED;
                wire.finish(writer.take(), Ending.DONE);
                leave();
            }
        });
    }

    /** The broker has ended the connection. */
    void brokerClosed(BrokerException cause) {
        refuse(Reasons.ofEnd(cause), String.valueOf(cause.getMessage()));
    }

    /** The place was refused, or could not be taken. */
    void refuse(Throwable fault) {
        if (fault instanceof BrokerException refusal) {
            ReasonCode reason = session == null ? Reasons.ofConnect(refusal.code()) : Reasons.ofEnd(refusal);
            refuse(reason, String.valueOf(refusal.getMessage()));
        } else {
            LOG.error("{}: the login failed", wire.remote(), fault);
            refuse(ReasonCode.UNSPECIFIED_ERROR, "the login failed for a reason that the broker's log has");
        }
    }

    @Override
    public void refuse(ReasonCode reason, String why) {
        if (state == State.ENDED) {
            return;
        }
        LOG.debug("{}: {}", wire.remote(), why);
        if (session != null) {
            writer.disconnect(reason, why);
        } else if (answersConnect(reason)) {
            if (state == State.AWAITING_CONNECT && decoder.version() != null) {
                writer.speak(decoder.version(), Long.MAX_VALUE);
            }
            writer.connack(false, Reasons.inConnack(reason), new Properties().set(Property.REASON_STRING, why));
        }
        state = State.ENDED;
        wire.finish(writer.take(), Reasons.ending(reason));
        leave();
    }

    /** MQTT 3.1.1 has no word for a CONNECT that is not one (§3.1.4), nobody has one before it has come. */
    private boolean answersConnect(ReasonCode reason) {
        return switch (reason) {
            case UNSUPPORTED_PROTOCOL_VERSION -> true;
            case MALFORMED_PACKET, PROTOCOL_ERROR, PACKET_TOO_LARGE -> decoder.version() == Version.V5;
            default -> decoder.version() != null;
        };
    }

    /**
     * Ends the connection, for another one of the same client has come. Any thread.
     *
     * @return completes when the client identifier is free and the session can go on elsewhere
     */
    CompletionStage<Void> takenOver() {
        CompletableFuture<Void> free = new CompletableFuture<>();
        wire.execute(() -> {
            try {
                refuse(ReasonCode.SESSION_TAKEN_OVER, "another connection has the client identifier now");
            } finally {
                // Whatever became of the last word: the other one waits for this.
                leave().thenRun(() -> free.complete(null));
            }
        });
        return free;
    }

    /** What goes to the client. */
    MqttWriter writer() {
        return writer;
    }

    /** Goes on when all before it has come back, done or not. */
    private record Last(Runnable then) implements Completion {
        @Override
        public void done() {
            then.run();
        }

        @Override
        public void failed(BrokerException cause) {
            then.run();
        }
    }

    private CompletionStage<Void> leave() {
        CompletionStage<Void> begun = leaving;
        if (begun == null) {
            begun = place.leave(session != null).exceptionally(this::notNoted);
            leaving = begun;
        }
        return begun;
    }

    private @Nullable Void notNoted(Throwable fault) {
        if (!(Place.cause(fault) instanceof BrokerException stopped && stopped.code() == ErrorCode.STOPPED)) {
            LOG.warn("{}: the end was not taken note of", wire.remote(), fault);
        }
        return null;
    }
}
