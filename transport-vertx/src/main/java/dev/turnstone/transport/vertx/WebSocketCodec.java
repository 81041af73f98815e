package dev.turnstone.transport.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the frames of a WebSocket look like the bytes of a socket: how the bytes are cut into frames and messages means
 * nothing on the way in, and each write is a message on the way out. Answers pings and closes, and ends a peer that
 * breaks WebSocket's rules or the listener's limits with the status for it. On the connection's event loop.
 */
// What cannot be written ends the connection, and that is heard of there.
@SuppressWarnings("FutureReturnValueIgnored")
final class WebSocketCodec extends ChannelDuplexHandler {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketCodec.class);
    private static final String INFLATED_TOO_FAR = "Decompression buffer has reached maximum size";

    private final boolean textAllowed;
    private final int messageBytesMax;
    private final int lingerMs;
    private Runnable whenBroken = () -> {};
    private @Nullable ChannelHandlerContext context;
    private boolean heard;
    private boolean textPreferred;
    private long messageBytes;
    private boolean closing;

    WebSocketCodec(boolean textAllowed, int messageBytesMax, int lingerMs) {
        this.textAllowed = textAllowed;
        this.messageBytesMax = messageBytesMax;
        this.lingerMs = lingerMs;
        this.textPreferred = textAllowed;
    }

    /** Says what to do when the peer has been told that it is at fault. */
    void whenBroken(Runnable then) {
        whenBroken = then;
    }

    /** The peer is no stranger any more. */
    void loggedIn() {
        StrangerLimit.lift(context().pipeline());
    }

    void stopReading() {
        context().channel().config().setAutoRead(false);
    }

    /** Begins the orderly end; the connection closes when the peer has answered. */
    void close(Ending why) {
        end(why.status());
    }

    /** Ends a connection whose peer is at fault. */
    void broken(WebSocketCloseStatus status) {
        if (!closing) {
            LOG.debug("{}: closed with {}", context().channel().remoteAddress(), status);
            end(status);
            whenBroken.run();
        }
    }

    private void end(WebSocketCloseStatus status) {
        if (!closing) {
            closing = true;
            context().writeAndFlush(new CloseWebSocketFrame(status));
        }
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return context;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof WebSocketFrame frame)) {
            ctx.fireChannelRead(message);
        } else if (frame.rsv() != 0) {
            // Whatever an extension has agreed on is gone by now (RFC 6455 section 5.2, RFC 7692 section 6).
            frame.release();
            broken(WebSocketCloseStatus.PROTOCOL_ERROR);
        } else if (frame instanceof CloseWebSocketFrame close) {
            closed(ctx, close);
        } else if (closing || frame instanceof PongWebSocketFrame) {
            frame.release();
        } else if (frame instanceof PingWebSocketFrame) {
            answer(ctx, frame);
        } else {
            data(ctx, frame);
        }
    }

    private void closed(ChannelHandlerContext ctx, CloseWebSocketFrame close) {
        if (closing) {
            close.release();
            ctx.close();
        } else {
            closing = true;
            ctx.writeAndFlush(close).addListener(ChannelFutureListener.CLOSE);
            // What waits before it may wait for a peer that reads nothing.
            ctx.executor().schedule(() -> ctx.close(), lingerMs, TimeUnit.MILLISECONDS);
        }
    }

    /** Who pings and does not read gets no more answers than the socket takes. */
    private static void answer(ChannelHandlerContext ctx, WebSocketFrame ping) {
        if (ctx.channel().isWritable()) {
            ctx.writeAndFlush(new PongWebSocketFrame(ping.content()));
        } else {
            ping.release();
        }
    }

    private void data(ChannelHandlerContext ctx, WebSocketFrame frame) {
        if (!(frame instanceof ContinuationWebSocketFrame)) {
            boolean text = frame instanceof TextWebSocketFrame;
            if (text && !textAllowed) {
                frame.release();
                broken(WebSocketCloseStatus.INVALID_MESSAGE_TYPE);
                return;
            }
            if (!heard) {
                // A client that begins with a binary message gets no other: it may not be able to read text.
                heard = true;
                textPreferred = text;
            }
            messageBytes = 0;
        }
        messageBytes += frame.content().readableBytes();
        if (messageBytes > messageBytesMax) {
            frame.release();
            broken(WebSocketCloseStatus.MESSAGE_TOO_BIG);
        } else if (frame.content().isReadable()) {
            ctx.fireChannelRead(frame.content());
        } else {
            frame.release();
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (closing && message instanceof ByteBuf bytes) {
            // Behind a Close nothing follows (RFC 6455 section 5.5.1).
            bytes.release();
            promise.setFailure(new ClosedChannelException());
        } else if (message instanceof ByteBuf bytes && bytes.isReadable()) {
            boolean text = textPreferred && ByteBufUtil.isText(bytes, StandardCharsets.UTF_8);
            ctx.write(text ? new TextWebSocketFrame(bytes) : new BinaryWebSocketFrame(bytes), promise);
        } else {
            ctx.write(message, promise);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof CorruptedWebSocketFrameException corrupted) {
            broken(corrupted.closeStatus());
        } else if (cause instanceof DecompressionException) {
            boolean tooFar = String.valueOf(cause.getMessage()).startsWith(INFLATED_TOO_FAR);
            broken(tooFar ? WebSocketCloseStatus.MESSAGE_TOO_BIG : WebSocketCloseStatus.INVALID_PAYLOAD_DATA);
        } else {
            ctx.fireExceptionCaught(cause);
        }
    }
}
