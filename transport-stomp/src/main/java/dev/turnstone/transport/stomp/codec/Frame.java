package dev.turnstone.transport.stomp.codec;

import org.jspecify.annotations.Nullable;

/**
 * One frame as it was read.
 *
 * @param command what it asks for
 * @param headers its header entries, unescaped
 * @param body its octets, empty if there are none; not copied, so whoever gets the frame owns them
 */
public record Frame(Command command, Headers headers, byte[] body) {
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
