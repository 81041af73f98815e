package dev.turnstone.transport.vertx;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.ListenSetting;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.spi.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * HTTP: WebSocket for every protocol of the class path that can be spoken so ({@link WebSocketTransport}), and what has
 * been added to the broker's {@link HttpRoutes}. Any thread.
 */
public final class HttpTransportProvider implements TransportProvider {
    private static final String HTTP = "http";
    private static final int HTTP_PORT = 8161;

    @Override
    public String protocol() {
        return HTTP;
    }

    @Override
    public int defaultPort() {
        return HTTP_PORT;
    }

    @Override
    public List<ListenSetting> settings() {
        List<ListenSetting> own = new ArrayList<>(WebSettings.ALL);
        for (WebSocketTransport transport : webSocketTransports()) {
            transport.webSocketSettings().forEach(setting -> own.add(setting.of(transport.protocol())));
        }
        return WireSettings.with(own);
    }

    @Override
    public void check(ListenRequest request) {
        ListenSettings given = new ListenSettings(HTTP, request.settings());
        WireSettings wire = WireSettings.read(given);
        WebSettings.read(given);
        for (WebSocketTransport transport : webSocketTransports()) {
            transport.checkWebSocket(given.of(transport.protocol()), wire);
        }
        given.end();
        wire.check();
    }

    private static List<WebSocketTransport> webSocketTransports() {
        List<WebSocketTransport> transports = new ArrayList<>();
        for (TransportProvider provider :
                ServiceLoader.load(TransportProvider.class, HttpTransportProvider.class.getClassLoader())) {
            if (provider instanceof WebSocketTransport transport) {
                transports.add(transport);
            }
        }
        return transports;
    }

    @Override
    public CompletionStage<Listener> listen(ListenRequest request, Broker broker, SharedResources shared) {
        HttpListener listener;
        try {
            ListenSettings given = new ListenSettings(HTTP, request.settings());
            WireSettings wire = WireSettings.read(given);
            WebSettings web = WebSettings.read(given);
            List<WebSocketProtocol> protocols = new ArrayList<>();
            for (WebSocketTransport transport : webSocketTransports()) {
                protocols.add(transport.webSocket(given.of(transport.protocol()), wire, broker, shared));
            }
            given.end();
            listener = new HttpListener(EventLoops.of(shared), wire, web, HttpRoutes.of(shared), protocols);
        } catch (BrokerException e) {
            return CompletableFuture.failedFuture(e);
        }
        return listener.bind(HTTP, request);
    }
}
