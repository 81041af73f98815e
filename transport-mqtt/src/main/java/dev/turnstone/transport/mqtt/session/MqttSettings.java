package dev.turnstone.transport.mqtt.session;

import dev.turnstone.spi.ListenSetting;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.WireSettings;
import java.util.List;

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
    private static final ListenSetting PACKET_BYTES_MAX =
            ListenSetting.bytes("packetBytesMax", (1 << 20) + (64 << 10), "one packet");
    private static final ListenSetting CONNECT_BYTES_MAX =
            ListenSetting.bytes("connectBytesMax", 128 << 10, "the CONNECT packet");
    private static final ListenSetting CLIENT_ID_BYTES_MAX =
            ListenSetting.bytes("clientIdBytesMax", 512, "client identifier");
    private static final ListenSetting RECEIVE_MAX = new ListenSetting(
            "receiveMax", "1000", "messages of a client without their last answer (MQTT 5); at most 65 535");
    private static final ListenSetting INFLIGHT_MAX = new ListenSetting(
            "inflightMax",
            "1000",
            "messages on their way to a client; fewer if its *Receive Maximum* is smaller; at most 65 535");
    private static final ListenSetting KEEP_ALIVE = new ListenSetting(
            "keepAliveMaxS", "0", "longest keep-alive in seconds, for MQTT 5; at most 65 535; 0: no limit");
    private static final ListenSetting SESSION_EXPIRY_MAX_S = new ListenSetting(
            "sessionExpiryMaxS", "0", "for how many seconds a session outlives its connection; 0: no limit");
    private static final ListenSetting QUEUE_MAX =
            new ListenSetting("queueMax", "0", "messages in the queue of a session; 0: no limit");

    /** All of them, but for those that every listener has. */
    public static final List<ListenSetting> ALL = List.of(
            PACKET_BYTES_MAX,
            CONNECT_BYTES_MAX,
            CLIENT_ID_BYTES_MAX,
            RECEIVE_MAX,
            INFLIGHT_MAX,
            KEEP_ALIVE,
            SESSION_EXPIRY_MAX_S,
            QUEUE_MAX);

    /** The longest keep-alive that a packet can say (MQTT 5 §3.1.2.10). */
    private static final int KEEP_ALIVE_MAX_S = 65_535;

    /** Reads them from a listener's settings, by these names. */
    public static MqttSettings read(ListenSettings settings, WireSettings wire) {
        return new MqttSettings(
                wire,
                settings.number(PACKET_BYTES_MAX, 16),
                settings.number(CONNECT_BYTES_MAX, 16),
                settings.number(CLIENT_ID_BYTES_MAX, 1),
                settings.number(RECEIVE_MAX, 1, PacketIds.MAX),
                settings.number(INFLIGHT_MAX, 1, PacketIds.MAX),
                settings.number(KEEP_ALIVE, 0, KEEP_ALIVE_MAX_S),
                settings.number(SESSION_EXPIRY_MAX_S, 0),
                settings.number(QUEUE_MAX, 0));
    }
}
