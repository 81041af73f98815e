package dev.turnstone.jms;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Collects the bytes of a body and shows them without another copy. One thread. */
final class BodyOutput extends ByteArrayOutputStream {
    BodyOutput(int bytes) {
        super(bytes);
    }

    /** What was written so far; changes with further writes. */
    ByteBuffer view() {
        return ByteBuffer.wrap(buf, 0, count);
    }
}
