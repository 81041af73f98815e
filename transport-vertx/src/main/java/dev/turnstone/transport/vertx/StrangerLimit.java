package dev.turnstone.transport.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.ReferenceCountUtil;

/**
 * Counts what a peer sends before it has logged in. A WebSocket frame is kept until it is complete, and may be large;
 * nobody needs a large one to log in. On the connection's event loop.
 */
final class StrangerLimit extends ChannelInboundHandlerAdapter {
    private final WebSocketCodec codec;
    private long left;

    StrangerLimit(WebSocketCodec codec, int bytesMax) {
        this.codec = codec;
        this.left = bytesMax;
    }

    /** Takes the limit away, if there is one. */
    static void lift(ChannelPipeline pipeline) {
        if (pipeline.get(StrangerLimit.class) != null) {
            pipeline.remove(StrangerLimit.class);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (bytes instanceof ByteBuf buffer) {
            left -= buffer.readableBytes();
        }
        if (left < 0) {
            ReferenceCountUtil.release(bytes);
            codec.broken(WebSocketCloseStatus.MESSAGE_TOO_BIG);
        } else {
            context.fireChannelRead(bytes);
        }
    }
}
