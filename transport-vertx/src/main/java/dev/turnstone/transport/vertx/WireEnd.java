package dev.turnstone.transport.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.impl.ShutdownEvent;
import io.vertx.core.net.impl.VertxHandler;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a connection's pipeline, where bytes become the wire's and the wire's become bytes. It stands in
 * for Vert.x's own, which keeps a queue of 4 KiB for writes of other threads; a wire is written to on its event loop
 * alone. What Vert.x has done before stays: the accept, TLS, PROXY protocol and the upgrade to a WebSocket. So does the
 * server's shutdown, which is an event of the pipeline. On the connection's event loop only.
 */
// What cannot be written ends the connection, and that is heard of there.
@SuppressWarnings("FutureReturnValueIgnored")
final class WireEnd extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(WireEnd.class);

    /** So much is read of a peer to which nothing is handed on: enough to hear for a while that it is there. */
    private static final int WAITING_BYTES_MAX = 16 * 1024;
    /** What a piece that waits takes beside its bytes, about. */
    private static final int PIECE_BYTES = 128;

    private final Wire wire;
    private @Nullable ChannelHandlerContext context;
    /** What was read and is not handed on yet; null as long as there was no such thing. */
    private @Nullable Queue<ByteBuf> waiting;

    private int waitingBytes;
    /** The peer has sent something, or has taken so much that the socket takes more again. */
    private boolean stirred;
    /** What the socket had still to take at the last look. */
    private long untaken;

    private boolean paused;
    private boolean delivering;
    private boolean reading;
    private boolean unflushed;
    private boolean saidFull;

    WireEnd(Wire wire) {
        this.wire = wire;
    }

    /**
     * Takes the place of Vert.x's handler, which is good for nothing from then on.
     *
     * @param writeQueue what may wait for the socket before it is {@link #full}
     */
    void takeOver(NetSocketInternal socket, WriteBufferWaterMark writeQueue) {
        ChannelHandlerContext old = socket.channelHandlerContext();
        old.channel().config().setWriteBufferWaterMark(writeQueue);
        old.pipeline().replace(old.handler(), old.name(), this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    /** Where this stands. */
    ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return context;
    }

    /**
     * Writes bytes, which are not changed again: at once, or during a read when all of it has been handled.
     *
     * @return done when the operating system has them
     */
    ChannelPromise write(ByteBuffer bytes) {
        ChannelPromise written = context().newPromise();
        context().write(Unpooled.wrappedBuffer(bytes), written);
        unflushed = true;
        if (!reading) {
            flush();
        }
        return written;
    }

    private void flush() {
        if (unflushed) {
            unflushed = false;
            context().flush();
        }
    }

    /** True while more waits for the socket than it should; then {@link Wire#drained} follows. */
    boolean full() {
        boolean full = !context().channel().isWritable();
        saidFull |= full;
        return full;
    }

    /** Hands on nothing more. The peer's end is still noticed, until it has sent more than may wait. */
    void pause() {
        paused = true;
    }

    /**
     * True if the peer has taken something of what was written, or has sent something though it is not handed on, since
     * the last call.
     */
    boolean stirred() {
        ChannelOutboundBuffer out = context().channel().unsafe().outboundBuffer();
        long left = out == null ? 0 : out.totalPendingWriteBytes() - out.currentProgress();
        boolean any = stirred || left < untaken;
        stirred = false;
        untaken = left;
        return any;
    }

    /** Hands on what came meanwhile, and what comes. */
    void resume() {
        paused = false;
        if (!delivering) {
            deliverWaiting();
        }
        if (!paused) {
            context().channel().config().setAutoRead(true);
        }
    }

    private void deliverWaiting() {
        if (waiting == null) {
            return;
        }
        boolean within = reading;
        reading = true;
        while (!paused && !waiting.isEmpty()) {
            ByteBuf next = waiting.remove();
            waitingBytes -= PIECE_BYTES + next.readableBytes();
            deliver(next);
        }
        reading = within;
        if (!within) {
            flush();
        }
    }

    /** Ends the connection. What was written before still goes, if the socket takes it at once. */
    void close() {
        flush();
        context().close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(message);
            return;
        }
        reading = true;
        if (paused || waiting != null && !waiting.isEmpty()) {
            keep(VertxHandler.safeBuffer(bytes));
        } else {
            deliver(VertxHandler.safeBuffer(bytes));
        }
    }

    private void keep(ByteBuf bytes) {
        stirred = true;
        if (waiting == null) {
            waiting = new ArrayDeque<>(2);
        }
        waiting.add(bytes);
        waitingBytes += PIECE_BYTES + bytes.readableBytes();
        if (waitingBytes >= WAITING_BYTES_MAX) {
            context().channel().config().setAutoRead(false);
        }
    }

    private void deliver(ByteBuf bytes) {
        delivering = true;
        try {
            if (bytes.hasArray()) {
                int from = bytes.arrayOffset() + bytes.readerIndex();
                wire.received(bytes.array(), from, from + bytes.readableBytes());
            } else {
                byte[] copy = new byte[bytes.readableBytes()];
                bytes.readBytes(copy).release();
                wire.received(copy, 0, copy.length);
            }
        } finally {
            delivering = false;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (saidFull && ctx.channel().isWritable()) {
            saidFull = false;
            stirred = true;
            // Not from within the write that has made room.
            ctx.executor().execute(wire::drained);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ShutdownEvent) {
            wire.stopping();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("{}: {}", wire.remote(), cause.toString());
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (waiting != null) {
            waiting.forEach(ReferenceCountUtil::release);
            waiting = null;
        }
        wire.gone();
    }
}
