package dev.turnstone.server;

/** Why the broker does not start, in one line that a user can act on. */
final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
