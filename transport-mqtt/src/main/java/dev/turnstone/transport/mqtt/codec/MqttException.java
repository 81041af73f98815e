package dev.turnstone.transport.mqtt.codec;

/** The peer broke the protocol: the connection ends with this reason. */
public final class MqttException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReasonCode reason;

    /** A reason for programs and a message for people. */
    public MqttException(ReasonCode reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** A packet that does not parse. */
    static MqttException malformed(String message) {
        return new MqttException(ReasonCode.MALFORMED_PACKET, message);
    }

    /** A packet that parses and must not be as it is, or not now. */
    public static MqttException protocolError(String message) {
        return new MqttException(ReasonCode.PROTOCOL_ERROR, message);
    }

    /** What the other side is told, if its version has reasons. */
    public ReasonCode reason() {
        return reason;
    }
}
