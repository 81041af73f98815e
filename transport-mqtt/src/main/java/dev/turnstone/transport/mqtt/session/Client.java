package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.Message;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.mqtt.codec.Version;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a client has asked for in CONNECT, and what it gets. Nobody keeps it once the client has its place.
 *
 * @param connect its CONNECT
 * @param will the message of its will, or null
 * @param clientId its client identifier, which may be one that was made for it
 * @param expiryS for how long its session outlives the connection, seconds
 * @param keepAliveS how long it may be silent, seconds; 0 for ever
 */
record Client(Packet.Connect connect, @Nullable Message will, String clientId, long expiryS, int keepAliveS) {
    private static final long MS_PER_S = 1_000;
    /** The queue outlives the session, which ends it. */
    private static final long SLACK_S = 3_600;

    /**
     * The client that has sent this.
     *
     * @throws MqttException if it cannot be one
     * @throws dev.turnstone.port.BrokerException INVALID_ADDRESS, for the will's topic
     */
    static Client of(Packet.Connect connect, MqttSettings settings) {
        check(connect, settings);
        Message will = connect.will() == null ? null : new MessageReader(new Topics()).read(connect.will());
        String clientId = connect.clientId();
        if (clientId.isEmpty()) {
            byte[] random = new byte[16];
            ThreadLocalRandom.current().nextBytes(random);
            clientId = "auto-" + HexFormat.of().formatHex(random);
        }
        int keepAliveS = connect.keepAliveS();
        int keepAliveMaxS = settings.keepAliveMaxS();
        if (keepAliveMaxS > 0 && connect.version() == Version.V5 && (keepAliveS == 0 || keepAliveS > keepAliveMaxS)) {
            keepAliveS = keepAliveMaxS;
        }
        return new Client(connect, will, clientId, limited(askedExpiryS(connect), settings), keepAliveS);
    }

    private static void check(Packet.Connect connect, MqttSettings settings) {
        if (connect.properties().has(Property.AUTHENTICATION_METHOD)) {
            throw new MqttException(
                    ReasonCode.BAD_AUTHENTICATION_METHOD, "enhanced authentication is not available here");
        }
        if (connect.properties().has(Property.AUTHENTICATION_DATA)) {
            throw MqttException.protocolError("authentication data without a method");
        }
        if (connect.clientId().isEmpty() && !connect.cleanStart() && connect.version() == Version.V3_1_1) {
            throw new MqttException(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    "a session that is kept needs a client identifier"); // MQTT-3.1.3-8
        }
        if (hasControls(connect.clientId())) {
            throw new MqttException(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID, "the client identifier has control characters");
        }
        if (connect.clientId().getBytes(StandardCharsets.UTF_8).length > settings.clientIdBytesMax()) {
            throw new MqttException(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    "the client identifier has more than " + settings.clientIdBytesMax() + " bytes (clientIdBytesMax)");
        }
    }

    private static boolean hasControls(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** In MQTT 3.1.1 a session ends with its connection, or never. */
    static long askedExpiryS(Packet.Connect connect) {
        if (connect.version() == Version.V5) {
            return connect.properties().number(Property.SESSION_EXPIRY_INTERVAL, 0);
        }
        return connect.cleanStart() ? 0 : SessionRecord.NEVER;
    }

    static long limited(long expiryS, MqttSettings settings) {
        return settings.sessionExpiryMaxS() == 0 ? expiryS : Math.min(expiryS, settings.sessionExpiryMaxS());
    }

    boolean v5() {
        return connect.version() == Version.V5;
    }

    boolean clientIdIsAssigned() {
        return connect.clientId().isEmpty();
    }

    /** The name of the queue that a client's session has. */
    static SubscriptionName queueName(String clientId) {
        return new SubscriptionName(clientId, "mqtt session");
    }

    /** The queue of a client's session that lives so long behind its connection. */
    static SubscriptionQueue queue(String clientId, boolean durable, long lifeS, int depthMax) {
        long idleMs = lifeS == SessionRecord.NEVER ? SubscriptionQueue.FOREVER : MS_PER_S * (lifeS + SLACK_S);
        return new SubscriptionQueue(queueName(clientId), durable, durable && lifeS > 0 ? idleMs : 0, depthMax);
    }
}
