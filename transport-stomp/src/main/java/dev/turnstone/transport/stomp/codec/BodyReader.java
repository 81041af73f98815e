package dev.turnstone.transport.stomp.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one frame after the other and the NUL that ends it, from pieces cut anywhere. Memory grows with
 * what has arrived, never with what was announced. Used by {@link FrameDecoder} alone.
 */
final class BodyReader {
    static final int UP_TO_NUL = -1;

    private static final byte[] NONE = {};
    private static final int FIRST_PIECE_BYTES = 4096;

    private @Nullable Headers headers;
    private @Nullable ByteBuffer body;
    private byte[] collected = NONE;
    private int length;
    private int announced;
    private int most;

    /**
     * Begins a body of {@code announced} bytes, or one that ends at the first NUL and has at most {@code most} bytes.
     */
    void begin(Headers headers, int announced, int most) {
        this.headers = headers;
        this.announced = announced;
        this.most = most;
        body = null;
        collected = NONE;
        length = 0;
    }

    /**
     * Takes octets until the NUL or the end of the piece; answers where it stopped.
     *
     * @throws StompException if the body is too large or does not end where it should
     */
    int read(byte[] in, int from, int to) {
        return announced == UP_TO_NUL ? readToNul(in, from, to) : readAnnounced(in, from, to);
    }

    boolean complete() {
        return body != null;
    }

    /** Hands over the frame that this body completes. */
    Frame take(Command command) {
        if (headers == null || body == null) {
            throw new IllegalStateException("no body is complete");
        }
        Frame taken = new Frame(command, headers, body);
        headers = null;
        body = null;
        collected = NONE;
        return taken;
    }

    private int readAnnounced(byte[] in, int from, int to) {
        int at = from + Math.min(announced - length, to - from);
        if (at == to) {
            collect(in, from, to, announced);
            return at;
        }
        if (in[at] != 0) {
            throw new StompException(
                    "no NUL after the " + announced + " bytes of the body that content-length says", receipt());
        }
        complete(in, from, at);
        return at + 1;
    }

    private int readToNul(byte[] in, int from, int to) {
        int at = from;
        while (at < to && in[at] != 0) {
            at++;
        }
        if (at - from > most - length) {
            throw StompException.tooLarge("body larger than " + most + " bytes", receipt());
        }
        if (at == to) {
            collect(in, from, to, most);
            return at;
        }
        complete(in, from, at);
        return at + 1;
    }

    private @Nullable String receipt() {
        return headers == null ? null : headers.first(Header.RECEIPT);
    }

    /** A body that came in one piece is not copied. */
    private void complete(byte[] in, int from, int to) {
        if (length == 0) {
            body = ByteBuffer.wrap(in, from, to - from).slice();
        } else {
            collect(in, from, to, length + to - from);
            body = ByteBuffer.wrap(collected, 0, length);
        }
    }

    /** Grows to what is needed, by doubling and never past {@code end}. */
    private void collect(byte[] in, int from, int to, int end) {
        int needed = length + to - from;
        if (needed > collected.length) {
            int roomy = Math.max(needed, Math.max(FIRST_PIECE_BYTES, 2 * collected.length));
            collected = Arrays.copyOf(collected, Math.min(end, roomy));
        }
        System.arraycopy(in, from, collected, length, to - from);
        length = needed;
    }
}
