package dev.turnstone.transport.stomp.codec;

import org.jspecify.annotations.Nullable;

/** What a frame asks for or reports. */
public enum Command {
    SEND(true),
    ACK(false),
    NACK(false),
    MESSAGE(true),
    RECEIPT(false),
    BEGIN(false),
    COMMIT(false),
    ABORT(false),
    SUBSCRIBE(false),
    UNSUBSCRIBE(false),
    CONNECT(false),
    STOMP(false),
    CONNECTED(false),
    DISCONNECT(false),
    ERROR(true);

    private static final Command[] ALL = values();

    private final boolean hasBody;

    Command(boolean hasBody) {
        this.hasBody = hasBody;
    }

    /** True for the three commands that may carry a body. */
    public boolean hasBody() {
        return hasBody;
    }

    /** True for the two names of the frame that opens a session. */
    public boolean opensSession() {
        return this == CONNECT || this == STOMP;
    }

    /**
     * False for the frames that a client and a server exchange before they agree on a version (STOMP 1.2 "Value
     * Encoding").
     */
    boolean escapesHeaders() {
        return !opensSession() && this != CONNECTED;
    }

    /** The command that a line names, or null. */
    static @Nullable Command of(byte[] line, int from, int to) {
        for (Command command : ALL) {
            if (command.isNamed(line, from, to)) {
                return command;
            }
        }
        return null;
    }

    private boolean isNamed(byte[] line, int from, int to) {
        String name = name();
        if (name.length() != to - from) {
            return false;
        }
        int at = 0;
        while (at < name.length() && name.charAt(at) == line[from + at]) {
            at++;
        }
        return at == name.length();
    }
}
