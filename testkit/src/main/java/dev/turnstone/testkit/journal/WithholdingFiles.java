package dev.turnstone.testkit.journal;

import dev.turnstone.journal.file.BlockFile;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A file layer that keeps written bytes in this process until they are synced, so that a process that is killed loses
 * what a machine that loses its power would. Without it the page cache survives the kill and hides a missing fsync.
 * Creations, renames and deletions happen at once; {@link #crash} undoes some of those whose folder was not synced, a
 * killed process cannot. Any thread.
 */
public final class WithholdingFiles implements FileLayer {
    private static final int SECTOR_BYTES = 512;

    private record Write(long position, ByteBuffer bytes) {
        long end() {
            return position + bytes.limit();
        }
    }

    private final FileLayer disk;
    private final FolderChanges changes;
    private final Map<Path, List<Write>> withheld = new HashMap<>();
    private final boolean syncs;
    private final long beforeNanos;
    private final long behindNanos;
    private boolean dead;

    /** A layer that writes through to the disk when a file is synced. */
    public WithholdingFiles() {
        this(FileLayer.system(), true, 0, 0);
    }

    private WithholdingFiles(FileLayer disk, boolean syncs, long beforeNanos, long behindNanos) {
        this.disk = disk;
        this.changes = new FolderChanges(disk);
        this.syncs = syncs;
        this.beforeNanos = beforeNanos;
        this.behindNanos = behindNanos;
    }

    /**
     * As above, but what is written through may stay in the page cache: faster, where {@link #crash} is the only crash
     * there is.
     */
    public static WithholdingFiles overPageCache() {
        return new WithholdingFiles(new UnsyncedFiles(), true, 0, 0);
    }

    /**
     * The mutant that says it has synced the files of journal and pages and has not, while it does sync new ones: a
     * crash test that does not catch it is worthless.
     */
    public static WithholdingFiles thatSkipFsync() {
        return new WithholdingFiles(FileLayer.system(), false, 0, 0);
    }

    /** A slow disk: each sync of a file of journal or pages begins so much later. */
    public static WithholdingFiles thatSyncAfter(Duration delay) {
        return new WithholdingFiles(FileLayer.system(), true, delay.toNanos(), 0);
    }

    /** A slow disk: each sync of a file of journal or pages ends so much later than its bytes are on the disk. */
    public static WithholdingFiles thatSayLate(Duration delay) {
        return new WithholdingFiles(FileLayer.system(), true, 0, delay.toNanos());
    }

    /**
     * The power fails: of the unsynced bytes some 512-byte sectors reach the disk, in any order, all or none at times.
     * Everything that is tried through this layer from now on fails; another layer sees what is left.
     */
    public synchronized void crash(Random random) throws IOException {
        dead = true;
        int mood = random.nextInt(3);
        for (Map.Entry<Path, List<Write>> entry : withheld.entrySet()) {
            if (disk.exists(entry.getKey())) {
                try (BlockFile file = disk.open(entry.getKey())) {
                    for (Write write : entry.getValue()) {
                        writeSome(file, write, mood == 0 ? 0 : mood == 1 ? 100 : 50, random);
                    }
                }
            }
        }
        withheld.clear();
        changes.undoSome(random);
    }

    /** As {@link #crash}, and nothing of the unsynced bytes reaches the disk: what a killed process leaves. */
    public synchronized void crashLosingAll() {
        dead = true;
        withheld.clear();
    }

    private static void writeSome(BlockFile file, Write write, int percent, Random random) throws IOException {
        long at = write.position();
        while (at < write.end()) {
            long next = Math.min(write.end(), (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
            if (random.nextInt(100) < percent) {
                file.write(write.bytes().slice((int) (at - write.position()), (int) (next - at)), at);
            }
            at = next;
        }
    }

    @Override
    public synchronized BlockFile open(Path path) throws IOException {
        alive();
        if (!disk.exists(path)) {
            changes.created(path);
        }
        return new WithholdingFile(path, disk.open(path));
    }

    @Override
    public boolean exists(Path file) {
        return disk.exists(file);
    }

    @Override
    public synchronized long size(Path file) throws IOException {
        alive();
        return Math.max(disk.size(file), withheldEnd(file));
    }

    @Override
    public long freeBytes(Path folder) throws IOException {
        return disk.freeBytes(folder);
    }

    @Override
    public List<String> list(Path folder) throws IOException {
        return disk.list(folder).stream()
                .filter(name -> !FolderChanges.isHidden(name))
                .toList();
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        alive();
        changes.rename(from, to);
        withheld.remove(to);
        List<Write> writes = withheld.remove(from);
        if (writes != null) {
            withheld.put(to, writes);
        }
    }

    @Override
    public synchronized void delete(Path file) throws IOException {
        alive();
        changes.delete(file);
        withheld.remove(file);
    }

    @Override
    public synchronized void syncFolder(Path folder) throws IOException {
        alive();
        disk.syncFolder(folder);
        changes.synced(folder);
    }

    private static void waitFor(long nanos) {
        if (nanos > 0) {
            LockSupport.parkNanos(nanos);
        }
    }

    private static boolean holdsMessages(String name) {
        return name.endsWith(".log") || name.endsWith(".page");
    }

    private void alive() throws IOException {
        if (dead) {
            throw new IOException("the power has failed");
        }
    }

    private long withheldEnd(Path path) {
        long end = 0;
        for (Write write : withheld.getOrDefault(path, List.of())) {
            end = Math.max(end, write.end());
        }
        return end;
    }

    private final class WithholdingFile implements BlockFile {
        private final Path path;
        private final BlockFile file;

        WithholdingFile(Path path, BlockFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            synchronized (WithholdingFiles.this) {
                alive();
                return Math.max(file.size(), withheldEnd(path));
            }
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            synchronized (WithholdingFiles.this) {
                alive();
                int start = target.position();
                int wanted = (int) Math.max(0, Math.min(target.remaining(), size() - position));
                ByteBuffer view = target.slice(start, wanted);
                int onDisk = file.read(view, position);
                for (int i = onDisk; i < wanted; i++) {
                    target.put(start + i, (byte) 0);
                }
                for (Write write : withheld.getOrDefault(path, List.of())) {
                    overlay(target, start, wanted, position, write);
                }
                target.position(start + wanted);
                return wanted;
            }
        }

        private void overlay(ByteBuffer target, int start, int length, long position, Write write) {
            long from = Math.max(position, write.position());
            long to = Math.min(position + length, write.end());
            if (from < to) {
                target.put(start + (int) (from - position), write.bytes(), (int) (from - write.position()), (int)
                        (to - from));
            }
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            synchronized (WithholdingFiles.this) {
                alive();
                ByteBuffer bytes =
                        ByteBuffer.allocate(source.remaining()).put(source).flip();
                withheld.computeIfAbsent(path, key -> new ArrayList<>()).add(new Write(position, bytes));
            }
        }

        @Override
        public void sync() throws IOException {
            boolean messages = holdsMessages(path.getFileName().toString());
            if (messages) {
                waitFor(beforeNanos);
            }
            synchronized (WithholdingFiles.this) {
                alive();
                if (!syncs && messages) {
                    return;
                }
                List<Write> writes = withheld.remove(path);
                if (writes != null) {
                    for (Write write : writes) {
                        file.write(write.bytes(), write.position());
                    }
                }
                file.sync();
            }
            if (messages) {
                waitFor(behindNanos);
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
