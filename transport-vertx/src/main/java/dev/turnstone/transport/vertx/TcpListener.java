package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A protocol on a TCP port, with TLS or without; its connections are spread over the broker's event loops. Any thread.
 */
public final class TcpListener implements Listener {
    private static final Logger LOG = LoggerFactory.getLogger(TcpListener.class);

    private final EventLoops loops;
    private final String protocolName;
    private final Protocol protocol;
    private final WireSettings settings;
    private final String host;
    private final List<NetServer> servers = new CopyOnWriteArrayList<>();
    private volatile int port;

    private TcpListener(EventLoops loops, String protocolName, Protocol protocol, WireSettings settings, String host) {
        this.loops = loops;
        this.protocolName = protocolName;
        this.protocol = protocol;
        this.settings = settings;
        this.host = host;
    }

    /**
     * Binds a port. The stage completes when connections are accepted, or fails with INVALID_CONFIGURATION if the
     * address is taken or not this machine's, or if the certificates cannot be used.
     */
    public static CompletionStage<Listener> bind(
            EventLoops loops, String protocolName, ListenRequest request, WireSettings settings, Protocol protocol) {
        TcpListener listener = new TcpListener(loops, protocolName, protocol, settings, request.host());
        CompletableFuture<Listener> bound = new CompletableFuture<>();
        ServerSSLOptions tls;
        try {
            tls = listener.certificates();
        } catch (BrokerException e) {
            return CompletableFuture.failedFuture(e);
        }
        listener.bindAll(request.port(), tls).onComplete(done -> {
            if (done.succeeded()) {
                bound.complete(listener);
            } else {
                bound.completeExceptionally(new BrokerException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "cannot listen for " + protocolName + " on " + request.host() + ":" + request.port() + ": "
                                + done.cause().getMessage(),
                        done.cause()));
            }
        });
        return bound;
    }

    @Override
    public String protocol() {
        return protocolName;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Runnable reread() {
        ServerSSLOptions tls = certificates();
        return () -> {
            if (tls != null) {
                servers.forEach(server -> server.updateSSLOptions(tls, true)
                        .onFailure(e -> LOG.error("{}:{}: the certificates were not replaced", host, port, e)));
            }
        };
    }

    private @Nullable ServerSSLOptions certificates() {
        return settings.tls() == null ? null : Certificates.read(settings.tls(), settings.loginTimeoutMs());
    }

    @Override
    public CompletionStage<Void> close() {
        List<Future<Void>> closing = servers.stream()
                .map(server -> server.shutdown(2L * settings.lingerMs(), TimeUnit.MILLISECONDS))
                .toList();
        return Future.all(closing).<Void>mapEmpty().toCompletionStage();
    }

    /**
     * A Vert.x server belongs to one event loop; servers on the same port share its connections. They find a free port
     * together if they ask for the same negative one.
     */
    private Future<Void> bindAll(int wanted, @Nullable ServerSSLOptions tls) {
        int asked = wanted == 0 ? -loops.nextNumber() : wanted;
        return loops.vertx()
                .deployVerticle(
                        () -> (Deployable) context -> serve(context, asked, tls),
                        new DeploymentOptions().setInstances(loops.count()))
                .mapEmpty();
    }

    private Future<Void> serve(Context context, int wanted, @Nullable ServerSSLOptions tls) {
        NetServerOptions options = new NetServerOptions()
                .setHost(host)
                .setPort(wanted)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true);
        if (tls != null) {
            Certificates.apply(tls, options);
        }
        NetServer server = loops.vertx()
                .createNetServer(options)
                .connectHandler(socket -> connected(socket, context))
                .exceptionHandler(e -> LOG.debug("{}: a connection failed: {}", port, e.toString()));
        return server.listen().map(bound -> {
            port = bound.actualPort();
            servers.add(bound);
            return null;
        });
    }

    private void connected(NetSocket socket, Context context) {
        if (!loops.admit(settings.connectionsMax())) {
            LOG.warn(
                    "{}: refused, there are {} connections (connectionsMax)",
                    socket.remoteAddress(),
                    settings.connectionsMax());
            socket.close();
            return;
        }
        new Wire((NetSocketInternal) socket, context, settings).open(protocol, loops::leave);
    }
}
