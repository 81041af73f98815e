package dev.turnstone.transport.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns away connections of a listener that are too many, as soon as the operating system has accepted them: before
 * TLS, and before a byte is read. On the accepting thread.
 */
final class Door extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Door.class);

    private final EventLoops loops;
    private final WireSettings settings;

    Door(EventLoops loops, WireSettings settings) {
        this.loops = loops;
        this.settings = settings;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel channel = (Channel) accepted;
        if (loops.admit(settings.connectionsMax())) {
            channel.closeFuture().addListener(closed -> loops.leave());
            context.fireChannelRead(channel);
        } else {
            LOG.warn(
                    "{}: refused, there are {} connections (connectionsMax)",
                    channel.remoteAddress(),
                    settings.connectionsMax());
            // It belongs to no event loop yet, so there is nothing that could close it in order.
            channel.unsafe().closeForcibly();
        }
    }
}
