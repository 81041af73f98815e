package dev.turnstone.jms;

import java.nio.ByteBuffer;

/** Reads a body in place. One thread. */
final class BodyInput extends BodyStream {
    private final ByteBuffer bytes;
    private int kept;

    BodyInput(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(target, offset, count);
        return count == 0 ? -1 : count;
    }

    @Override
    public int available() {
        return bytes.remaining();
    }

    @Override
    void keepPlace() {
        kept = bytes.position();
    }

    @Override
    void goBack() {
        bytes.position(kept);
    }
}
