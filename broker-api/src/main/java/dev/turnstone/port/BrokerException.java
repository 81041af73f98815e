package dev.turnstone.port;

/** The one exception of the port: a code for programs and a message for people, naming what was wrong. */
public final class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /** A refusal with a message that a user can act on. */
    public BrokerException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** A refusal with its cause. */
    public BrokerException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Why. */
    public ErrorCode code() {
        return code;
    }
}
