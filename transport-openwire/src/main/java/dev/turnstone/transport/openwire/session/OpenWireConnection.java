package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.transport.openwire.codec.FrameReader;
import dev.turnstone.transport.openwire.codec.OpenWireException;
import dev.turnstone.transport.openwire.codec.WireCodec;
import dev.turnstone.transport.vertx.SessionPump;
import dev.turnstone.transport.vertx.Wire;
import dev.turnstone.transport.vertx.WireHandler;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConnectionControl;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.command.FlushCommand;
import org.apache.activemq.command.KeepAliveInfo;
import org.apache.activemq.command.RemoveInfo;
import org.apache.activemq.command.ShutdownInfo;
import org.apache.activemq.command.WireFormatInfo;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One OpenWire connection from its first byte to its end. On the connection's event loop only, but for {@link #evict}.
 *
 * <p>It ends in order: what earlier commands asked for is finished and answered, then the socket is closed. A client
 * that does not take part in that is dropped after {@code lingerMs}.
 */
public final class OpenWireConnection implements WireHandler {
    private static final Logger LOG = LoggerFactory.getLogger(OpenWireConnection.class);

    private enum State {
        AWAITING_HELLO,
        AWAITING_LOGIN,
        LOGGING_IN,
        OPEN,
        LEFT,
        ENDING,
        GONE
    }

    private final Wire wire;
    private final OpenWireSettings settings;
    private final FrameReader frames;
    private final WireCodec codec;
    private final Outgoing outgoing;
    private final Answers answers;
    private final KeepAlive keepAlive;
    private final LoginDesk desk;
    private State state = State.AWAITING_HELLO;
    private @Nullable Connection connection;
    private @Nullable SessionPump pump;
    private @Nullable Commands commands;

    /**
     * A connection whose client has said nothing yet.
     *
     * @param identity the broker's identity
     */
    public OpenWireConnection(Wire wire, OpenWireBroker broker, String identity, OpenWireSettings settings) {
        this.wire = wire;
        this.settings = settings;
        frames = new FrameReader(settings.loginFrameBytesMax());
        codec = new WireCodec(settings.frameBytesMax(), settings.inactivityMs());
        desk = new LoginDesk(this, wire, broker, identity, settings);
        outgoing = new Outgoing(wire, codec, desk.consumers(), desk.writer(), broker.firstSequence(), this::refuse);
        answers = new Answers(outgoing, wire.remote());
        keepAlive = new KeepAlive(wire, outgoing);
        // Both sides say hello at once, and neither needs to have heard the other.
        outgoing.send(codec.hello());
        outgoing.write();
    }

    @Override
    public void received(byte[] bytes, int from, int to) {
        keepAlive.heard();
        if (state == State.LEFT) {
            // What follows the goodbye is the client's last word.
            end();
        }
        if (begun()) {
            return;
        }
        frames.feed(bytes, from, to);
        readFrames();
        post();
    }

    private void post() {
        if (pump != null) {
            pump.post();
        } else {
            outgoing.write();
        }
    }

    @Override
    public void drained() {
        if (commands != null) {
            commands.drained();
        }
        if (pump != null) {
            pump.pump();
        }
    }

    @Override
    public void loginTimedOut() {
        refuse("no login within " + settings.wire().loginTimeoutMs() + " ms");
    }

    @Override
    public void stopping() {
        refuse("the broker is stopping");
    }

    @Override
    public void closed() {
        state = State.GONE;
        release();
    }

    private boolean begun() {
        return state == State.ENDING || state == State.GONE;
    }

    /** Carries out commands as long as there are some and the connection is in a state to take them. */
    private void readFrames() {
        try {
            while (state != State.LOGGING_IN && !begun()) {
                ByteSequence frame = frames.next();
                if (frame == null) {
                    return;
                }
                accept(codec.decode(frame));
            }
        } catch (OpenWireException e) {
            refuse(String.valueOf(e.getMessage()));
        }
    }

    private void accept(Command command) {
        try {
            if (command instanceof KeepAliveInfo info) {
                keepAlive.asked(info);
            } else if (command instanceof ShutdownInfo) {
                answers.done(command);
                end();
            } else if (state == State.AWAITING_HELLO) {
                hello(command);
            } else if (command instanceof ConnectionControl) {
                // A client that comes back says so before its login.
                answers.done(command);
            } else if (commands == null) {
                login(command);
            } else {
                accept(command, commands);
            }
        } catch (BrokerException e) {
            answers.refused(command, e);
        }
    }

    private void hello(Command command) {
        if (!(command instanceof WireFormatInfo info)) {
            throw new OpenWireException(
                    "the first command is " + command.getClass().getSimpleName() + ", not a hello");
        }
        long inactivityMs = codec.agree(info);
        desk.writer().version(codec.version());
        state = State.AWAITING_LOGIN;
        keepAlive.start(
                inactivityMs,
                codec.startMs(info),
                () -> refuse("nothing was heard for more than twice " + inactivityMs + " ms"));
    }

