package dev.turnstone.transport.vertx;

import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/1.1 on a port, with TLS or without: WebSockets of several protocols, each at its path, and what
 * {@link HttpRoutes} has. Any thread.
 */
final class HttpListener {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    private final EventLoops loops;
    private final WireSettings settings;
    private final HttpRoutes routes;
    private final Map<String, WebSocketProtocol> webSockets;
    private final WebSocketUpgrade upgrade;

    HttpListener(
            EventLoops loops,
            WireSettings settings,
            WebSettings web,
            HttpRoutes routes,
            Iterable<WebSocketProtocol> webSockets) {
        this.loops = loops;
        this.settings = settings;
        this.routes = routes;
        Map<String, WebSocketProtocol> byPath = new TreeMap<>();
        webSockets.forEach(one -> byPath.put(one.path(), one));
        this.webSockets = Map.copyOf(byPath);
        upgrade = new WebSocketUpgrade(settings, web);
    }

    CompletionStage<Listener> bind(String protocolName, ListenRequest request) {
        return BoundListener.bind(loops, protocolName, request, settings, this::server);
    }

    private BoundListener.Server server(Consumer<NetServerOptions> fill, Door door) {
        // HTTP/2 has no upgrade; browsers come with HTTP/1.1 for a WebSocket anyway.
        HttpServerOptions http = new HttpServerOptions().setUseAlpn(false).setHttp2ClearTextEnabled(false);
        fill.accept(http);
        return new Http(loops.vertx()
                .createHttpServer(http)
                .connectionHandler(connection -> connected(connection, door))
                .requestHandler(this::answer)
                .exceptionHandler(e -> LOG.debug("{}: a connection failed: {}", http.getPort(), e.toString())));
    }

    private void connected(HttpConnection connection, Door door) {
        ChannelHandlerContext last = ((HttpServerConnection) connection).channelHandlerContext();
        if (door.announced(
                last.channel(), PeerAddress.client(connection.remoteAddress(), connection.remoteAddress(true)))) {
            last.pipeline().addBefore(last.name(), "timeout", new RequestTimeout(settings.loginTimeoutMs()));
        }
    }

    private void answer(HttpServerRequest request) {
        String path = String.valueOf(request.path());
        WebSocketProtocol protocol = webSockets.get(path);
        if (protocol != null && WebSocketUpgrade.isAskedFor(request)) {
            upgrade.answer(request, protocol);
        } else if (protocol != null) {
            request.response().putHeader(HttpHeaders.UPGRADE, "websocket");
            HttpAnswers.plain(request, 426, path + " speaks WebSocket");
        } else {
            Handler<HttpServerRequest> handler = routes.find(path);
            if (handler == null) {
                HttpAnswers.plain(request, 404, "there is nothing here");
            } else {
                handler.handle(request);
            }
        }
    }

    private record Http(HttpServer server) implements BoundListener.Server {
        @Override
        public Future<Integer> listen() {
            return server.listen().map(HttpServer::actualPort);
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
