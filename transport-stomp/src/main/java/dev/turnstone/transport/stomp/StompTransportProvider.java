package dev.turnstone.transport.stomp;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.ListenSetting;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.transport.stomp.session.StompConnection;
import dev.turnstone.transport.stomp.session.StompSettings;
import dev.turnstone.transport.vertx.EventLoops;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.TcpListener;
import dev.turnstone.transport.vertx.WebSocketProtocol;
import dev.turnstone.transport.vertx.WebSocketTransport;
import dev.turnstone.transport.vertx.WireSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** STOMP 1.0, 1.1 and 1.2 over TCP and WebSocket. Any thread. */
public final class StompTransportProvider implements WebSocketTransport {
    private static final String STOMP = "stomp";
    private static final int STOMP_PORT = 61613;
    private static final List<String> SUB_PROTOCOLS = List.of("v12.stomp", "v11.stomp", "v10.stomp");

    @Override
    public String protocol() {
        return STOMP;
    }

    @Override
    public int defaultPort() {
        return STOMP_PORT;
    }

    @Override
    public List<ListenSetting> settings() {
        return WireSettings.with(StompSettings.ALL);
    }

    @Override
    public List<ListenSetting> webSocketSettings() {
        return StompSettings.ALL;
    }

    @Override
    public void check(ListenRequest request) {
        ListenSettings given = new ListenSettings(STOMP, request.settings());
        WireSettings wire = WireSettings.read(given);
        StompSettings.read(given, wire);
        given.end();
        wire.check();
    }

    @Override
    public void checkWebSocket(ListenSettings settings, WireSettings wire) {
        StompSettings.read(settings, wire);
    }

    @Override
    public CompletionStage<Listener> listen(ListenRequest request, Broker broker, SharedResources shared) {
        StompSettings settings;
        try {
            ListenSettings given = new ListenSettings(STOMP, request.settings());
            settings = StompSettings.read(given, WireSettings.read(given));
            given.end();
        } catch (BrokerException e) {
            return CompletableFuture.failedFuture(e);
        }
        return TcpListener.bind(
                EventLoops.of(shared),
                STOMP,
                request,
                settings.wire(),
                wire -> new StompConnection(wire, broker, settings));
    }

    @Override
    public WebSocketProtocol webSocket(
            ListenSettings settings, WireSettings wire, Broker broker, SharedResources shared) {
        StompSettings read = StompSettings.read(settings, wire);
        return new WebSocketProtocol(
                "/stomp", SUB_PROTOCOLS, false, true, connection -> new StompConnection(connection, broker, read));
    }
}
