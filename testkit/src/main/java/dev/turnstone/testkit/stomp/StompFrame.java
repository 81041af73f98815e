package dev.turnstone.testkit.stomp;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A frame that the broker sent.
 *
 * @param command its first line
 * @param headers name to value, unescaped, the first of repeated ones
 * @param body its octets
 */
public record StompFrame(String command, Map<String, String> headers, byte[] body) {
    /** The value of a header, or null. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /** The body read as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return command + headers + " " + (body.length > 200 ? body.length + " bytes" : text());
    }
}
