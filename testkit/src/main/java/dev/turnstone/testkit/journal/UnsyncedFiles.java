package dev.turnstone.testkit.journal;

import dev.turnstone.journal.file.BlockFile;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine's file system without its syncs, for tests that look at what files hold and not at whether it would
 * survive: they open thousands of journals, and a sync on a busy disk takes longer than all the rest. Any thread.
 */
public final class UnsyncedFiles implements FileLayer {
    private final FileLayer disk = FileLayer.system();

    @Override
    public BlockFile open(Path file) throws IOException {
        return new UnsyncedFile(disk.open(file));
    }

    @Override
    public boolean exists(Path file) {
        return disk.exists(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return disk.size(file);
    }

    @Override
    public long freeBytes(Path folder) throws IOException {
        return disk.freeBytes(folder);
    }

    @Override
    public List<String> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        disk.delete(file);
    }

    @Override
    public void syncFolder(Path folder) {
        // See the class.
    }

    private record UnsyncedFile(BlockFile file) implements BlockFile {
        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            file.write(source, position);
        }

        @Override
        public void sync() {
            // See the class.
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
