package dev.turnstone.journal.artemis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.core.journal.EncodingSupport;
import org.jspecify.annotations.Nullable;

/**
 * One chunk in the making: records of one file, encoded behind the room for their mark. One thread at a time, see
 * {@link GroupCommit}.
 */
final class ChunkBuffer {
    private final ByteBuffer bytes;
    private final ActiveMQBuffer view;
    private final ByteBuffer window;
    private final CRC32C crc = new CRC32C();
    private @Nullable SegmentFile file;
    private @Nullable SegmentFile lastFile;

    ChunkBuffer(int capacity) {
        this.bytes = ByteBuffer.allocateDirect(capacity);
        this.view = ActiveMQBuffers.wrappedBuffer(bytes.duplicate());
        this.window = bytes.duplicate();
    }

    boolean isEmpty() {
        return file == null;
    }

    /** The bytes that a write would write now, the mark included. */
    int length() {
        return view.writerIndex();
    }

    /** The file of the last chunk that was written; null if nothing follows in that. */
    @Nullable
    SegmentFile lastFile() {
        return lastFile;
    }

    /** True if a record of this size can be added for this file. */
    boolean takes(SegmentFile target, int size) {
        return file == null || (file == target && view.writableBytes() >= size);
    }

    void add(SegmentFile target, EncodingSupport record) {
        if (file == null) {
            file = target;
            view.setIndex(0, Chunk.MARK_BYTES);
            target.reserve(Chunk.MARK_BYTES);
        }
        int start = view.writerIndex();
        record.encode(view);
        int end = view.writerIndex();
        // Now, while the record is in this processor's cache.
        crc.update(window.limit(end).position(start));
        target.reserve(end - start);
    }

    /** Seals the chunk, writes it to its file, which is not synced yet, and empties the buffer. */
    void write(boolean last) throws IOException {
        SegmentFile target = file;
        if (target == null) {
            throw new IllegalStateException("nothing was added");
        }
        writeChunk(target, view.writerIndex(), last);
        file = null;
        view.clear();
    }

    /** Writes a chunk without records to a file; the buffer must be empty. */
    void writeMark(SegmentFile target, boolean last) throws IOException {
        target.reserve(Chunk.MARK_BYTES);
        writeChunk(target, Chunk.MARK_BYTES, last);
    }

    private void writeChunk(SegmentFile target, int length, boolean last) throws IOException {
        Chunk.Mark mark =
                new Chunk.Mark(target.fileId(), target.written(), target.synced(), length - Chunk.MARK_BYTES, last);
        Chunk.seal(bytes, mark, crc);
        crc.reset();
        target.writeChunk(bytes.position(0).limit(length));
        lastFile = last ? null : target;
    }
}
