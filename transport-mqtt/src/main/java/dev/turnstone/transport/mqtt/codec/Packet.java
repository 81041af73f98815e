package dev.turnstone.transport.mqtt.codec;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client sends, decoded. Immutable; payloads are views of what was read and are used at once. */
public sealed interface Packet {
    /**
     * CONNECT.
     *
     * @param version the version that the client speaks
     * @param cleanStart true if an older session is to be forgotten
     * @param keepAliveS how long the client may be silent, seconds; 0 for ever
     * @param clientId the client identifier; may be empty
     * @param properties its properties
     * @param will what is published if the connection ends without DISCONNECT; null for nothing
     * @param login who wants to connect
     */
    record Connect(
            Version version,
            boolean cleanStart,
            int keepAliveS,
            String clientId,
            Properties properties,
            @Nullable Will will,
            Credentials login)
            implements Packet {}

    /** User name and password as the client gave them; never shown by {@link #toString}. */
    record Credentials(@Nullable String user, byte @Nullable [] password) {
        @Override
        public String toString() {
            return "user " + user;
        }
    }

    /** What the server publishes for a client that is gone. */
    record Will(String topic, int qos, boolean retain, Properties properties, ByteBuffer payload) {}

    /**
     * PUBLISH.
     *
     * @param topic the topic's name
     * @param qos 0 to 2
     * @param duplicate true if the client has sent it before
     * @param retain true if it is the topic's last value from now on
     * @param packetId 1 to 65535; 0 at QoS 0
     * @param properties its properties
     * @param payload what it carries
     */
    record Publish(
            String topic,
            int qos,
            boolean duplicate,
            boolean retain,
            int packetId,
            Properties properties,
            ByteBuffer payload)
            implements Packet {}

    /** PUBACK, PUBREC, PUBREL or PUBCOMP. */
    record Ack(PacketType type, int packetId, ReasonCode reason) implements Packet {}

    /** SUBSCRIBE. */
    record Subscribe(int packetId, Properties properties, List<Filter> filters) implements Packet {}

    /**
     * One topic filter of SUBSCRIBE with its options (MQTT 5 §3.8.3.1).
     *
     * @param filter the topic filter
     * @param qos the highest QoS of what is delivered
     * @param noLocal true to leave out what this client publishes
     * @param retainAsPublished true to keep the retain flag of what is forwarded
     * @param retainHandling 0: retained messages are sent; 1: if the subscription is new; 2: never
     */
    record Filter(String filter, int qos, boolean noLocal, boolean retainAsPublished, int retainHandling) {}

    /** UNSUBSCRIBE. */
    record Unsubscribe(int packetId, List<String> filters) implements Packet {}

    /** PINGREQ. */
    record Ping() implements Packet {}

    /** DISCONNECT. */
    record Disconnect(ReasonCode reason, Properties properties) implements Packet {}

    /** AUTH. */
    record Auth(ReasonCode reason, Properties properties) implements Packet {}
}
