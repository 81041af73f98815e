package dev.turnstone.transport.mqtt.codec;

/** The versions of the protocol that are spoken here. */
public enum Version {
    /** MQTT 3.1.1. */
    V3_1_1(4),
    /** MQTT 5.0. */
    V5(5);

    private final int level;

    Version(int level) {
        this.level = level;
    }

    /** The protocol version's number in CONNECT. */
    public int level() {
        return level;
    }
}
