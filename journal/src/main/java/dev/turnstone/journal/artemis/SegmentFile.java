package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.file.BlockFile;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Function;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.journal.EncodingSupport;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.jspecify.annotations.Nullable;

/**
 * One of the library's files. Appends go through the {@link GroupCommit}; everything else goes to the disk at once. Any
 * failure stops the journal, whatever the library makes of the exception. Each file is used by one thread at a time,
 * but that the {@link SyncThread} syncs what was written while more is.
 */
final class SegmentFile extends UnusedOperations {
    private static final int FILL_STEP_BYTES = 1 << 20;

    private final SegmentFiles files;
    private volatile Path path;
    private volatile @Nullable BlockFile block;
    private volatile int fileId;
    private volatile boolean complete;
    private volatile boolean leftOver;
    private volatile boolean closesWhenSynced;
    private volatile int written;
    private volatile int synced;

    /** Behind everything that was encoded; not volatile, since the library's locks hand it on with the file. */
    private int reserved;

    SegmentFile(SegmentFiles files, String name) {
        this.files = files;
        this.path = files.folder().resolve(name);
    }

    // What the group commit needs.

    int fileId() {
        return fileId;
    }

    int written() {
        return written;
    }

    int synced() {
        return synced;
    }

    boolean hasContent() {
        return written > JournalImpl.SIZE_HEADER;
    }

    boolean roomForMark() {
        return reserved + 2 * Chunk.MARK_BYTES <= files.layout().contentBytes();
    }

    /** True if nothing may be appended any more: sealed, or written by a compaction. */
    boolean complete() {
        return complete;
    }

    /** True if what a crash left behind the end would count again if anything else took its place. */
    boolean leftOver() {
        return leftOver;
    }

    /** Takes room for what was encoded, or will be written, behind all that has room already. */
    void reserve(int bytes) {
        reserved += bytes;
    }

    void writeChunk(ByteBuffer chunk) throws IOException {
        int end = written + chunk.remaining();
        attempt("write", () -> opened().write(chunk, written));
        written = end;
    }

    void syncWritten() throws IOException {
        if (written > synced) {
            int upTo = written;
            attempt("fsync", () -> opened().sync());
            synced = upTo;
        }
    }

    /** Marks that nothing follows in this file, which is synced with the next group, or at once. */
    void seal(boolean now) throws IOException, InterruptedException {
        if (!complete) {
            files.commit().seal(this);
            complete = true;
        }
        if (now) {
            files.commit().finishSeal();
        }
    }

    /** From now on {@link #closeSealed} closes this, not the library. */
    void closeWhenSynced() {
        closesWhenSynced = true;
    }

    void closeSealed() throws IOException {
        closeBlock();
    }

    /** Closes this, whatever becomes of it. */
    void abandon() {
        try {
            closeBlock();
        } catch (IOException e) {
            files.progress().failed("close of " + path, e);
        }
    }

    // What the library needs.

    @Override
    public boolean isOpen() {
        return block != null;
    }

    @Override
    public boolean exists() {
        return files.layer().exists(path);
    }

    @Override
    public void open() throws IOException {
        open(1, false);
    }

    @Override
    public void open(int maxIO, boolean useExecutor) throws IOException {
        attempt("open", () -> {
            boolean created = !files.layer().exists(path);
            BlockFile opened = files.layer().open(path);
            block = opened;
            closesWhenSynced = false;
            if (created) {
                files.layer().syncFolder(files.folder());
            } else if (isSegment()) {
                ByteBuffer header = ByteBuffer.allocate(JournalImpl.SIZE_HEADER);
                if (opened.read(header, 0) == JournalImpl.SIZE_HEADER) {
                    fileId = SegmentLayout.fileId(header);
                }
            }
        });
        moveTo(0);
    }

    @Override
    public boolean fits(int size) {
        // A mark before the record, one that seals the file, one that a clean shutdown leaves.
        return (long) reserved + size + 3 * Chunk.MARK_BYTES <= files.layout().contentBytes();
    }

    @Override
    public int calculateBlockStart(int position) {
        return position;
    }

    @Override
    public String getFileName() {
        return path.getFileName().toString();
    }

    @Override
    public void fill(int size) throws IOException {
        attempt("preallocation", () -> {
            ByteBuffer zeros = ByteBuffer.allocateDirect(FILL_STEP_BYTES);
            int end = size + SegmentLayout.TRAILER_BYTES;
            for (int at = 0; at < end; at += FILL_STEP_BYTES) {
                zeros.clear().limit(Math.min(FILL_STEP_BYTES, end - at));
                opened().write(zeros, at);
            }
            opened().sync();
        });
        moveTo(0);
    }

    @Override
    public void delete() throws IOException {
        close(false, false);
        attempt("deletion", () -> {
            files.layer().delete(path);
            files.layer().syncFolder(files.folder());
        });
    }

    @Override
    public void write(EncodingSupport bytes, boolean sync, IOCallback callback) throws Exception {
        write(bytes, sync);
    }

