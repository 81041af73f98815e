package dev.turnstone.jms;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads a body in place. One thread. */
final class BodyInput extends InputStream {
    private final ByteBuffer bytes;

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
}
