package dev.turnstone.testkit.web;

import java.nio.charset.StandardCharsets;

/**
 * A frame that the server sent.
 *
 * @param first its first byte: FIN, the reserved bits, the opcode
 * @param payload what it carries, as it came
 */
public record WebSocketFrame(int first, byte[] payload) {
    /** Opcode of a text message. */
    public static final int TEXT = 1;
    /** Opcode of a binary message. */
    public static final int BINARY = 2;
    /** Opcode of the end. */
    public static final int CLOSE = 8;
    /** Opcode of a ping. */
    public static final int PING = 9;
    /** Opcode of its answer. */
    public static final int PONG = 10;
    /** First bit: the last frame of its message. */
    public static final int FIN = 0x80;
    /** Second bit: deflated. */
    public static final int DEFLATED = 0x40;

    /** What kind it is. */
    public int opcode() {
        return first & 0x0F;
    }

    /** The payload read as UTF-8. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** The status of a close frame; 1005 if it has none. */
    public int status() {
        return payload.length < 2 ? 1005 : (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
    }
}
