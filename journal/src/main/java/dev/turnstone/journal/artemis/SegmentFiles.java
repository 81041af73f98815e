package dev.turnstone.journal.artemis;

import dev.turnstone.journal.file.FileLayer;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.jspecify.annotations.Nullable;

/** Gives the library its files, and hears of its troubles. Any thread. */
final class SegmentFiles implements SequentialFileFactory {
    private static final int SPARE_BUFFERS_MAX = 2;

    private final Path folder;
    private final FileLayer layer;
    private final SegmentLayout layout;
    private final Progress progress;
    private final GroupCommit commit;
    private final int bufferBytes;
    private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();
    private final Set<Long> torn = ConcurrentHashMap.newKeySet();

    SegmentFiles(Path folder, FileLayer layer, SegmentLayout layout, Progress progress, int bufferBytes) {
        this.folder = folder;
        this.layer = layer;
        this.layout = layout;
        this.progress = progress;
        this.bufferBytes = bufferBytes;
        this.commit = new GroupCommit(bufferBytes, progress);
    }

    /** The library's transactions that a crash tore, as far as files hold something of them: that never happened. */
    Set<Long> torn() {
        return torn;
    }

    Path folder() {
        return folder;
    }

    FileLayer layer() {
        return layer;
    }

    SegmentLayout layout() {
        return layout;
    }

    Progress progress() {
        return progress;
    }

    GroupCommit commit() {
        return commit;
    }

    @Override
    public SequentialFile createSequentialFile(String fileName) {
        return new SegmentFile(this, fileName);
    }

    @Override
    public List<String> listFiles(String extension) throws Exception {
        return layer.list(folder).stream()
                .filter(name -> name.endsWith("." + extension))
                .toList();
    }

    @Override
    public void onIOError(@Nullable Throwable exception, @Nullable String message, @Nullable String file) {
        String what = "the journal library" + (file == null ? "" : " on " + file);
        progress.failed(what, exception == null ? new IllegalStateException(String.valueOf(message)) : exception);
    }

    @Override
    public void setCriticalErrorListener(@Nullable IOCriticalErrorListener listener) {
        // onIOError above is the one way in which the library reports what it cannot go on from.
    }

    @Override
    public boolean isSupportsCallbacks() {
        // Only a stock buffer completes callbacks; here the journal's thread confirms what it synced.
        return false;
    }

    @Override
    public int getMaxIO() {
        return 1;
    }

    @Override
    public synchronized ByteBuffer allocateDirectBuffer(int size) {
        ByteBuffer buffer = spare.poll();
        if (buffer == null || buffer.capacity() < size) {
            buffer = ByteBuffer.allocateDirect(Math.max(size, layout.fileBytes()));
        }
        return buffer.clear().limit(size);
    }

    @Override
    public synchronized void releaseDirectBuffer(ByteBuffer buffer) {
        if (spare.size() < SPARE_BUFFERS_MAX) {
            spare.add(buffer);
        }
    }

    @Override
    public ByteBuffer newBuffer(int size) {
        return ByteBuffer.allocate(size);
    }

    @Override
    public void releaseBuffer(ByteBuffer buffer) {
        // On the heap: the collector's.
    }

    @Override
    public void clearBuffer(ByteBuffer buffer) {
        for (int i = 0; i < buffer.limit(); i++) {
            buffer.put(i, (byte) 0);
        }
    }

    @Override
    public ByteBuffer wrapBuffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public void activateBuffer(SequentialFile file) {
        // The group commit follows the file that the library writes to.
    }

    @Override
    public void deactivateBuffer() {
        // As above: the library moves on through moveNextFile, which seals.
    }

    @Override
    public int getAlignment() {
        return 1;
    }

    @Override
    public SequentialFileFactory setAlignment(int alignment) {
        return this;
    }

    @Override
    public int calculateBlockSize(int bytes) {
        return bytes;
    }

    @Override
    public File getDirectory() {
        return folder.toFile();
    }

    @Override
    public void start() {
        // Nothing runs here.
    }

    @Override
    public void stop() {
        // Nothing runs here.
    }

    @Override
    public void createDirs() {
        // The data folder is made before the library sees it.
    }

    @Override
    public void flush() {
        // The library asks for it when it stops; the journal's thread has committed by then.
    }

    @Override
    public SequentialFileFactory setDatasync(boolean enabled) {
        return this;
    }

    @Override
    public boolean isDatasync() {
        return true;
    }

    @Override
    public long getBufferSize() {
        return (long) bufferBytes - Chunk.MARK_BYTES;
    }
}
