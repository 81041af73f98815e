package dev.turnstone.testkit.journal;

import dev.turnstone.journal.file.BlockFile;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A file layer over another that fails on demand, as a full or dying disk does. Any thread. */
public final class FaultyFiles implements FileLayer {
    /** What can fail. */
    public enum Operation {
        OPEN,
        READ,
        WRITE,
        SYNC,
        RENAME,
        DELETE,
        SYNC_FOLDER
    }

    private final FileLayer disk;
    private @Nullable Operation failing;
    private Predicate<Path> where = path -> true;
    private int left;
    private int failures;
    private long freeBytes = -1;

    /** Nothing fails until {@link #fail}. */
    public FaultyFiles(FileLayer disk) {
        this.disk = disk;
    }

    /** Fails the n-th next operation of a kind (1 is the very next) on a matching file, and every one after it. */
    public synchronized void fail(Operation operation, int nth, Predicate<Path> onFile) {
        failing = operation;
        left = nth;
        where = onFile;
    }

    /** As above on any file. */
    public void fail(Operation operation, int nth) {
        fail(operation, nth, path -> true);
    }

    /** Nothing fails any more. */
    public synchronized void heal() {
        failing = null;
    }

    /** How many operations have failed. */
    public synchronized int failures() {
        return failures;
    }

    private void pass(Operation operation, Path path) throws IOException {
        Predicate<Path> matches;
        synchronized (this) {
            if (operation != failing) {
                return;
            }
            matches = where;
        }
        // Not under the lock: a test may hold an operation up here while others go on.
        if (matches.test(path)) {
            strike(operation, path);
        }
    }

    private synchronized void strike(Operation operation, Path path) throws IOException {
        if (--left <= 0) {
            failures++;
            throw new IOException(operation + " of " + path.getFileName() + ": No space left on device");
        }
    }

    @Override
    public BlockFile open(Path file) throws IOException {
        pass(Operation.OPEN, file);
        return new FaultyFile(file, disk.open(file));
    }

    @Override
    public boolean exists(Path file) {
        return disk.exists(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return disk.size(file);
    }

    /** The disk has this much room from now on, whatever is written. */
    public synchronized void freeBytes(long bytes) {
        freeBytes = bytes;
    }

    @Override
    public synchronized long freeBytes(Path folder) throws IOException {
        return freeBytes >= 0 ? freeBytes : disk.freeBytes(folder);
    }

    @Override
    public List<String> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        pass(Operation.RENAME, from);
        disk.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        pass(Operation.DELETE, file);
        disk.delete(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        pass(Operation.SYNC_FOLDER, folder);
        disk.syncFolder(folder);
    }

    private final class FaultyFile implements BlockFile {
        private final Path path;
        private final BlockFile file;

        FaultyFile(Path path, BlockFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            pass(Operation.READ, path);
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            pass(Operation.WRITE, path);
            file.write(source, position);
        }

        @Override
        public void sync() throws IOException {
            pass(Operation.SYNC, path);
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
