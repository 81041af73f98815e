package dev.turnstone.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file, read and written at positions. Any thread, one at a time for overlapping ranges. */
public interface BlockFile extends AutoCloseable {
    /** The size in bytes. */
    long size() throws IOException;

    /** Reads until the buffer is full or the file ends; returns the bytes read. */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Writes all that remains in the buffer; extends the file if need be. Survives a power failure only after
     * {@link #sync}.
     */
    void write(ByteBuffer source, long position) throws IOException;

    /** Returns when everything written is on the disk. After a failure, what is on the disk is unknown. */
    void sync() throws IOException;

    /** Closes the file without syncing it. Idempotent. */
    @Override
    void close() throws IOException;
}
