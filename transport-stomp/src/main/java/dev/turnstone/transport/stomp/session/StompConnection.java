package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.transport.stomp.codec.Frame;
import dev.turnstone.transport.stomp.codec.FrameDecoder;
import dev.turnstone.transport.stomp.codec.Header;
import dev.turnstone.transport.stomp.codec.StompException;
import dev.turnstone.transport.stomp.codec.Version;
import dev.turnstone.transport.vertx.Ending;
import dev.turnstone.transport.vertx.SessionPump;
import dev.turnstone.transport.vertx.Wire;
import dev.turnstone.transport.vertx.WireHandler;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One STOMP connection from its first byte to its end. On the connection's event loop only.
 *
 * <p>It ends in order: what earlier frames asked for is finished and confirmed, then the last frame (ERROR, or the
 * RECEIPT of DISCONNECT) is written, then the socket is closed behind it. A client that does not take part in that is
 * dropped after {@code lingerMs}.
 */
public final class StompConnection implements WireHandler, StompEnding {
    private static final Logger LOG = LoggerFactory.getLogger(StompConnection.class);

    private enum State {
        AWAITING_CONNECT,
        LOGGING_IN,
        OPEN,
        ENDING,
        GONE
    }

    private final Wire wire;
    private final Broker broker;
    private final StompSettings settings;
    private final FrameDecoder decoder;
    private final HeartBeat heartBeat;
    private final Subscriptions subscriptions = new Subscriptions();
    private final StompWriter writer;
    private State state = State.AWAITING_CONNECT;
    private @Nullable Connection connection;
    private @Nullable SessionPump pump;
    private @Nullable StompSession session;

    /** A connection whose client has said nothing yet. */
    public StompConnection(Wire wire, Broker broker, StompSettings settings) {
        this.wire = wire;
        this.broker = broker;
        this.settings = settings;
        decoder = new FrameDecoder(settings.frames());
        heartBeat = new HeartBeat(wire);
        writer = new StompWriter(wire, heartBeat, subscriptions, this);
    }

    @Override
    public void received(byte[] bytes, int from, int to) {
        heartBeat.heard();
        if (begun()) {
            return;
        }
        decoder.feed(bytes, from, to);
        readFrames();
        if (pump != null) {
            pump.post();
        }
    }

    @Override
    public void drained() {
        if (pump != null) {
            pump.pump();
        }
    }

    @Override
    public void loginTimedOut() {
        refuse("no login within " + settings.wire().loginTimeoutMs() + " ms", null, null, Ending.FORBIDDEN);
    }

    @Override
    public void stopping() {
        refuse("the broker is stopping", null, ErrorCode.STOPPED, Ending.STOPPING);
    }

    @Override
    public void closed() {
        state = State.GONE;
        release();
    }

    @Override
    public boolean begun() {
        return state == State.ENDING || state == State.GONE;
    }

    /** Carries out frames as long as there are some and the connection is in a state to take them. */
    private void readFrames() {
        try {
            while (state == State.AWAITING_CONNECT || state == State.OPEN) {
                Frame frame = decoder.next();
                if (frame == null) {
                    return;
                }
                accept(frame);
            }
        } catch (StompException e) {
            refuse(String.valueOf(e.getMessage()), e.receipt(), null, e.isTooLarge() ? Ending.TOO_LARGE : Ending.FAULT);
        }
    }

    private void accept(Frame frame) {
        try {
            if (session == null) {
                connect(frame);
            } else {
                session.accept(frame);
            }
        } catch (BrokerException e) {
            refuse(String.valueOf(e.getMessage()), frame.header(Header.RECEIPT), e.code(), ending(e.code()));
        }
    }

    private void connect(Frame frame) {
        Version version = Version.negotiate(frame.header(Header.ACCEPT_VERSION));
        if (version == null) {
            end(StompWriter::noCommonVersion, Ending.FAULT);
            return;
        }
        HeartBeat.Offer offer = HeartBeat.Offer.of(frame);
        String clientId = frame.header(Header.CLIENT_ID);
        Login login = new Login(
                frame.header(Header.LOGIN),
                frame.header(Header.PASSCODE),
                clientId,
                "stomp",
                wire.remote(),
                wire.tlsSubject());
        state = State.LOGGING_IN;
        // What the client sends behind its CONNECT waits, in its own window, for the answer.
        wire.pause();
        StompClientInfo client = new StompClientInfo(version, clientId);
        broker.connect(login, cause -> wire.execute(() -> brokerClosed(cause)))
                .whenComplete((made, fault) -> wire.execute(() -> answered(made, fault, client, offer)));
    }

