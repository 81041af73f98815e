package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateQuery;
import java.nio.ByteBuffer;

/**
 * Where one client's session keeps its protocol state: keys that start with the client identifier, which holds no
 * U+0000, and that character. Any thread.
 */
final class SessionKeys {
    /** The namespace of all MQTT sessions. */
    static final String NAMESPACE = "mqtt";

    /** Behind the client identifier, one char says what the key is about. */
    static final char SESSION = 's';

    static final char RECEIVED = 'i';
    static final char RELEASED = 'r';
    static final char PAIR = 'p';
    static final char WILL = 'w';

    private static final byte[] NOTHING = {};

    private final String clientId;

    SessionKeys(String clientId) {
        this.clientId = clientId;
    }

    /** The client identifier. */
    String clientId() {
        return clientId;
    }

    /** The client identifier in a key. */
    static String clientId(String key) {
        return key.substring(0, key.indexOf('\0'));
    }

    /** What a key is about. */
    static char kind(String key) {
        return key.charAt(key.indexOf('\0') + 1);
    }

    /** The number in a key. */
    static long number(String key) {
        return Long.parseLong(key.substring(key.indexOf('\0') + 2));
    }

    /** All that there is of the session. */
    StateQuery all() {
        return StateQuery.of(NAMESPACE, clientId + '\0');
    }

    static StateChange remove(String key) {
        return StateChange.remove(NAMESPACE, key);
    }

    StateChange session(SessionRecord record) {
        return StateChange.put(NAMESPACE, clientId + '\0' + SESSION, record.encode());
    }

    /** A message with this packet identifier has been stored; its PUBREL has not come. */
    StateChange received(int packetId) {
        return StateChange.put(NAMESPACE, clientId + '\0' + RECEIVED + packetId, NOTHING);
    }

    StateChange receivedEnds(int packetId) {
        return remove(clientId + '\0' + RECEIVED + packetId);
    }

    /**
     * A delivery with this packet identifier has had its PUBREC; PUBREL is owed until PUBCOMP.
     *
     * @param order in which PUBRELs are sent again
     */
    StateChange released(int packetId, long order) {
        byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(order).array();
        return StateChange.put(NAMESPACE, clientId + '\0' + RELEASED + packetId, value);
    }

    StateChange releasedEnds(int packetId) {
        return remove(clientId + '\0' + RELEASED + packetId);
    }

    /** The message at this position has another packet identifier than its position says. */
    StateChange pair(long position, int packetId) {
        byte[] value =
                ByteBuffer.allocate(Short.BYTES).putShort((short) packetId).array();
        return StateChange.put(NAMESPACE, clientId + '\0' + PAIR + position, value);
    }

    StateChange pairEnds(long position) {
        return remove(clientId + '\0' + PAIR + position);
    }

    /** One part of the will. */
    StateChange will(int part, byte[] bytes) {
        return StateChange.put(NAMESPACE, clientId + '\0' + WILL + part, bytes);
    }

    StateChange willEnds(int part) {
        return remove(clientId + '\0' + WILL + part);
    }
}
