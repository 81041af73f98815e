package dev.turnstone.transport.openwire;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.ListenSetting;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.spi.TransportProvider;
import dev.turnstone.transport.openwire.session.OpenWireBroker;
import dev.turnstone.transport.openwire.session.OpenWireConnection;
import dev.turnstone.transport.openwire.session.OpenWireSettings;
import dev.turnstone.transport.vertx.EventLoops;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.TcpListener;
import dev.turnstone.transport.vertx.WireSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** OpenWire 9 to 12 over TCP and TLS. Any thread. */
public final class OpenWireTransportProvider implements TransportProvider {
    private static final String OPENWIRE = "openwire";
    private static final int OPENWIRE_PORT = 61616;

    @Override
    public String protocol() {
        return OPENWIRE;
    }

    @Override
    public int defaultPort() {
        return OPENWIRE_PORT;
    }

    @Override
    public List<ListenSetting> settings() {
        return WireSettings.with(OpenWireSettings.ALL);
    }

    @Override
    public void check(ListenRequest request) {
        read(request).wire().check();
    }

    private static OpenWireSettings read(ListenRequest request) {
        ListenSettings given = new ListenSettings(OPENWIRE, request.settings());
        OpenWireSettings settings = OpenWireSettings.read(given, WireSettings.read(given));
        given.end();
        return settings;
    }

    @Override
    public CompletionStage<Listener> listen(ListenRequest request, Broker broker, SharedResources shared) {
        OpenWireSettings settings;
        try {
            settings = read(request);
        } catch (BrokerException e) {
            return CompletableFuture.failedFuture(e);
        }
        OpenWireBroker all = OpenWireBroker.of(shared, broker);
        EventLoops loops = EventLoops.of(shared);
        return all.identity()
                .thenCompose(identity -> TcpListener.bind(
                        loops,
                        OPENWIRE,
                        request,
                        settings.wire(),
                        wire -> new OpenWireConnection(wire, all, identity, settings)));
    }
}
