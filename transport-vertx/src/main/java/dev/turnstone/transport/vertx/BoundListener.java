package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port that is served on all event loops of a broker, with TLS or without. Any thread. */
final class BoundListener implements Listener {
    private static final Logger LOG = LoggerFactory.getLogger(BoundListener.class);

    /** A Vert.x server, which belongs to one event loop. */
    interface Server {
        /** Answers the port. */
        Future<Integer> listen();

        Future<Boolean> replace(ServerSSLOptions tls);

        Future<Void> shutdown(long timeoutMs);
    }

    /** Makes a server for an event loop, with options of its own kind that are filled in for it. */
    interface Kind {
        Server create(Consumer<NetServerOptions> fill, Door door);
    }

    private final EventLoops loops;
    private final String protocol;
    private final String host;
    private final WireSettings settings;
    private final Kind kind;
    private final List<Server> servers = new CopyOnWriteArrayList<>();
    private volatile int port;

    private BoundListener(EventLoops loops, String protocol, String host, WireSettings settings, Kind kind) {
        this.loops = loops;
        this.protocol = protocol;
        this.host = host;
        this.settings = settings;
        this.kind = kind;
    }

    /**
     * Binds a port. The stage completes when connections are accepted, or fails with INVALID_CONFIGURATION if the
     * address is taken or not this machine's, or if the certificates cannot be used.
     */
    static CompletionStage<Listener> bind(
            EventLoops loops, String protocol, ListenRequest request, WireSettings settings, Kind kind) {
        BoundListener listener = new BoundListener(loops, protocol, request.host(), settings, kind);
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
                        "cannot listen for " + protocol + " on " + request.host() + ":" + request.port() + ": "
                                + done.cause().getMessage(),
                        done.cause()));
            }
        });
        return bound;
    }

    @Override
    public String protocol() {
        return protocol;
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
                servers.forEach(server -> server.replace(tls)
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
                .map(server -> server.shutdown(2L * settings.lingerMs()))
                .toList();
        return Future.all(closing).<Void>mapEmpty().toCompletionStage();
    }

    /**
     * Servers on the same port share its connections. They find a free port together if they ask for the same negative
     * one.
     */
    private Future<Void> bindAll(int wanted, @Nullable ServerSSLOptions tls) {
        int asked = wanted == 0 ? -loops.nextNumber() : wanted;
        Door door = new Door(loops.arrivals(), settings);
        loops.doors().put(host, asked, door);
        return loops.vertx()
                .deployVerticle(
                        () -> (Deployable) context -> serve(asked, tls, door),
                        new DeploymentOptions().setInstances(loops.count()))
                .onComplete(done -> loops.doors().remove(host, asked))
                .mapEmpty();
    }

    private Future<Void> serve(int wanted, @Nullable ServerSSLOptions tls, Door door) {
        Server server = kind.create(options -> configure(options, wanted, tls), door);
        return server.listen().map(bound -> {
            port = bound;
            servers.add(server);
            return null;
        });
    }

    private void configure(NetServerOptions options, int wanted, @Nullable ServerSSLOptions tls) {
        options.setHost(host)
                .setPort(wanted)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true)
                .setUseProxyProtocol(settings.proxies().expected())
                .setProxyProtocolTimeout(settings.loginTimeoutMs())
                .setProxyProtocolTimeoutUnit(TimeUnit.MILLISECONDS);
        if (tls != null) {
            Certificates.apply(tls, options);
        }
    }
}
