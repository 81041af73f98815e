package dev.turnstone.transport.mqtt.session;

import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.WireSettings;

/**
 * What an MQTT listener can be told.
 *
 * @param wire what every listener can be told
 * @param packetBytesMax the largest packet that is taken, bytes
 * @param connectBytesMax the largest CONNECT, bytes
 * @param clientIdBytesMax the longest client identifier, bytes
 * @param receiveMax how many messages of a client may be without their last answer (MQTT 5)
 * @param inflightMax how many messages may be on their way to a client that wants more, or does not say
 * @param keepAliveMaxS the longest keep-alive, seconds; 0 for no limit (MQTT 5)
 * @param sessionExpiryMaxS for how long a session may outlive its connection, seconds; 0 for no limit
 * @param queueMax messages at which the queue of a session takes no more; 0 for no limit
 */
public record MqttSettings(
        WireSettings wire,
        int packetBytesMax,
        int connectBytesMax,
        int clientIdBytesMax,
        int receiveMax,
        int inflightMax,
        int keepAliveMaxS,
        int sessionExpiryMaxS,
        int queueMax) {
    /** The longest keep-alive that a packet can say (MQTT 5 §3.1.2.10). */
    private static final int KEEP_ALIVE_MAX_S = 65_535;

    /** Reads them from a listener's settings, by these names. */
    public static MqttSettings read(ListenSettings settings, WireSettings wire) {
        return new MqttSettings(
                wire,
                settings.number("packetBytesMax", (1 << 20) + (64 << 10), 16),
                settings.number("connectBytesMax", 128 << 10, 16),
                settings.number("clientIdBytesMax", 512, 1),
                settings.number("receiveMax", 1_000, 1, PacketIds.MAX),
                settings.number("inflightMax", 1_000, 1, PacketIds.MAX),
                settings.number("keepAliveMaxS", 0, 0, KEEP_ALIVE_MAX_S),
                settings.number("sessionExpiryMaxS", 0, 0),
                settings.number("queueMax", 0, 0));
    }
}
