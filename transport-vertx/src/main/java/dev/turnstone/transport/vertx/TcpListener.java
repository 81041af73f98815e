package dev.turnstone.transport.vertx;

import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import io.vertx.core.Future;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A protocol on a TCP port, with TLS or without; its connections are spread over the broker's event loops. Any thread.
 */
public final class TcpListener {
    private static final Logger LOG = LoggerFactory.getLogger(TcpListener.class);

    private TcpListener() {}

    /**
     * Binds a port. The stage completes when connections are accepted, or fails with INVALID_CONFIGURATION if the
     * address is taken or not this machine's, or if the certificates cannot be used.
     */
    public static CompletionStage<Listener> bind(
            EventLoops loops, String protocolName, ListenRequest request, WireSettings settings, Protocol protocol) {
        return BoundListener.bind(loops, protocolName, request, settings, (fill, door) -> {
            NetServerOptions options = new NetServerOptions();
            fill.accept(options);
            return new Tcp(loops.vertx()
                    .createNetServer(options)
                    .connectHandler(socket -> connected(socket, door, settings, protocol))
                    .exceptionHandler(e -> LOG.debug("{}: a connection failed: {}", protocolName, e.toString())));
        });
    }

    private static void connected(NetSocket connected, Door door, WireSettings settings, Protocol protocol) {
        NetSocketInternal socket = (NetSocketInternal) connected;
        SocketAddress client = PeerAddress.client(socket.remoteAddress(), socket.remoteAddress(true));
        if (door.announced(socket.channelHandlerContext().channel(), client)) {
            new Wire(client, settings, null).open(socket, protocol);
        }
    }

    private record Tcp(NetServer server) implements BoundListener.Server {
        @Override
        public Future<Integer> listen() {
            return server.listen().map(NetServer::actualPort);
        }

        @Override
        public Future<Boolean> replace(ServerSSLOptions tls) {
            return server.updateSSLOptions(tls, true);
        }

        @Override
        public Future<Void> shutdown(long timeoutMs) {
            return server.shutdown(timeoutMs, TimeUnit.MILLISECONDS);
        }
    }
}
