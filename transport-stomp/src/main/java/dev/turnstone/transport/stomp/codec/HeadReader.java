package dev.turnstone.transport.stomp.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the command and the header lines of one frame after the other, from pieces cut anywhere. Values are unescaped
 * where they lie as soon as their line is complete, and only values are kept. Used by {@link FrameDecoder} alone.
 */
final class HeadReader {
    private final StompLimits limits;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
    private final HeaderLines lines = new HeaderLines();

    private byte[] block = new byte[512];
    private int length;
    private int lineStart;
    private int lineBytes;
    private int lineBytesMax;
    private int headBytes;
    private int carriageReturns;
    private boolean wide;
    private @Nullable Command command;
    private @Nullable Version version;
    private boolean complete;

    HeadReader(StompLimits limits) {
        this.limits = limits;
    }

    /** Begins the next frame; without a version only a frame that opens the session is taken. */
    void begin(@Nullable Version version) {
        this.version = version;
        lines.clear();
        length = 0;
        headBytes = 0;
        command = null;
        complete = false;
        beginLine();
    }

    /** Takes octets until the blank line or the end of the piece; answers where it stopped. */
    int read(byte[] in, int from, int to) {
        int at = from;
        while (at < to) {
            byte octet = in[at++];
            if (octet == '\n') {
                headBytes++;
                endLine();
                if (complete) {
                    break;
                }
                continue;
            }
            headBytes++;
            if (++lineBytes > lineBytesMax) {
                throw pastLimit();
            }
            if (octet == 0) {
                throw fault("NUL inside of a header line");
            }
            if (octet < 0) {
                wide = true;
            } else if (octet == '\r') {
                carriageReturns++;
            }
            if (length == block.length) {
                block = Arrays.copyOf(block, length * 2);
            }
            block[length++] = octet;
        }
        return at;
    }

    boolean complete() {
        return complete;
    }

    Command command() {
        if (command == null) {
            throw new IllegalStateException("no command has been read");
        }
        return command;
    }

    /** What the head took on the wire. */
    int headBytes() {
        return headBytes;
    }

    Headers headers() {
        return lines.headers(Arrays.copyOf(block, length));
    }

    StompException fault(String message) {
        return new StompException(message, receipt());
    }

    StompException tooLarge(String message) {
        return StompException.tooLarge(message, receipt());
    }

    private @Nullable String receipt() {
        return lines.count() == 0 ? null : headers().first(Header.RECEIPT);
    }

    private void beginLine() {
        lineStart = length;
        lineBytes = 0;
        lineBytesMax = lineBytesMax();
        carriageReturns = 0;
        wide = false;
    }

    /** The nearer one of the limits on this line and on the whole head. */
    private int lineBytesMax() {
        int line = command == null ? limits.commandBytesMax() : limits.headerLineBytesMax();
        return Math.min(line, headBytesMax() - headBytes);
    }

    private int headBytesMax() {
        return version == null ? limits.connectBytesMax() : limits.headBytesMax();
    }

    private StompException pastLimit() {
        if (headBytes > headBytesMax()) {
            return tooLarge("frame head larger than " + headBytesMax() + " bytes");
        }
        return command == null
                ? tooLarge("command line larger than " + limits.commandBytesMax() + " bytes")
                : tooLarge("header line larger than " + limits.headerLineBytesMax() + " bytes");
    }

    private void endLine() {
        int end = length;
        if (carriageReturns > 0 && block[end - 1] == '\r' && (version == null || version.endsLinesInCrLf())) {
            end--;
            carriageReturns--;
        }
        if (command == null) {
            endCommand(end);
            length = 0;
        } else if (end == lineStart) {
            length = end;
            complete = true;
        } else {
            endHeader(command, end);
        }
        beginLine();
    }

    private void endCommand(int end) {
        // End-of-line octets may stand between frames; a lone CR LF ends up here.
        if (end == 0 || (end == 1 && block[0] == '\r')) {
            headBytes = 0;
            return;
        }
        Command read = Command.of(block, 0, end);
        if (read == null) {
            throw fault("unknown command '" + printable(end) + "'");
        }
        if (version == null && !read.opensSession()) {
            throw fault("the first frame must be CONNECT or STOMP, not " + read);
        }
        command = read;
    }

    private void endHeader(Command of, int end) {
        if (lines.count() == limits.headersMax()) {
            throw fault("more than " + limits.headersMax() + " headers");
        }
        if (version == Version.V1_2 && of.escapesHeaders() && carriageReturns > 0) {
            throw fault("carriage return inside of a header line");
        }
        if (wide) {
            checkUtf8(end);
        }
        int colon = lineStart;
        while (colon < end && block[colon] != ':') {
            colon++;
        }
        if (colon == end) {
            throw fault("header line without a colon");
        }
        int nameEnd = unescape(of, lineStart, colon);
        int valueEnd = unescape(of, colon + 1, end);
        if (nameEnd == lineStart) {
            throw fault("header without a name");
        }
        String name = Header.known(block, lineStart, nameEnd);
        if (name == null) {
            name = new String(block, lineStart, nameEnd - lineStart, StandardCharsets.UTF_8);
        }
        int valueBytes = valueEnd - colon - 1;
        System.arraycopy(block, colon + 1, block, lineStart, valueBytes);
        length = lineStart + valueBytes;
        lines.add(name, lineStart, length);
    }

    private void checkUtf8(int end) {
        try {
            utf8.decode(ByteBuffer.wrap(block, lineStart, end - lineStart));
        } catch (CharacterCodingException e) {
            throw fault("header line is not UTF-8");
        }
    }

    /** Replaces the escape sequences of STOMP 1.2 "Value Encoding" in place; answers the new end. */
    private int unescape(Command of, int from, int to) {
        if (version == null || !version.escapes() || !of.escapesHeaders()) {
            return to;
        }
        int out = from;
        int at = from;
        while (at < to) {
            byte octet = block[at++];
            if (octet == '\\') {
                octet = at < to ? unescaped(block[at++]) : refusedEscape("");
            }
            block[out++] = octet;
        }
        return out;
    }

    private byte unescaped(byte letter) {
        return switch (letter) {
            case '\\' -> '\\';
            case 'n' -> '\n';
            case 'c' -> ':';
            case 'r' -> version == Version.V1_2 ? (byte) '\r' : refusedEscape("r");
            default -> refusedEscape(letter > ' ' ? String.valueOf((char) letter) : "?");
        };
    }

    private byte refusedEscape(String letter) {
        throw fault("undefined escape sequence '\\" + letter + "' in a header");
    }

    private String printable(int end) {
        StringBuilder text = new StringBuilder(end);
        for (int at = 0; at < end; at++) {
            text.append(block[at] >= ' ' && block[at] < 127 ? (char) block[at] : '?');
        }
        return text.toString();
    }
}
