package dev.turnstone.transport.vertx;

import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.ServerSSLOptions;
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
        return BoundListener.bind(
                loops,
                protocolName,
                request,
                settings,
                (context, options) -> new Tcp(server(loops, context, options, settings, protocol)));
    }

    private static NetServer server(
            EventLoops loops, Context context, NetServerOptions options, WireSettings settings, Protocol protocol) {
        return loops.vertx()
                .createNetServer(options)
                .connectHandler(socket -> new Wire((NetSocketInternal) socket, context, settings, null).open(protocol))
                .exceptionHandler(e -> LOG.debug("{}: a connection failed: {}", options.getPort(), e.toString()));
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
