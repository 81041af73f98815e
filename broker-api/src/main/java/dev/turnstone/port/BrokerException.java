package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/** The one exception of the port: a code for programs and a message for people, naming what was wrong. */
public final class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final @Nullable String user;

    /** A refusal with a message that a user can act on. */
    public BrokerException(ErrorCode code, String message) {
        this(code, message, (String) null);
    }

    private BrokerException(ErrorCode code, String message, @Nullable String user) {
        super(message);
        this.code = code;
        this.user = user;
    }

    /** CLIENT_ID_IN_USE, for somebody who has been authenticated as this user. */
    public static BrokerException clientIdInUse(String clientId, String user) {
        return new BrokerException(
                ErrorCode.CLIENT_ID_IN_USE, "another connection has the client identifier '" + clientId + "'", user);
    }

    /** A refusal with its cause. */
    public BrokerException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.user = null;
    }

    /** Why. */
    public ErrorCode code() {
        return code;
    }

    /** Of {@link #clientIdInUse}, who would have been connected otherwise; else null. */
    public @Nullable String user() {
        return user;
    }
}
