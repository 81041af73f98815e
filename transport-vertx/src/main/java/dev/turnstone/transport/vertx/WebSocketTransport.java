package dev.turnstone.transport.vertx;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.spi.ListenSetting;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.spi.TransportProvider;
import java.util.List;

/** A protocol that HTTP listeners serve too, over WebSocket. Any thread. */
public interface WebSocketTransport extends TransportProvider {
    /** The settings that {@link #webSocket} reads, by their names there. */
    default List<ListenSetting> webSocketSettings() {
        return List.of();
    }

    /**
     * Checks what {@link #webSocket} is given, and makes nothing.
     *
     * @throws BrokerException INVALID_CONFIGURATION if a setting is wrong
     */
    default void checkWebSocket(ListenSettings settings, WireSettings wire) {}

    /**
     * What an HTTP listener serves.
     *
     * @param settings the settings of that listener that are this protocol's: {@code NAME} of {@code PROTOCOL.NAME}
     * @param wire what the listener's connections have in common
     * @param shared what the listeners of the broker share
     * @throws BrokerException INVALID_CONFIGURATION if a setting is wrong
     */
    WebSocketProtocol webSocket(ListenSettings settings, WireSettings wire, Broker broker, SharedResources shared);
}
