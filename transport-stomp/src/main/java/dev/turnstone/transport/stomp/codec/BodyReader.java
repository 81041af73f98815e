package dev.turnstone.transport.stomp.codec;

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
    private byte[] body = NONE;
    private int length;
    private int announced;
    private int most;
    private boolean complete;

    /**
     * Begins a body of {@code announced} bytes, or one that ends at the first NUL and has at most {@code most} bytes.
     */
    void begin(Headers headers, int announced, int most) {
        this.headers = headers;
        this.announced = announced;
        this.most = most;
        body = NONE;
        length = 0;
        complete = false;
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
        return complete;
    }

    /** Hands over the frame that this body completes. */
    Frame take(Command command) {
        if (headers == null) {
            throw new IllegalStateException("no body has begun");
        }
        Frame taken = new Frame(command, headers, body.length == length ? body : Arrays.copyOf(body, length));
        headers = null;
        body = NONE;
        return taken;
    }

    private int readAnnounced(byte[] in, int from, int to) {
        int piece = Math.min(announced - length, to - from);
        add(in, from, piece, announced);
        int at = from + piece;
        if (length == announced && at < to) {
            if (in[at++] != 0) {
                throw new StompException(
                        "no NUL after the " + announced + " bytes of the body that content-length says", receipt());
            }
            complete = true;
        }
        return at;
    }

    private int readToNul(byte[] in, int from, int to) {
        int at = from;
        while (at < to && in[at] != 0) {
            at++;
        }
        if (at - from > most - length) {
            throw new StompException("body larger than " + most + " bytes", receipt());
        }
        complete = at < to;
        add(in, from, at - from, complete ? length + at - from : most);
        return complete ? at + 1 : at;
    }

    private @Nullable String receipt() {
        return headers == null ? null : headers.first(Header.RECEIPT);
    }

    /**
     * Grows to what is needed, by doubling and never past {@code end}: a body that came in one piece is copied once.
     */
    private void add(byte[] in, int from, int piece, int end) {
        int needed = length + piece;
        if (needed > body.length) {
            int roomy = Math.max(needed, Math.max(FIRST_PIECE_BYTES, 2 * body.length));
            body = Arrays.copyOf(body, Math.min(end, roomy));
        }
        System.arraycopy(in, from, body, length, piece);
        length = needed;
    }
}
