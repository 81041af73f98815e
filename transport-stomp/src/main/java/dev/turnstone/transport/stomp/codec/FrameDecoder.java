package dev.turnstone.transport.stomp.codec;

import org.jspecify.annotations.Nullable;

/**
 * Frames out of a stream of octets that may be cut anywhere. One for each connection, used by its thread alone:
 * {@link #feed} a piece, then {@link #next} until it answers null. Holds at most one unfinished frame, within
 * {@link StompLimits}.
 *
 * <p>Until {@link #connected} is called, only a CONNECT or STOMP frame without a body is taken; it has no escapes, and
 * its lines may end in CR LF.
 */
public final class FrameDecoder {
    private enum Part {
        BETWEEN_FRAMES,
        HEAD,
        BODY,
        BROKEN
    }

    private static final byte[] NOTHING = {};

    private final StompLimits limits;
    private final HeadReader head;
    private final BodyReader body = new BodyReader();
    private @Nullable Version version;
    private int bodyBytesMax;
    private Part part = Part.BETWEEN_FRAMES;

    private byte[] in = NOTHING;
    private int at;
    private int end;

    /** A decoder at the beginning of a connection. */
    public FrameDecoder(StompLimits limits) {
        this.limits = limits;
        head = new HeadReader(limits);
    }

    /**
     * Says which version's rules hold from the next frame on.
     *
     * @param bodyBytesMax the largest body that the broker takes, if that is less than the limits say
     */
    public void connected(Version agreed, int bodyBytesMax) {
        version = agreed;
        this.bodyBytesMax = Math.min(bodyBytesMax, limits.bodyBytesMax());
    }

    /**
     * Gives the next piece, which is read in place until {@link #next} answers null.
     *
     * @throws IllegalStateException if the last piece is not used up
     */
    public void feed(byte[] bytes, int from, int to) {
        if (at < end) {
            throw new IllegalStateException("the last piece is not used up");
        }
        in = bytes;
        at = from;
        end = to;
    }

    /**
     * The next complete frame, or null when the piece is used up.
     *
     * @throws StompException if the stream is not STOMP or a limit is passed; the decoder is of no use after it
     */
    public @Nullable Frame next() {
        if (part == Part.BROKEN) {
            throw new IllegalStateException("the stream is broken");
        }
        try {
            while (at < end) {
                Frame frame = step();
                if (frame != null) {
                    return frame;
                }
            }
        } catch (StompException e) {
            breakOff();
            throw e;
        }
        in = NOTHING;
        at = 0;
        end = 0;
        return null;
    }

    private @Nullable Frame step() {
        switch (part) {
            case BETWEEN_FRAMES -> skipLineEnds();
            case HEAD -> {
                at = head.read(in, at, end);
                if (head.complete()) {
                    beginBody(head.headers());
                }
            }
            case BODY -> {
                at = body.read(in, at, end);
                if (body.complete()) {
                    part = Part.BETWEEN_FRAMES;
                    return body.take(head.command());
                }
            }
            case BROKEN -> throw new IllegalStateException("the stream is broken");
        }
        return null;
    }

    private void skipLineEnds() {
        while (at < end && in[at] == '\n') {
            at++;
        }
        if (at < end) {
            head.begin(version);
            part = Part.HEAD;
        }
    }

    private void beginBody(Headers read) {
        int most = head.command().hasBody() ? Math.min(bodyBytesMax, limits.frameBytesMax() - head.headBytes()) : 0;
        if (most < 0) {
            throw head.tooLarge("frame larger than " + limits.frameBytesMax() + " bytes");
        }
        int lengthAt = read.indexOf(Header.CONTENT_LENGTH);
        body.begin(read, lengthAt < 0 ? BodyReader.UP_TO_NUL : announced(read, lengthAt, most), most);
        part = Part.BODY;
    }

    private int announced(Headers read, int lengthAt, int most) {
        long length = read.number(lengthAt);
        if (length < 0) {
            throw head.fault("content-length is not a number of bytes");
        }
        if (length > most) {
            throw head.tooLarge("body larger than " + most + " bytes");
        }
        return (int) length;
    }

    private void breakOff() {
        part = Part.BROKEN;
        in = NOTHING;
        at = 0;
        end = 0;
    }
}
