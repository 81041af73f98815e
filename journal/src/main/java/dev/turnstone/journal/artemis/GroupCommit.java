package dev.turnstone.journal.artemis;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.activemq.artemis.core.journal.EncodingSupport;
import org.jspecify.annotations.Nullable;

/**
 * Two buffers: one is filled while the other is written and synced. The journal's thread fills; a small group it also
 * writes itself, which saves a hop to another thread; a large one it hands to the {@link SyncThread} and goes on. A
 * compaction seals the file that it leaves. Any of them; guarded by the lock, which nobody holds while the disk works
 * but to seal. Who waits for the disk and who waits for a group are woken apart: a monitor would wake the sync thread
 * for each group that is not its own.
 */
final class GroupCommit {
    /** With less outstanding, too little arrives during a sync to be worth a second thread. */
    private static final int SMALL_LOAD_BYTES = 256 << 10;

    /** A group of this size goes as soon as the disk is idle, though more is queued: the rest is encoded meanwhile. */
    private static final int LARGE_GROUP_BYTES = 128 << 10;

    /** A group of many tiny batches ends here, so that a flood of them cannot put off the sync for ever. */
    private static final int GROUP_BATCHES_MAX = 4096;

    /** A group whose buffer is being written: everything up to the LSN was encoded in it or before it. */
    record Group(ChunkBuffer buffer, long lsn, long bytes, boolean relaxed, boolean onSyncThread) {}

    /** What was encoded since the last group began. */
    private static final class Encoded {
        long lsn;
        long bytes;
        int batches;
        boolean relaxed = true;
    }

    private final Progress progress;
    private final Relaxation relaxation;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition diskIdle = lock.newCondition();
    private final Condition groupForSyncThread = lock.newCondition();
    private final Encoded encoded = new Encoded();
    private ChunkBuffer active;
    private ChunkBuffer spare;
    private @Nullable Group writing;
    private @Nullable SegmentFile lastWritten;
    private volatile Runnable whenIdle = () -> {};

    GroupCommit(int bufferBytes, Progress progress) {
        this.progress = progress;
        this.relaxation = new Relaxation(progress.limits());
        this.active = new ChunkBuffer(bufferBytes);
        this.spare = new ChunkBuffer(bufferBytes);
    }

    /** What is written and not synced yet. */
    Relaxation relaxation() {
        return relaxation;
    }

    /** Sets what to call when a write has ended and the next group may go. */
    void whenIdle(Runnable action) {
        whenIdle = action;
    }

