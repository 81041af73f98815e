package dev.turnstone.transport.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns away connections of a listener that are too many, as soon as the operating system has accepted them: before
 * TLS, and before a byte is read. Only who comes through a proxy is known later, when the proxy has said so. On the
 * accepting thread, but for {@link #announced}. Shared: when the port is taken, each event loop's server has tried it.
 */
@ChannelHandler.Sharable
final class Door extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Door.class);

    private static final String NO_HEADER = "proxies: it did not begin with a header of the PROXY protocol";

    private final Arrivals arrivals;
    private final WireSettings settings;
    private final ChannelFutureListener leaving;

    Door(Arrivals arrivals, WireSettings settings) {
        this.arrivals = arrivals;
        this.settings = settings;
        this.leaving = closed -> arrivals.leave();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel channel = (Channel) accepted;
        // Null if it has gone again already.
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        String refusal = peer == null ? "gone" : enter(channel, peer);
        if (refusal == null) {
            context.fireChannelRead(channel);
        } else {
            refused(channel, peer, refusal);
            // It belongs to no event loop yet, so there is nothing that could close it in order.
            channel.unsafe().closeForcibly();
        }
    }

    private @Nullable String enter(Channel channel, InetSocketAddress peer) {
        boolean proxied = settings.proxies().expected();
        if (proxied && !settings.proxies().allow(peer)) {
            return "proxies";
        }
        String refusal = arrivals.enter(settings);
        if (refusal == null && !proxied) {
            refusal = enter(channel, PeerAddress.network(peer.getAddress()));
            if (refusal != null) {
                // Whoever is closed forcibly never says that it is closed.
                arrivals.leave();
            }
        }
        if (refusal == null) {
            channel.closeFuture().addListener(leaving);
        }
        if (refusal == null && proxied) {
            channel.pipeline().addLast(new HeaderWatch(() -> refused(channel, peer, NO_HEADER)));
        }
        return refusal;
    }

    private @Nullable String enter(Channel channel, String address) {
        String refusal = arrivals.enter(address, settings);
        if (refusal == null) {
            channel.closeFuture().addListener(arrivals.leaving(address));
        }
        return refusal;
    }

    /**
     * A connection is ready for its protocol. Through a proxy, this is when its client is known and counted.
     *
     * @return false if it is too many and has been closed
     */
    // Who is refused hears nothing, not even of a close that fails.
    @SuppressWarnings("FutureReturnValueIgnored")
    boolean announced(Channel channel, SocketAddress client) {
        if (!settings.proxies().expected()) {
            return true;
        }
        channel.pipeline().remove(HeaderWatch.class);
        String refusal = enter(channel, PeerAddress.network(client.host()));
        if (refusal != null) {
            refused(channel, PeerAddress.text(client), refusal);
            channel.close();
        }
        return refusal == null;
    }

    private void refused(Channel channel, @Nullable InetSocketAddress peer, String setting) {
        refused(channel, peer == null ? "a client" : text(peer), setting);
    }

    private void refused(Channel channel, String peer, String setting) {
        arrivals.refuse();
        // Null if it has gone again already.
        String listener = channel.localAddress() instanceof InetSocketAddress bound ? text(bound) : "a listener";
        LOG.warn("{}: refused at {} ({})", peer, listener, setting);
    }

    private static String text(InetSocketAddress address) {
        return PeerAddress.text(SocketAddress.inetSocketAddress(address));
    }
}
