package dev.turnstone.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Another file layer's files as they are: who would change something gets an exception. Any thread. */
final class ReadOnlyFiles implements FileLayer {
    private final FileLayer disk;

    ReadOnlyFiles(FileLayer disk) {
        this.disk = disk;
    }

    @Override
    public BlockFile open(Path file) throws IOException {
        return new ReadOnlyFile(FileChannel.open(file, StandardOpenOption.READ));
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
    public void rename(Path from, Path to) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void delete(Path file) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void syncFolder(Path folder) {
        throw new ReadOnlyFileSystemException();
    }

    private record ReadOnlyFile(FileChannel channel) implements BlockFile {
        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            int total = 0;
            while (target.hasRemaining()) {
                int count = channel.read(target, position + total);
                if (count < 0) {
                    break;
                }
                total += count;
            }
            return total;
        }

        @Override
        public void write(ByteBuffer source, long position) {
            throw new ReadOnlyFileSystemException();
        }

        @Override
        public void sync() {
            throw new ReadOnlyFileSystemException();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