    private void login(Command command) {
        if (!(command instanceof ConnectionInfo info)) {
            BrokerException cause = new BrokerException(
                    ErrorCode.UNAUTHENTICATED,
                    "the client has not logged in, and sends "
                            + command.getClass().getSimpleName());
            answers.refused(command, cause);
            refuse(String.valueOf(cause.getMessage()));
            return;
        }
        state = State.LOGGING_IN;
        // What the client sends behind its login waits, in its own window, for the answer.
        wire.pause();
        desk.login(info);
    }

    private void accept(Command command, Commands open) {
        if (command instanceof ConnectionInfo) {
            throw new BrokerException(ErrorCode.UNSUPPORTED, "the client has logged in already");
        } else if (Commands.isGoodbye(command)) {
            leave((RemoveInfo) command, open);
        } else if (command instanceof FlushCommand) {
            answers.done(command);
        } else {
            open.accept(command);
        }
    }

    /** The login has succeeded, for a connection that may be gone meanwhile. */
    void loggedIn(ConnectionInfo info, Connection made, Client client) {
        connection = made;
        if (state != State.LOGGING_IN) {
            release();
            return;
        }
        try {
            SessionPump opened = new SessionPump(wire, made, outgoing);
            pump = opened;
            wire.label(made, client.clientId());
            wire.loggedIn();
            frames.frameBytesMax(settings.frameBytesMax());
            commands = desk.open(new Commands.Parts(wire, opened, client, desk.consumers(), outgoing, answers));
            state = State.OPEN;
            answers.done(info);
            outgoing.send(desk.brokerInfo());
            readFrames();
            opened.post();
        } catch (BrokerException e) {
            loginRefused(info, e);
        }
    }

    /** The login was refused: the client hears why, and the connection ends. */
    void loginRefused(ConnectionInfo info, BrokerException cause) {
        if (!begun() && cause.code() == ErrorCode.CLIENT_ID_IN_USE) {
            // It may try another one, until its time to log in is over (Jakarta Messaging 3.1 §6.1.2).
            answers.refused(info, cause);
            state = State.AWAITING_LOGIN;
            wire.resume();
            readFrames();
            post();
        } else if (!begun()) {
            answers.refused(info, cause);
            refuse("login refused: " + cause.getMessage());
        }
    }

    /** The client says goodbye. It may come back at once, under the same identifier: its place must be free. */
    private void leave(RemoveInfo info, Commands open) {
        Connection leaving = connection;
        SessionPump last = pump;
        if (leaving == null || last == null) {
            end();
            return;
        }
        open.leave(info);
        state = State.ENDING;
        wire.afterMs(settings.wire().lingerMs(), wire::close);
        Runnable closed = () -> leaving.close()
                .whenComplete((done, fault) -> wire.execute(() -> {
                    answers.done(info);
                    outgoing.write();
                    if (state == State.ENDING) {
                        state = State.LEFT;
                    }
                }));
        last.session().close(new Last(closed));
    }

    /** Whether the client is the one that logs in there. Any thread. */
    boolean hasLoggedInAs(Login other) {
        return desk.isSameClient(other);
    }

    /** Whom its client acts for, or null if that is not known yet. Any thread. */
    @Nullable
    String user() {
        return desk.user();
    }

    /** The broker has ended the connection. */
    void brokerClosed(BrokerException cause) {
        if (state != State.GONE) {
            state = State.ENDING;
            answers.error(Errors.of(cause));
            end();
        }
    }

    /** Ends the connection, as its client has come back with another one. Any thread. Completes when it has ended. */
    CompletableFuture<Void> evict() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        wire.execute(() -> {
            LOG.debug("{}: the client has come back over another connection", wire.remote());
            Connection old = connection;
            state = begun() ? state : State.ENDING;
            wire.close();
            release();
            if (old == null) {
                ended.complete(null);
            } else {
                old.close().whenComplete((done, fault) -> ended.complete(null));
            }
        });
        return ended;
    }

    /** The client is at fault, or the connection's time is over: the end, behind the answers to what came before. */
    void refuse(String reason) {
        if (begun()) {
            return;
        }
        LOG.info("{}: connection ended: {}", wire.remote(), reason);
        boolean left = state == State.LEFT;
        state = State.ENDING;
        if (pump == null || left) {
            end();
            return;
        }
        wire.afterMs(settings.wire().lingerMs(), this::end);
        pump.session().sync(new Last(this::end));
        pump.post();
    }

    /** Writes what is left and closes behind it. */
    private void end() {
        if (state != State.GONE) {
            state = State.ENDING;
            outgoing.finish();
            release();
        }
    }

    private void release() {
        if (pump != null) {
            pump.stop();
        }
        if (commands != null) {
            commands.close();
        }
        Connection ended = connection;
        if (ended != null) {
            ended.close().whenComplete((done, fault) -> {
                // Until now a client that comes back finds that it was here.
                desk.left();
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
