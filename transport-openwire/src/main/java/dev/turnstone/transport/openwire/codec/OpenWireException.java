package dev.turnstone.transport.openwire.codec;

/** The bytes are not OpenWire, or not what the peer may send: the connection cannot go on. */
public final class OpenWireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what is wrong. */
    public OpenWireException(String message) {
        super(message);
    }

    /** With what is wrong and how it was found. */
    public OpenWireException(String message, Throwable cause) {
        super(message, cause);
    }
}