    /** Encodes a record; waits for the disk if both buffers are full. */
    void add(SegmentFile target, EncodingSupport record) throws InterruptedException {
        lock.lock();
        try {
            progress.check();
            while (!active.takes(target, record.getEncodeSize())) {
                awaitIdle();
                // The sync thread may have taken the full buffer while this one waited.
                if (!active.takes(target, record.getEncodeSize())) {
                    start(true);
                }
            }
            active.add(target, record);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a batch is encoded completely; true if the group is large enough to go without waiting for more. */
    boolean batchEnded(long bytes, boolean relaxed) {
        lock.lock();
        try {
            encoded.lsn++;
            encoded.bytes += bytes;
            encoded.batches++;
            encoded.relaxed &= relaxed;
            return active.length() >= LARGE_GROUP_BYTES || encoded.batches >= GROUP_BATCHES_MAX;
        } finally {
            lock.unlock();
        }
    }

    /** True while a group is being written and synced. */
    boolean writing() {
        lock.lock();
        try {
            return writing != null;
        } finally {
            lock.unlock();
        }
    }

    /** True if there is something to commit, or to sync at last, and no write is under way. */
    boolean ready() {
        lock.lock();
        try {
            return writing == null && (encoded.batches > 0 || relaxation.isOver());
        } finally {
            lock.unlock();
        }
    }

    /** True if nothing waits for a commit or a sync, and no write is under way. */
    boolean idle() {
        lock.lock();
        try {
            return writing == null && encoded.batches == 0 && !relaxation.isOn();
        } finally {
            lock.unlock();
        }
    }

    /** Commits what was encoded, here or on the sync thread, if no write is under way. */
    void commitIfReady() throws IOException {
        Group own;
        lock.lock();
        try {
            progress.check();
            if (!ready()) {
                return;
            }
            boolean handOver = isLoaded();
            own = start(handOver);
            if (handOver) {
                return;
            }
        } finally {
            lock.unlock();
        }
        writeAndSync(own);
    }

    /** Commits what was encoded and returns when it is durable. */
    void commitNow() throws IOException, InterruptedException {
        Group own;
        lock.lock();
        try {
            progress.check();
            awaitIdle();
            encoded.relaxed = false;
            own = start(false);
        } finally {
            lock.unlock();
        }
        writeAndSync(own);
    }

    /** Writes what is encoded for a file and marks that nothing follows in it; the caller syncs and closes it. */
    void seal(SegmentFile target) throws IOException, InterruptedException {
        lock.lock();
        try {
            progress.check();
            awaitIdle();
            if (!active.isEmpty()) {
                active.write(true);
            } else if (target.hasContent()) {
                active.writeMark(target, true);
            }
            lastWritten = null;
        } finally {
            lock.unlock();
        }
    }

    /** Writes a mark which says that everything before it is synced; for an orderly close. */
    void confirmSynced() throws IOException {
        lock.lock();
        try {
            if (!active.isEmpty()) {
                // What load appended, if nothing followed.
                lastWritten = active.write(false);
                lastWritten.syncWritten();
            }
            SegmentFile target = lastWritten;
            if (target != null && target.roomForMark()) {
                active.writeMark(target, false);
                target.syncWritten();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a group that is the sync thread's; null when the journal has failed. */
    @Nullable
    Group awaitGroup() throws InterruptedException {
        lock.lock();
        try {
            Group group = writing;
            while (group == null || !group.onSyncThread()) {
                if (progress.hasFailed()) {
                    return null;
                }
                groupForSyncThread.await();
                group = writing;
            }
            return group;
        } finally {
            lock.unlock();
        }
    }

    /** Swaps the buffers; what was filled is the group to write. */
    private Group start(boolean onSyncThread) {
        boolean relaxed = encoded.relaxed && encoded.batches > 0;
        Group group = new Group(active, encoded.lsn, encoded.bytes, relaxed, onSyncThread);
        active = spare;
        spare = group.buffer();
        writing = group;
        encoded.bytes = 0;
        encoded.batches = 0;
        encoded.relaxed = true;
        if (onSyncThread) {
            groupForSyncThread.signal();
        }
        return group;
    }

    /** Writes a group, syncs it and confirms its batches; then the next may go. */
    void writeAndSync(Group group) throws IOException {
        end(written(group));
        whenIdle.run();
    }

    /**
     * As {@link #writeAndSync}, and goes on with what was encoded meanwhile if that is worth it; for the sync thread.
     */
    void writeAndSyncAll(Group first) throws IOException {
        for (Group group = first; group != null; ) {
            @Nullable SegmentFile file = written(group);
            group = endAndContinue(file);
        }
        whenIdle.run();
    }

    private @Nullable SegmentFile written(Group group) throws IOException {
        SegmentFile file = group.buffer().isEmpty() ? null : group.buffer().write(false);
        if (group.relaxed() && relaxation.puts(file, group.bytes())) {
            progress.written(group.lsn());
            return file;
        }
        SegmentFile target = file == null ? relaxation.file() : file;
        if (target != null) {
            long began = System.nanoTime();
            target.syncWritten();
            progress.synced(System.nanoTime() - began);
        }
        progress.durable(group.lsn(), group.bytes() + relaxation.end());
        return file;
    }

    private void end(@Nullable SegmentFile file) {
        lock.lock();
        try {
            if (file != null) {
                lastWritten = file;
            }
            writing = null;
            diskIdle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Group endAndContinue(@Nullable SegmentFile file) {
        lock.lock();
        try {
            end(file);
            boolean worthIt = encoded.batches > 0 && isLoaded();
            return worthIt ? start(false) : null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isLoaded() {
        return progress.outstandingBytes() - relaxation.bytes() >= SMALL_LOAD_BYTES;
    }

    private void awaitIdle() throws InterruptedException {
        while (writing != null) {
            progress.check();
            diskIdle.await();
        }
    }
}
