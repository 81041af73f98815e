package dev.turnstone.testkit.stomp;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A frame that the broker sent. Immutable. */
public final class StompFrame {
    private final String command;
    private final Map<String, String> headers;
    private final byte[] body;

    StompFrame(String command, Map<String, String> headers, byte[] body) {
        this.command = command;
        this.headers = headers;
        this.body = body;
    }

    /** Its first line. */
    public String command() {
        return command;
    }

    /** Name to value, unescaped, the first of repeated ones. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The value of a header, or null. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /** The octets of the body. */
    public byte[] body() {
        return body.clone();
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
