package dev.turnstone.testkit.mqtt;

import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.nio.charset.StandardCharsets;

/** Builds a CONNECT. Starts with a clean session, a keep-alive of 60 s, and no will. One thread. */
public final class MqttLogin {
    private static final int SESSION_EXPIRY_INTERVAL = 0x11;
    private static final int WILL_DELAY_INTERVAL = 0x18;

    private final MqttVersion version;
    private final MqttMessageBuilders.ConnectBuilder connect = MqttMessageBuilders.connect();
    private final MqttProperties properties = new MqttProperties();
    private final MqttProperties willProperties = new MqttProperties();

    private MqttLogin(MqttVersion version, String clientId) {
        this.version = version;
        connect.protocolVersion(version).clientId(clientId).cleanSession(true).keepAlive(60);
    }

    /** MQTT 3.1.1. */
    public static MqttLogin v3(String clientId) {
        return new MqttLogin(MqttVersion.MQTT_3_1_1, clientId);
    }

    /** MQTT 5. */
    public static MqttLogin v5(String clientId) {
        return new MqttLogin(MqttVersion.MQTT_5, clientId);
    }

    /** Keeps an older session, and, in MQTT 5, for that many seconds behind the connection's end. */
    public MqttLogin keep(long expiryS) {
        connect.cleanSession(false);
        return expiry(expiryS);
    }

    /** Begins a new session that is kept for that many seconds behind the connection's end. */
    public MqttLogin expiry(long expiryS) {
        return version == MqttVersion.MQTT_5 ? property(SESSION_EXPIRY_INTERVAL, expiryS) : this;
    }

    /** How long the client may be silent, seconds. */
    public MqttLogin keepAlive(int seconds) {
        connect.keepAlive(seconds);
        return this;
    }

    /** A property whose value is a number. */
    public MqttLogin property(int number, long value) {
        properties.add(new IntegerProperty(number, (int) value));
        return this;
    }

    /** User name and password. */
    public MqttLogin user(String name, String password) {
        connect.username(name).password(password.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** A will. */
    public MqttLogin will(String topic, String payload, int qos, boolean retain) {
        connect.willFlag(true)
                .willTopic(topic)
                .willMessage(payload.getBytes(StandardCharsets.UTF_8))
                .willQoS(MqttQoS.valueOf(qos))
                .willRetain(retain);
        return this;
    }

    /** How long the will waits, seconds. */
    public MqttLogin willDelay(long seconds) {
        willProperties.add(new IntegerProperty(WILL_DELAY_INTERVAL, (int) seconds));
        return this;
    }

    MqttConnectMessage message() {
        return connect.properties(properties).willProperties(willProperties).build();
    }
}
