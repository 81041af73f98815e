package dev.turnstone.port;

/** What a message's body is. The code is what the encoded form stores, and never changes. */
public enum BodyKind {
    /** No body (Jakarta Messaging's plain Message). */
    NONE(0),
    /** Bytes. */
    BYTES(1),
    /** Text, stored as UTF-8. */
    TEXT(2),
    /** Named typed values. */
    MAP(3),
    /** A sequence of typed values. */
    STREAM(4),
    /** A serialised Java object, which the broker never deserialises. */
    OBJECT(5);

    private static final BodyKind[] BY_CODE = values();

    private final byte code;

    BodyKind(int code) {
        this.code = (byte) code;
    }

    /** The number that stands for it in the encoded form. */
    public byte code() {
        return code;
    }

    static BodyKind of(byte code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "unknown body kind " + code);
        }
        return BY_CODE[code];
    }
}
