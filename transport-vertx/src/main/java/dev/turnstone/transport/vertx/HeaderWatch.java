package dev.turnstone.transport.vertx;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.net.impl.HAProxyMessageCompletionHandler;

/**
 * Notices that a connection from a proxy ends without the header that says who the client is, though something came:
 * most likely the proxy has not been told to send one. A connection on which nothing comes is how proxies look whether
 * a server is there. On the connection's event loop.
 */
final class HeaderWatch extends ChannelInboundHandlerAdapter {
    private final Runnable missed;
    private boolean spoke;

    /** Calls this when the header is missed. */
    HeaderWatch(Runnable missed) {
        this.missed = missed;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        spoke = true;
        context.fireChannelRead(bytes);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        // It takes itself out of the pipeline when it has understood the header.
        if (spoke && context.pipeline().get(HAProxyMessageCompletionHandler.class) != null) {
            missed.run();
        }
        context.fireChannelInactive();
    }
}
