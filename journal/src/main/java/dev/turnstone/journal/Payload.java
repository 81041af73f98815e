package dev.turnstone.journal;

import java.nio.ByteBuffer;

/**
 * The bytes of one record, written straight into the journal's buffer. An implementation is immutable: the journal
 * reads it once, later and on its own thread.
 */
public interface Payload {
    /** How many bytes {@link #writeTo} will write; the same at every call. */
    int sizeBytes();

    /** Writes exactly {@link #sizeBytes} bytes at the target's position, big-endian. */
    void writeTo(ByteBuffer target);

    /** The payload that is these bytes; the caller no longer changes them. */
    static Payload of(byte[] bytes) {
        return new Payload() {
            @Override
            public int sizeBytes() {
                return bytes.length;
            }

            @Override
            public void writeTo(ByteBuffer target) {
                target.put(bytes);
            }
        };
    }
}
