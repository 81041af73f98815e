package dev.turnstone.transport.stomp.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes frames one behind the other into one piece of memory, which {@link #take} hands over: one write for each
 * batch. One for each connection, used by its thread alone. Bodies are copied once.
 */
public final class FrameEncoder {
    private static final int LEAST_BYTES = 256;
    /** The room that the next batch begins with, at most: a bit more than one write usually has. */
    private static final int FIRST_BYTES_MAX = 72 * 1024;

    private Version version = Version.V1_0;
    private boolean escapes;
    private byte[] bytes = new byte[LEAST_BYTES];
    private int length;
    private int[] ends = new int[16];
    private int frames;

    /** Says which version's rules hold from the next frame on; 1.0 before. */
    public void connected(Version agreed) {
        version = agreed;
    }

    /** Begins a frame. Its headers follow, then {@link #end}. */
    public void begin(Command command) {
        escapes = version.escapes() && command.escapesHeaders();
        text(command.name(), true);
        put('\n');
    }

    /**
     * Adds a header entry, escaped as the version has it.
     *
     * @return false, with nothing written, if this version has no way to write it: a NUL, an empty name or, without
     *     escapes, a line end or a colon in the name. Left in, it would end the header or the frame early and let an
     *     application write frames of its own.
     */
    public boolean header(String name, String value) {
        int before = length;
        if (!name.isEmpty() && text(name, true)) {
            put(':');
            if (text(value, false)) {
                put('\n');
                return true;
            }
        }
        length = before;
        return false;
    }

    /** Adds a header entry whose value is a number. */
    public void header(String name, long value) {
        header(name, Long.toString(value));
    }

    /** Ends a frame that has no body. */
    public void end() {
        put('\n');
        put(0);
        ended();
    }

    /**
     * Ends a frame with a body, from the buffer's position to its limit, for which it adds the {@code content-length}.
     */
    public void end(ByteBuffer body) {
        int size = body.remaining();
        header(Header.CONTENT_LENGTH, size);
        put('\n');
        ensure(size + 1);
        body.get(bytes, length, size);
        length += size;
        put(0);
        ended();
    }

    /** Ends a frame with a text as its body. */
    public void end(String body) {
        end(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
    }

    /** Adds a heart-beat: a line end between frames. */
    public void beat() {
        put('\n');
        ended();
    }

    private void ended() {
        if (frames == ends.length) {
            ends = Arrays.copyOf(ends, 2 * frames);
        }
        ends[frames++] = length;
    }

    /** How many bytes wait to be taken. */
    public int size() {
        return length;
    }

    /** Hands over what has been written; the encoder keeps no hold on it. */
    public ByteBuffer take() {
        ByteBuffer taken = ByteBuffer.wrap(bytes, 0, length);
        bytes = new byte[Math.max(LEAST_BYTES, Math.min(length + length / 8, FIRST_BYTES_MAX))];
        length = 0;
        frames = 0;
        return taken;
    }

    /** The same, each frame and each heart-beat by itself. */
    public List<ByteBuffer> takeFrames() {
        List<ByteBuffer> taken = new ArrayList<>(frames);
        int from = 0;
        for (int i = 0; i < frames; i++) {
            taken.add(ByteBuffer.wrap(bytes, from, ends[i] - from));
            from = ends[i];
        }
        take();
        return taken;
    }

    private boolean text(String text, boolean isName) {
        ensure(text.length() * 3);
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            if (letter >= 0x80) {
                at += wide(text, at);
            } else if (letter > '\r' && letter != ':' && letter != '\\') {
                bytes[length++] = (byte) letter;
            } else if (!special(letter, isName)) {
                return false;
            }
        }
        return true;
    }

    /** Writes a letter that may need an escape; false if there is none for it. */
    private boolean special(char letter, boolean isName) {
        if (letter == 0 || (!escapes && (letter == '\n' || letter == '\r' || (isName && letter == ':')))) {
            return false;
        }
        char escape = escapes ? escape(letter) : 0;
        if (escape != 0) {
            bytes[length++] = '\\';
        }
        bytes[length++] = (byte) (escape == 0 ? letter : escape);
        return true;
    }

    private char escape(char letter) {
        return switch (letter) {
            case '\n' -> 'n';
            case ':' -> 'c';
            case '\\' -> '\\';
            case '\r' -> version == Version.V1_2 ? 'r' : 0;
            default -> 0;
        };
    }

    /** Writes the code point at a place in UTF-8; answers how many chars more than one it took. */
    private int wide(String text, int at) {
        int point = text.codePointAt(at);
        if (point < 0x800) {
            bytes[length++] = (byte) (0xC0 | point >> 6);
        } else if (point < 0x10000) {
            if (Character.isSurrogate((char) point)) {
                // Half of a pair has no UTF-8 form.
                bytes[length++] = '?';
                return 0;
            }
            bytes[length++] = (byte) (0xE0 | point >> 12);
            bytes[length++] = continuation(point >> 6);
        } else {
            bytes[length++] = (byte) (0xF0 | point >> 18);
            bytes[length++] = continuation(point >> 12);
            bytes[length++] = continuation(point >> 6);
        }
        bytes[length++] = continuation(point);
        return point < 0x10000 ? 0 : 1;
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }

    private void put(int octet) {
        ensure(1);
        bytes[length++] = (byte) octet;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
    }
}
