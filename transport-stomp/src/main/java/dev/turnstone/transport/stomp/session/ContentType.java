package dev.turnstone.transport.stomp.session;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What a {@code content-type} says about a body. Any thread. */
final class ContentType {
    static final String TEXT = "text/plain";

    private static final String CHARSET = "charset=";

    private ContentType() {}

    /**
     * True for {@code text/*} and whatever else names a character set, if that is UTF-8 or ASCII. Text in another one
     * stays bytes, so that it leaves as it came.
     */
    static boolean isText(String contentType) {
        String type = contentType.toLowerCase(Locale.ROOT);
        int charsetAt = type.indexOf(CHARSET);
        if (charsetAt < 0) {
            return type.startsWith("text/")
                    || type.startsWith("application/json")
                    || type.startsWith("application/xml");
        }
        String charset = type.substring(charsetAt + CHARSET.length()).replace("\"", "");
        int end = charset.indexOf(';');
        String named = (end < 0 ? charset : charset.substring(0, end)).strip();
        return named.equals("utf-8") || named.equals("utf8") || named.equals("us-ascii");
    }

    /** True if the octets are well-formed UTF-8: only then a message may call them text. */
    static boolean isUtf8(ByteBuffer body) {
        ByteBuffer rest = body.duplicate();
        if (isAscii(rest)) {
            return true;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer chars = CharBuffer.allocate(1024);
        CoderResult result = decoder.decode(rest, chars, true);
        while (result.isOverflow()) {
            chars.clear();
            result = decoder.decode(rest, chars, true);
        }
        return !result.isError();
    }

    /** Looks at eight octets at once; leaves the buffer's position alone. */
    private static boolean isAscii(ByteBuffer body) {
        int at = body.position();
        for (; at + Long.BYTES <= body.limit(); at += Long.BYTES) {
            if ((body.getLong(at) & 0x8080808080808080L) != 0) {
                return false;
            }
        }
        for (; at < body.limit(); at++) {
            if (body.get(at) < 0) {
                return false;
            }
        }
        return true;
    }
}
