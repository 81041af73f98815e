package dev.turnstone.jms;

import dev.turnstone.port.Message;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a body that the broker keeps, a chunk at a time; waits for it. One thread. */
final class StoredInput extends BodyStream {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final LargeBodies bodies;
    private final Message message;
    private ByteBuffer content = NOTHING;
    private long next;
    private ByteBuffer keptContent = NOTHING;
    private int keptPosition;
    private long keptNext;

    StoredInput(LargeBodies bodies, Message message) {
        this.bodies = bodies;
        this.message = message;
    }

    @Override
    public int read() throws IOException {
        return load() ? content.get() & 0xff : -1;
    }

    /** Fills what it is given, unless the body ends: who reads a body takes fewer bytes for its end. */
    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int done = 0;
        while (done < length && load()) {
            int count = Math.min(length - done, content.remaining());
            content.get(target, offset + done, count);
            done += count;
        }
        return done == 0 && length > 0 ? -1 : done;
    }

    private boolean load() throws IOException {
        if (content.hasRemaining()) {
            return true;
        }
        if (next * message.storedChunkBytes() >= message.bodyLength()) {
            return false;
        }
        try {
            content = NOTHING;
            content = bodies.read(message, next);
            next++;
            return true;
        } catch (JMSException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    void keepPlace() {
        keptContent = content;
        keptPosition = content.position();
        keptNext = next;
    }

    @Override
    void goBack() {
        content = keptContent.position(keptPosition);
        next = keptNext;
    }
}
