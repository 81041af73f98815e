package dev.turnstone.transport.openwire.codec;

import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream into frames: four bytes of length, then so many bytes. What it keeps is never more than one frame and
 * one read. One thread.
 */
public final class FrameReader {
    private static final int SIZE_BYTES = 4;
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int from;
    private int to;
    private int frameBytesMax;
    private boolean own;

    /** For frames of at most so many bytes, their length not counted. */
    public FrameReader(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    /** From now on frames may have so many bytes. */
    public void frameBytesMax(int most) {
        frameBytesMax = most;
    }

    /** Adds what was read, which nobody writes into again. */
    public void feed(byte[] read, int start, int end) {
        if (from == to) {
            bytes = read;
            own = false;
            from = start;
            to = end;
            return;
        }
        int kept = to - from;
        int needed = kept + end - start;
        // Doubled, so that a long frame is copied few times; but only who sends much takes much, whatever it announces.
        int room =
                kept < SIZE_BYTES ? needed : Math.max(needed, (int) Math.min(2L * needed, SIZE_BYTES + (long) size()));
        if (own && from + room <= bytes.length) {
            System.arraycopy(read, start, bytes, to, end - start);
        } else {
            byte[] larger = new byte[room];
            System.arraycopy(bytes, from, larger, 0, kept);
            System.arraycopy(read, start, larger, kept, end - start);
            bytes = larger;
            own = true;
            from = 0;
            to = kept;
        }
        to += end - start;
    }

    /**
     * The next frame with its length in front, or null if it is not complete; good until the next {@link #feed}.
     *
     * @throws OpenWireException if it is longer than allowed
     */
    public @Nullable ByteSequence next() {
        if (to - from < SIZE_BYTES) {
            return null;
        }
        int size = size();
        if (size < 1 || size > frameBytesMax) {
            throw new OpenWireException("a frame of " + (size & 0xffffffffL) + " bytes; it may have 1 to "
                    + frameBytesMax + " (frameBytesMax)");
        }
        if (to - from - SIZE_BYTES < size) {
            return null;
        }
        ByteSequence frame = new ByteSequence(bytes, from, SIZE_BYTES + size);
        from += SIZE_BYTES + size;
        if (from == to) {
            // The frame still has the array; an idle connection should not.
            bytes = NOTHING;
            from = 0;
            to = 0;
        }
        return frame;
    }

    private int size() {
        return (bytes[from] & 0xff) << 24
                | (bytes[from + 1] & 0xff) << 16
                | (bytes[from + 2] & 0xff) << 8
                | bytes[from + 3] & 0xff;
    }
}
