package dev.turnstone.transport.mqtt;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.ListenSetting;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.transport.mqtt.session.MqttConnection;
import dev.turnstone.transport.mqtt.session.MqttSessions;
import dev.turnstone.transport.mqtt.session.MqttSettings;
import dev.turnstone.transport.mqtt.session.Place;
import dev.turnstone.transport.vertx.EventLoops;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.TcpListener;
import dev.turnstone.transport.vertx.WebSocketProtocol;
import dev.turnstone.transport.vertx.WebSocketTransport;
import dev.turnstone.transport.vertx.WireSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** MQTT 3.1.1 and 5 over TCP, TLS and WebSocket. Any thread. */
public final class MqttTransportProvider implements WebSocketTransport {
    private static final String MQTT = "mqtt";
    private static final int MQTT_PORT = 1883;
    private static final List<String> SUB_PROTOCOLS = List.of("mqtt", "mqttv3.1");

    @Override
    public String protocol() {
        return MQTT;
    }

    @Override
    public int defaultPort() {
        return MQTT_PORT;
    }

    @Override
    public List<ListenSetting> settings() {
        return WireSettings.with(MqttSettings.ALL);
    }

    @Override
    public List<ListenSetting> webSocketSettings() {
        return MqttSettings.ALL;
    }

    @Override
    public void check(ListenRequest request) {
        ListenSettings given = new ListenSettings(MQTT, request.settings());
        WireSettings wire = WireSettings.read(given);
        MqttSettings.read(given, wire);
        given.end();
        wire.check();
    }

    @Override
    public void checkWebSocket(ListenSettings settings, WireSettings wire) {
        MqttSettings.read(settings, wire);
    }

    @Override
    public CompletionStage<Listener> listen(ListenRequest request, Broker broker, SharedResources shared) {
        MqttSettings settings;
        try {
            ListenSettings given = new ListenSettings(MQTT, request.settings());
            settings = MqttSettings.read(given, WireSettings.read(given));
            given.end();
        } catch (BrokerException e) {
            return CompletableFuture.failedFuture(e);
        }
        Place.Backing backing = new Place.Backing(broker, MqttSessions.of(shared, broker), settings);
        return TcpListener.bind(
                EventLoops.of(shared), MQTT, request, settings.wire(), wire -> new MqttConnection(wire, backing));
    }

    @Override
    public WebSocketProtocol webSocket(
            ListenSettings settings, WireSettings wire, Broker broker, SharedResources shared) {
        Place.Backing backing =
                new Place.Backing(broker, MqttSessions.of(shared, broker), MqttSettings.read(settings, wire));
        return new WebSocketProtocol(
                "/mqtt", SUB_PROTOCOLS, true, false, connection -> new MqttConnection(connection, backing));
    }
}
