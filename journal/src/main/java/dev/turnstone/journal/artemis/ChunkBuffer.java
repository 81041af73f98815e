package dev.turnstone.journal.artemis;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.core.journal.EncodingSupport;
import org.jspecify.annotations.Nullable;

/**
 * The records that were encoded and not yet written, and the file they go to. Used by the journal's thread, and by the
 * compaction when it moves to a new file: guarded by its monitor.
 */
final class ChunkBuffer {
    private final Progress progress;
    private final ByteBuffer bytes;
    private final ActiveMQBuffer view;
    private @Nullable SegmentFile file;

    ChunkBuffer(int capacity, Progress progress) {
        this.progress = progress;
        this.bytes = ByteBuffer.allocateDirect(capacity);
        this.view = ActiveMQBuffers.wrappedBuffer(bytes.duplicate());
    }

    /** Encodes a record that goes to a file; a full buffer is written, not synced, first. */
    synchronized void add(SegmentFile target, EncodingSupport record) throws IOException {
        progress.check();
        if (file != target || view.writableBytes() < record.getEncodeSize()) {
            write(false);
            file = target;
        }
        if (view.writerIndex() == 0) {
            view.setIndex(0, Chunk.MARK_BYTES);
        }
        record.encode(view);
        target.buffered(view.writerIndex());
    }

    /** Writes what is encoded and syncs the file that it went to. */
    synchronized void commit() throws IOException {
        progress.check();
        write(false);
        if (file != null) {
            file.syncWritten();
        }
    }

    /** Writes what is encoded for a file and marks that nothing follows in it; the caller syncs and closes it. */
    synchronized void seal(SegmentFile target) throws IOException {
        progress.check();
        if (file != target) {
            write(false);
            file = target;
        }
        write(true);
        file = null;
    }

    /** Writes a chunk without records, whose mark says that everything before it is synced. */
    synchronized void confirmSynced() throws IOException {
        if (file != null && file.roomForMark()) {
            writeChunk(file, Chunk.MARK_BYTES, false);
            file.syncWritten();
        }
    }

    private void write(boolean last) throws IOException {
        SegmentFile target = file;
        if (target == null) {
            return;
        }
        int length = view.writerIndex();
        if (length > 0) {
            writeChunk(target, length, last);
        } else if (last && target.hasContent()) {
            writeChunk(target, Chunk.MARK_BYTES, true);
        }
    }

    private void writeChunk(SegmentFile target, int length, boolean last) throws IOException {
        Chunk.seal(bytes, length, target.fileId(), target.written(), target.synced(), last);
        target.writeChunk(bytes.position(0).limit(length));
        view.clear();
    }
}
