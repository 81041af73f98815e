package dev.turnstone.xa;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder of the manager's log: locked, and with the node's id. Any thread. */
final class StoreFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFolder.class);

    private final Path folder;
    private final FileChannel channel;
    private final String nodeId;

    private StoreFolder(Path folder, FileChannel channel, String nodeId) {
        this.folder = folder;
        this.channel = channel;
        this.nodeId = nodeId;
    }

    static StoreFolder open(Path folder) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean opened = false;
        try {
            if (tryLock(channel) == null) {
                throw new IOException("another process uses the transaction log in " + folder.toAbsolutePath());
            }
            StoreFolder open = new StoreFolder(folder, channel, nodeId(folder.resolve("node-id")));
            opened = true;
            return open;
        } finally {
            if (!opened) {
                channel.close();
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String nodeId(Path file) throws IOException {
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        String made = Long.toUnsignedString(new SecureRandom().nextLong(), Character.MAX_RADIX);
        // In place as a whole, and on disk, before any branch carries it: who loses it cannot recover.
        Path draft = file.resolveSibling("node-id.draft");
        try (FileChannel out = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            out.write(java.nio.ByteBuffer.wrap(made.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            out.force(true);
        }
        Files.move(draft, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel entries = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            entries.force(true);
        }
        return made;
    }

    Path path() throws IOException {
        return folder.toRealPath();
    }

    Path log() {
        return folder.resolve("log");
    }

    String nodeId() {
        return nodeId;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("Closing the lock of {} failed", folder, e);
        }
    }
}