    private void answered(
            @Nullable Connection made, @Nullable Throwable fault, StompClientInfo client, HeartBeat.Offer offer) {
        connection = made;
        if (state != State.LOGGING_IN || made == null) {
            release();
            if (fault != null) {
                loginFailed(fault instanceof CompletionException wrapped ? wrapped.getCause() : fault);
            }
            return;
        }
        try {
            loggedIn(made, client, offer);
        } catch (BrokerException e) {
            refuse(String.valueOf(e.getMessage()), null, e.code(), ending(e.code()));
        }
    }

    private void loginFailed(@Nullable Throwable fault) {
        if (fault instanceof BrokerException refusal) {
            refuse(String.valueOf(refusal.getMessage()), null, refusal.code(), ending(refusal.code()));
        } else {
            LOG.error("{}: login failed", wire.remote(), fault);
            refuse("the login failed for a reason that the broker's log has", null, null, Ending.FAILED);
        }
    }

    private void loggedIn(Connection made, StompClientInfo client, HeartBeat.Offer offer) {
        SessionPump opened = new SessionPump(wire, made, writer);
        pump = opened;
        wire.label(made, client.clientId());
        wire.loggedIn();
        long most = Math.max(made.limits().messageBytesMax(), made.limits().largeBytesMax());
        decoder.connected(client.version(), (int) Math.min(Integer.MAX_VALUE, most));
        writer.connected(client.version(), opened);
        session = new StompSession(opened.session(), client, settings, subscriptions, writer, this);
        state = State.OPEN;
        HeartBeat.Offer mine = new HeartBeat.Offer(settings.heartBeatMs(), settings.heartBeatMs());
        writer.connectedFrame(made.id(), mine);
        if (client.version() != Version.V1_0) {
            long expected = offer.towards(mine);
            heartBeat.sendEvery(mine.towards(offer), writer::beat);
            heartBeat.expectEvery(
                    expected,
                    () -> refuse("no heart-beat for more than twice " + expected + " ms", null, null, Ending.FAULT));
        }
        readFrames();
        opened.post();
    }

    private void brokerClosed(BrokerException cause) {
        if (state != State.GONE) {
            state = State.ENDING;
            end(last -> last.error(String.valueOf(cause.getMessage()), null, cause.code()), ending(cause.code()));
        }
    }

    @Override
    public void refuse(BrokerException cause, @Nullable String receipt) {
        if (!begun()) {
            state = State.ENDING;
            end(last -> last.error(String.valueOf(cause.getMessage()), receipt, cause.code()), ending(cause.code()));
        }
    }

    /**
     * The client is at fault, or the connection's time is over: ERROR, behind the confirmations of what came before.
     */
    private void refuse(String message, @Nullable String receipt, @Nullable ErrorCode code, Ending why) {
        if (begun()) {
            return;
        }
        LOG.debug("{}: {}", wire.remote(), message);
        Consumer<StompWriter> error = last -> last.error(message, receipt, code);
        state = State.ENDING;
        if (pump == null) {
            end(error, why);
            return;
        }
        wire.afterMs(settings.wire().lingerMs(), () -> end(error, why));
        pump.session().sync(new Last(() -> end(error, why)));
        pump.post();
    }

    @Override
    public void disconnect(@Nullable String receipt) {
        state = State.ENDING;
        Consumer<StompWriter> farewell = last -> {
            if (receipt != null) {
                last.receipt(receipt);
            }
        };
        Connection leaving = connection;
        if (pump == null || leaving == null) {
            end(farewell, Ending.DONE);
            return;
        }
        wire.afterMs(settings.wire().lingerMs(), wire::close);
        // The client may come back at once, under the same client-id and to the same durable subscription: its place
        // must be free.
        pump.session()
                .close(new Last(() ->
                        leaving.close().whenComplete((done, fault) -> wire.execute(() -> end(farewell, Ending.DONE)))));
    }

    private static Ending ending(ErrorCode code) {
        return switch (code) {
            case STOPPED, CLOSED -> Ending.STOPPING;
            case UNAUTHENTICATED, FORBIDDEN, LIMIT_EXCEEDED -> Ending.FORBIDDEN;
            case MESSAGE_TOO_LARGE -> Ending.TOO_LARGE;
            default -> Ending.FAULT;
        };
    }

    /** Writes the last frame and closes behind it. */
    private void end(Consumer<StompWriter> lastFrame, Ending why) {
        if (state == State.GONE) {
            return;
        }
        state = State.ENDING;
        lastFrame.accept(writer);
        writer.finish(why);
        release();
    }

    private void release() {
        if (pump != null) {
            pump.stop();
        }
        if (connection != null) {
            connection.close().whenComplete((done, fault) -> {
                if (fault != null) {
                    LOG.warn("{}: closing failed", wire.remote(), fault);
                }
            });
        }
    }

    /** Goes on when the last command of a session has come back, done or not. */
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
}
