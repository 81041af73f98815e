package dev.turnstone.journal.artemis;

import static dev.turnstone.journal.JournalException.Kind;

import dev.turnstone.journal.JournalException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The right to use a folder, against other processes and other journals of this one. Any thread. */
final class FolderLock implements AutoCloseable {
    static final String FILE = "turnstone.lock";

    // Static, because a POSIX file lock belongs to the process: closing any other channel on the file would drop it, so
    // a second journal of this process must be refused before it opens one.
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    // Channels that met a lock of this process which another class loader took: closing them would drop that lock.
    private static final Queue<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

    private final Path key;
    private final FileChannel channel;

    private FolderLock(Path key, FileChannel channel) {
        this.key = key;
        this.channel = channel;
    }

    /** Takes the lock of an existing folder. */
    static FolderLock take(Path folder) {
        Path key;
        try {
            key = folder.toRealPath();
        } catch (IOException e) {
            throw new JournalException(Kind.UNUSABLE, "cannot use the data folder " + folder + ": " + e, e);
        }
        if (!TAKEN.add(key)) {
            throw locked(folder, "by another broker in this process");
        }
        try {
            FolderLock lock = new FolderLock(key, lockedChannel(folder));
            return lock;
        } catch (IOException e) {
            TAKEN.remove(key);
            throw new JournalException(Kind.UNUSABLE, "cannot lock the data folder " + folder + ": " + e, e);
        } catch (RuntimeException e) {
            TAKEN.remove(key);
            throw e;
        }
    }

    private static FileChannel lockedChannel(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(FILE), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            NEVER_CLOSED.add(channel);
            throw locked(folder, "by another broker in this process");
        }
        if (lock == null) {
            channel.close();
            throw locked(folder, "by another process");
        }
        return channel;
    }

    private static JournalException locked(Path folder, String by) {
        return new JournalException(Kind.LOCKED, "the data folder " + folder + " is in use " + by);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new JournalException(Kind.IO, "cannot release the data folder " + key + ": " + e, e);
        } finally {
            TAKEN.remove(key);
        }
    }
}
