package dev.turnstone.transport.stomp.codec;

import org.jspecify.annotations.Nullable;

/** One frame as it was read. Immutable as long as nobody writes into its body. */
public final class Frame {
    private final Command command;
    private final Headers headers;
    private final byte[] body;

    Frame(Command command, Headers headers, byte[] body) {
        this.command = command;
        this.headers = headers;
        this.body = body;
    }

    /** What it asks for. */
    public Command command() {
        return command;
    }

    /** Its header entries, unescaped. */
    public Headers headers() {
        return headers;
    }

    /** The octets of its body, empty if there are none; not a copy. */
    public byte[] body() {
        return body;
    }

    /** The value of the first header entry with this name, or null. */
    public @Nullable String header(String name) {
        return headers.first(name);
    }

    /**
     * The value of a header that the command requires.
     *
     * @throws StompException if it is missing
     */
    public String required(String name) {
        String value = headers.first(name);
        if (value == null) {
            throw fault(command + " needs the header '" + name + "'");
        }
        return value;
    }

    /** A complaint about this frame, with its receipt. */
    public StompException fault(String message) {
        return new StompException(message, headers.first(Header.RECEIPT));
    }
}