    @Override
    public void write(EncodingSupport bytes, boolean sync) throws Exception {
        files.commit().add(this, bytes);
        if (sync) {
            files.commit().commitNow();
        }
    }

    @Override
    public void writeDirect(ByteBuffer bytes, boolean sync) throws IOException {
        if (written == 0 && isSegment()) {
            fileId = SegmentLayout.fileId(bytes);
            complete = false;
            leftOver = false;
        }
        int length = bytes.remaining();
        attempt("write", () -> {
            opened().write(bytes, written);
            if (sync) {
                opened().sync();
            }
        });
        moveTo(written + length);
    }

    @Override
    public int read(ByteBuffer bytes, @Nullable IOCallback callback) throws Exception {
        return read(bytes);
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
        boolean whole = written == 0 && bytes.remaining() > JournalImpl.SIZE_HEADER && isSegment();
        int[] count = new int[1];
        attempt("read", () -> count[0] = opened().read(bytes, written));
        bytes.flip();
        if (whole) {
            hideWhatDoesNotCount(bytes);
            // For the sake of what it rolls back: a compaction must know of it before it comes to what was torn.
            AddedRecords.of(this, bytes, files.torn(), id -> false);
        }
        moveTo(written + count[0]);
        return count[0];
    }

    /** Reads the whole file, which is not open, and shows its content, of which what does not count is zero. */
    <T> T read(Function<ByteBuffer, T> reader) throws IOException {
        open();
        ByteBuffer content = files.allocateDirectBuffer((int) size());
        try {
            attempt("read", () -> opened().read(content, 0));
            hideWhatDoesNotCount(content.flip());
            return reader.apply(content);
        } finally {
            files.releaseDirectBuffer(content);
            close(false, false);
        }
    }

    /** The library searches a whole file for anything that looks like a record, so it sees only what was checked. */
    private void hideWhatDoesNotCount(ByteBuffer content) throws IOException {
        SegmentScan scan = SegmentScan.of(content, trailer());
        if (scan.damaged()) {
            throw files.progress()
                    .failed(
                            "reading",
                            new JournalException(Kind.CORRUPT, path + " is damaged at position " + scan.damageAt()));
        }
        complete = scan.complete();
        leftOver = scan.leftOver();
        byte[] zeros = new byte[8192];
        for (int at = scan.dataEnd(); at < content.limit(); at += zeros.length) {
            content.put(at, zeros, 0, Math.min(zeros.length, content.limit() - at));
        }
    }

    private ByteBuffer trailer() throws IOException {
        ByteBuffer trailer = ByteBuffer.allocate(SegmentLayout.TRAILER_BYTES);
        attempt("read", () -> opened().read(trailer, files.layout().contentBytes()));
        return trailer.flip();
    }

    @Override
    public void position(long position) {
        moveTo((int) position);
    }

    @Override
    public long position() {
        return reserved;
    }

    @Override
    public void close() throws IOException {
        close(true, true);
    }

    @Override
    public void close(boolean waitSync, boolean blockOnWait) throws IOException {
        if (closesWhenSynced) {
            return;
        }
        try {
            if (block != null && waitSync && !files.progress().hasFailed()) {
                syncWritten();
            }
        } finally {
            closeBlock();
        }
    }

    private void closeBlock() throws IOException {
        BlockFile open = block;
        if (open != null) {
            block = null;
            attempt("close", open::close);
        }
    }

    @Override
    public void sync() throws IOException {
        attempt("fsync", () -> opened().sync());
    }

    @Override
    public long size() throws IOException {
        long[] size = new long[1];
        attempt("size", () -> {
            BlockFile open = block;
            size[0] = open == null ? files.layer().size(path) : open.size();
        });
        return isSegment() ? Math.min(size[0], files.layout().contentBytes()) : size[0];
    }

    @Override
    public void renameTo(String newFileName) throws IOException {
        close();
        Path target = files.folder().resolve(newFileName);
        attempt("rename", () -> {
            files.layer().rename(path, target);
            files.layer().syncFolder(files.folder());
        });
        path = target;
    }

    @Override
    public SequentialFile cloneFile() {
        return new SegmentFile(files, getFileName());
    }

    @Override
    public File getJavaFile() {
        return path.toFile();
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private void moveTo(int position) {
        // A group that was written before may still be looked at: at no moment is more written than synced.
        synced = Integer.MAX_VALUE;
        written = position;
        synced = position;
        reserved = position;
    }

    /** False for the control file of a compaction. */
    private boolean isSegment() {
        return getFileName().startsWith(SegmentLayout.PREFIX + "-");
    }

    private BlockFile opened() throws IOException {
        BlockFile open = block;
        if (open == null) {
            throw new IOException(path + " is not open");
        }
        return open;
    }

    @FunctionalInterface
    private interface Operation {
        void run() throws IOException;
    }

    private void attempt(String what, Operation operation) throws IOException {
        try {
            operation.run();
        } catch (IOException e) {
            files.progress().failed(what + " of " + path, e);
            throw e;
        }
    }
}
