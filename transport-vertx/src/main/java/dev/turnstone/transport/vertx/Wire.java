package dev.turnstone.transport.vertx;

import dev.turnstone.port.Connection;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection as its protocol sees it. Used on the connection's event loop only, but for {@link #execute} and
 * {@link #remote}. A connection ends by {@link #finish}, {@link #close} or the peer; after that writes are dropped and
 * timers are gone.
 */
public final class Wire {
    private static final Logger LOG = LoggerFactory.getLogger(Wire.class);

    private final WireEnd end = new WireEnd(this);
    private final WireSettings settings;
    private final @Nullable WebSocketCodec web;
    private final String remote;
    /** Null before the login, as is the client identifier if there is none. */
    private @Nullable Connection connection;

    private @Nullable String clientId;
    private List<Future<?>> timers = List.of();

    private @Nullable WireHandler handler;
    private @Nullable Future<?> loginTimer;
    private boolean paused;
    private boolean finished;
    private boolean gone;

    /**
     * A connection over TCP or TLS, or with a codec over WebSocket.
     *
     * @param peer the client, which a proxy may have announced
     */
    Wire(SocketAddress peer, WireSettings settings, @Nullable WebSocketCodec web) {
        this.settings = settings;
        this.web = web;
        this.remote = PeerAddress.text(peer);
    }

    /** The largest body that a client gets in one piece though it is stored apart. */
    int wholeBytesMax() {
        return settings.wholeBytesMax();
    }

    /** Takes the connection over from Vert.x and hands it to its protocol. */
    void open(NetSocketInternal socket, Protocol protocol) {
        end.takeOver(socket, settings.writeQueue());
        WireHandler accepted = protocol.accept(this);
        handler = accepted;
        if (web != null) {
            web.whenBroken(() -> guarded(this::broken));
        }
        loginTimer = later(settings.loginTimeoutMs(), () -> guarded(accepted::loginTimedOut));
    }

    private EventExecutor loop() {
        return end.context().executor();
    }

    private Future<?> later(long delayMs, Runnable task) {
        return loop().schedule(task, delayMs, TimeUnit.MILLISECONDS);
    }

    /** The peer's address and port. Any thread. */
    public String remote() {
        return remote;
    }

    /** The subject of the client certificate that TLS has verified (RFC 2253), or null if there is none. */
    public @Nullable String tlsSubject() {
        SslHandler tls = tls();
        if (tls == null) {
            return null;
        }
        try {
            return tls.engine().getSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            LOG.debug("{}: no client certificate", remote, e);
            return null;
        }
    }

    private @Nullable SslHandler tls() {
        return pipeline().get(SslHandler.class);
    }

    ChannelPipeline pipeline() {
        return end.context().pipeline();
    }

    /** Runs a task on the connection's event loop, later, in the order of the calls. Any thread. */
    public void execute(Runnable task) {
        loop().execute(() -> guarded(task));
    }

    /** From now on lines of the log say whose connection this is, and which of the broker's. */
    public void label(Connection made, @Nullable String client) {
        connection = made;
        clientId = client;
        LogLabels.put(remote, made, client);
    }

    /** Ends the wait for the login. */
    public void loggedIn() {
        if (web != null) {
            web.loggedIn();
        }
        endLoginTimer();
    }

    private void endLoginTimer() {
        if (loginTimer != null) {
            loginTimer.cancel(false);
            loginTimer = null;
        }
    }

    /** Runs a task again and again until the connection ends. */
    public void everyMs(long periodMs, Runnable task) {
        if (!gone && !finished) {
            Runnable each = () -> guarded(task);
            keep(loop().scheduleAtFixedRate(each, periodMs, periodMs, TimeUnit.MILLISECONDS));
        }
    }

    /** Runs a task once, unless the connection ends before, or what is returned is run. */
    public Runnable afterMs(long delayMs, Runnable task) {
        if (gone || finished) {
            return () -> {};
        }
        Future<?> made = later(delayMs, () -> guarded(task));
        keep(made);
        return () -> made.cancel(false);
    }

    /** A timer that ends with the connection; others that have ended by now are forgotten. */
    private void keep(Future<?> timer) {
        if (timers.isEmpty()) {
            timers = List.of(timer);
            return;
        }
        List<Future<?>> others = timers.size() > 1 ? timers : new ArrayList<>(timers);
        others.removeIf(Future::isDone);
        others.add(timer);
        timers = others;
    }

    /**
     * Writes the bytes between position and limit, which the caller does not change again.
     *
     * @param taken run when the operating system has taken them; may be at once; never if the connection ends before
     */
    public void write(ByteBuffer bytes, @Nullable Runnable taken) {
        if (gone || finished) {
            return;
        }
        ChannelFuture written = end.write(bytes);
        if (taken != null) {
            onSuccess(written, () -> guarded(taken));
        }
    }

    private static void onSuccess(ChannelFuture written, Runnable then) {
        written.addListener(done -> {
            if (done.isSuccess()) {
                then.run();
            }
        });
    }

    /**
     * True if each {@link #write} becomes a message of its own, which should then hold one whole frame of the protocol:
     * peers of WebSocket, browsers above all, may take a message for a frame.
     */
    public boolean hasMessages() {
        return web != null;
    }

    /** True while more waits for the socket than it should; then {@link WireHandler#drained} follows. */
    public boolean full() {
        // A socket that is gone says that it is full for ever, but what is written to it is dropped.
        return !gone && end.full();
    }

    /** Hands on nothing more: the peer's bytes, but for a few, stay in its own window. */
    public void pause() {
        if (!paused && !finished) {
            paused = true;
            end.pause();
            if (web != null) {
                // A WebSocket frame may be large: not even one more is read.
                web.stopReading();
            }
        }
    }

    /** Reads on. */
    public void resume() {
        if (paused) {
            paused = false;
            end.resume();
        }
    }

    /**
     * True if it is not the peer's silence that nothing is received: it is {@link #pause}d for reasons of the broker's;
     * or since the socket is {@link #full}, but the peer has taken or sent something since the last call. For whoever
     * asks at intervals.
     */
    boolean excusesSilence() {
        boolean stirred = end.stirred();
        return paused && (!full() || stirred);
    }

    /**
     * Writes a last piece and ends the connection when the peer has had the chance to read it: the sending side is
     * closed behind it, and what still comes in is dropped unread until the peer closes or {@code lingerMs} are over.
     * An immediate close would answer bytes under way with a reset, and a reset makes the peer lose what it has not
     * read.
     */
    public void finish(ByteBuffer last, Ending why) {
        if (gone || finished) {
            return;
        }
        finished = true;
        cancelTimers();
        resume();
        keep(later(settings.lingerMs(), end::close));
        onSuccess(end.write(last), () -> closeOutput(why));
    }

    /** Ends the connection at once. */
    public void close() {
        finished = true;
        cancelTimers();
        end.close();
    }

    /**
     * Each layer has an end of its own: without that of TLS the peer could not tell an end from an attack, and the peer
     * of a WebSocket answers the end before the connection is closed (RFC 6455 section 7.1.1).
     */
    private void closeOutput(Ending why) {
        if (web != null) {
            web.close(why);
            return;
        }
        SslHandler tls = tls();
        if (tls == null) {
            shutdownOutput();
            return;
        }
        // What still comes in can be dropped as it is: behind its own end TLS takes no more.
        pipeline().addFirst(new Discard());
        tls.closeOutbound().addListener(done -> shutdownOutput());
    }

    private void shutdownOutput() {
        if (end.context().channel() instanceof DuplexChannel channel) {
            channel.shutdownOutput().addListener(done -> {
                if (!done.isSuccess()) {
                    end.close();
                }
            });
        } else {
            end.close();
        }
    }

    /** One read, whose bytes nobody writes into again. */
    void received(byte[] bytes, int from, int to) {
        WireHandler receiver = handler;
        if (!finished && receiver != null) {
            guarded(() -> receiver.received(bytes, from, to));
        }
    }

    /** The socket, which was full, takes more again. */
    void drained() {
        WireHandler writer = handler;
        if (!gone && writer != null) {
            guarded(writer::drained);
        }
    }

    /** The listener closes. */
    void stopping() {
        WireHandler ending = handler;
        if (!gone && ending != null) {
            guarded(ending::stopping);
        }
    }

    /** The peer's WebSocket is broken and has been told so: there is nothing that the protocol could still say. */
    private void broken() {
        resume();
        gone();
        keep(later(settings.lingerMs(), end::close));
    }

    /** There is no connection any more. */
    void gone() {
        if (!gone) {
            gone = true;
            finished = true;
            cancelTimers();
            WireHandler to = handler;
            if (to != null) {
                guarded(to::closed);
            }
        }
    }

    private void cancelTimers() {
        endLoginTimer();
        timers.forEach(timer -> timer.cancel(false));
        timers = List.of();
    }

    /** A fault in the handling of one connection ends that connection and no other. */
    private void guarded(Runnable task) {
        LogLabels.put(remote, connection, clientId);
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("{}: connection ended by an unexpected fault", remote, e);
            close();
        } finally {
            LogLabels.remove(connection);
        }
    }

    /** Drops what comes in. */
    private static final class Discard extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ReferenceCountUtil.release(bytes);
        }
    }
}
