package dev.turnstone.transport.vertx;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.net.NetServerOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts a {@link Door} before each server. Vert.x shows a connection only after its TLS handshake, and whoever does not
 * get that far would not count; this is its one hook before. Any thread.
 */
final class DoorTransport extends NioTransport {
    /** How often a socket is read before others have their turn, as Netty has it for TCP. */
    private static final int READS_MAX = 16;

    /** One for all connections, each of which would have its own. */
    private final RecvByteBufAllocator reads = new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_MAX);

    private final Map<String, Door> doors = new ConcurrentHashMap<>();

    Vertx vertx(VertxOptions options) {
        return Vertx.builder()
                .with(options)
                .withTransport(new TransportInternal("nio", true, null, this))
                .build();
    }

    /** Servers that ask for this place get this door. */
    void put(String host, int askedPort, Door door) {
        doors.put(place(host, askedPort), door);
    }

    /** No more servers will ask. */
    void remove(String host, int askedPort) {
        doors.remove(place(host, askedPort));
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        super.configure(options, domainSocket, bootstrap);
        Door door = doors.get(place(options.getHost(), options.getPort()));
        if (door == null) {
            throw new IllegalStateException("a server without a door");
        }
        bootstrap.handler(door);
        bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, reads);
    }

    private static String place(String host, int port) {
        return host + " " + port;
    }
}
