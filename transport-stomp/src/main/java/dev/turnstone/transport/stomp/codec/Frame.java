package dev.turnstone.transport.stomp.codec;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One frame as it was read. Immutable as long as nobody writes into the piece that it was read from. */
public final class Frame {
    private final Command command;
    private final Headers headers;
    private final ByteBuffer body;

    Frame(Command command, Headers headers, ByteBuffer body) {
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

    /**
     * The octets of its body, empty if there are none: a view of the piece that was read, if the whole body came in
     * one.
     */
    public ByteBuffer body() {
        return body.duplicate();
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
