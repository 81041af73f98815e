package dev.turnstone.journal.artemis;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.activemq.artemis.core.journal.EncodingSupport;
import org.jspecify.annotations.Nullable;

/**
 * What is appended goes through three stages: encoded, written, durable. The journal's thread encodes and writes, and
 * syncs as well while little is outstanding, which saves a hop to another thread. A large group it leaves to the
 * {@link SyncThread}, and goes on: what it writes during a sync is ready for the next one. A compaction seals the file
 * that it leaves, on the same thread. The lock guards what was written and is not being synced; nobody holds it while
 * the disk works. Who waits for the disk and who waits for a group are woken apart: a monitor would wake the sync
 * thread for each group that is not its own.
 */
final class GroupCommit {
    /** With less outstanding, too little arrives during a sync to be worth a second thread. */
    private static final int SMALL_LOAD_BYTES = 256 << 10;

    /** So much is written though more is queued: the rest is encoded while the disk works. */
    private static final int LARGE_CHUNK_BYTES = 128 << 10;

    /** While the disk works, writing less costs more than it saves when the disk is done. */
    private static final int CHUNK_WORTH_WRITING_BYTES = 64 << 10;

    /** A chunk of many tiny batches ends here, so that a flood of them cannot put off the sync for ever. */
    private static final int CHUNK_BATCHES_MAX = 4096;

    /**
     * Batches that go on together, those up to an LSN, and the file that the last of their bytes are in.
     *
     * @param seals true if nothing follows in that file
     */
    record Group(@Nullable SegmentFile file, long lsn, long bytes, int batches, boolean relaxed, boolean seals) {
        /** Nothing, behind what ends at an LSN. */
        static Group behind(long lsn) {
            return new Group(null, lsn, 0, 0, true, false);
        }

        boolean isEmpty() {
            return batches == 0 && !seals;
        }

        Group in(@Nullable SegmentFile target) {
            return new Group(target, lsn, bytes, batches, relaxed, seals);
        }

        Group sealing(SegmentFile target) {
            return new Group(target, lsn, bytes, batches, false, true);
        }

        Group hurried() {
            return new Group(file, lsn, bytes, batches, false, seals);
        }

        Group and(Group later) {
            SegmentFile last = later.file == null ? file : later.file;
            boolean allRelaxed = relaxed && later.relaxed;
            return new Group(
                    last, later.lsn, bytes + later.bytes, batches + later.batches, allRelaxed, seals || later.seals);
        }
    }

    private final Progress progress;
    private final Relaxation relaxation;
    private final Seals seals;
    private final ChunkBuffer buffer;

    /** What was encoded since the last chunk was written; the journal's thread alone. */
    private Group encoded = Group.behind(0);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition diskIdle = lock.newCondition();
    private final Condition groupForSyncThread = lock.newCondition();
    // Changed under the lock, looked at without: a lock parks by the permit that is to wake who looks.
    private volatile Group written = Group.behind(0);
    private volatile boolean syncing;
    private @Nullable Group forSyncThread;
    private volatile Runnable whenIdle = () -> {};

    GroupCommit(int bufferBytes, Progress progress) {
        this.progress = progress;
        this.relaxation = new Relaxation(progress.limits());
        this.seals = new Seals(progress);
        this.buffer = new ChunkBuffer(bufferBytes);
    }

    /** What is written and not synced yet. */
    Relaxation relaxation() {
        return relaxation;
    }

    /** What is sealed and not synced yet. */
    Seals seals() {
        return seals;
    }

    /** Sets what to call when the sync thread has come to an end and the next group may go. */
    void whenIdle(Runnable action) {
        whenIdle = action;
    }

    /** Encodes a record; writes what came before if the buffer is full. */
    void add(SegmentFile target, EncodingSupport record) throws IOException, InterruptedException {
        progress.check();
        if (!buffer.takes(target, record.getEncodeSize())) {
            write();
        }
        buffer.add(target, record);
    }

    /** Notes that a batch is encoded completely; true if there is enough to go on without waiting for more. */
    boolean batchEnded(long bytes, boolean relaxed) {
        encoded = encoded.and(new Group(null, encoded.lsn() + 1, bytes, 1, relaxed, false));
        return buffer.length() >= LARGE_CHUNK_BYTES || encoded.batches() >= CHUNK_BATCHES_MAX;
    }

    /** True while a sync is under way. */
    boolean syncing() {
        return syncing;
    }

    /** True if there is something that {@link #goOn} would do, with nothing more queued. */
    boolean ready() {
        return syncing
                ? buffer.length() >= CHUNK_WORTH_WRITING_BYTES && seals.pending() == null
                : !encoded.isEmpty() || !written.isEmpty() || relaxation.isOver();
    }

    /** True if everything is durable. */
    boolean idle() {
        // In this order: a sync is said to be under way before what it takes is no longer there.
        return encoded.isEmpty() && written.isEmpty() && !syncing && !relaxation.isOn();
    }

    /** Writes what is encoded; if no sync is under way, all that is written is synced, here or on the sync thread. */
    void goOn() throws IOException, InterruptedException {
        progress.check();
        if (seals.pending() == null) {
            write();
        }
        Group own;
        lock.lock();
        try {
            if (syncing || (written.isEmpty() && !relaxation.isOver())) {
                return;
            }
            own = begin();
            if (isLoaded()) {
                forSyncThread = own;
                groupForSyncThread.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        sync(own);
        end();
    }

    /** Commits what is encoded and returns when it is durable. */
    void commitNow() throws IOException, InterruptedException {
        progress.check();
        write();
        Group own;
        lock.lock();
        try {
            awaitIdle();
            own = begin().hurried();
        } finally {
            lock.unlock();
        }
        sync(own);
        end();
    }

    /**
     * Writes what is encoded for a file and marks that nothing follows in it. It is synced and closed with the next
     * group; until then, what follows it is encoded but not written, so that no file has anything while the one before
     * may be torn.
     */
    void seal(SegmentFile target) throws IOException, InterruptedException {
        progress.check();
        finishSeal();
        if (!buffer.isEmpty()) {
            buffer.write(true);
        } else if (target.hasContent() || target.leftOver()) {
            buffer.writeMark(target, true);
        } else {
            return;
        }
        lock.lock();
        try {
            seals.begin(target);
            written = written.and(encoded.sealing(target));
        } finally {
            lock.unlock();
        }
        encoded = Group.behind(encoded.lsn());
    }

    /** Returns when the file that was sealed last is synced. */
    void finishSeal() throws IOException, InterruptedException {
        while (seals.pending() != null) {
            Group own;
            lock.lock();
            try {
                awaitIdle();
                own = begin();
            } finally {
                lock.unlock();
            }
            sync(own);
            end();
        }
    }

    /** Writes a mark which says that everything before it is synced; for an orderly close. */
    void confirmSynced() throws IOException, InterruptedException {
        // What load appended may be there, if nothing followed.
        write();
        SegmentFile target = buffer.lastFile();
        if (target == null) {
            return;
        }
        target.syncWritten();
        if (target.roomForMark()) {
            buffer.writeMark(target, false);
            target.syncWritten();
        }
    }

    /** Waits for a group that is the sync thread's; null when the journal has failed. */
    @Nullable
    Group awaitGroup() throws InterruptedException {
        lock.lock();
        try {
            while (forSyncThread == null && !progress.hasFailed()) {
                groupForSyncThread.await();
            }
            Group group = forSyncThread;
            forSyncThread = null;
            return group;
        } finally {
            lock.unlock();
        }
    }

    /** Syncs a group, and goes on with what was written meanwhile if that is worth it; for the sync thread. */
    void syncAll(Group first) throws IOException {
        for (Group group = first; group != null; group = endAndContinue()) {
            sync(group);
        }
        whenIdle.run();
    }

    private void write() throws IOException, InterruptedException {
        if (!buffer.isEmpty()) {
            finishSeal();
            buffer.write(false);
        }
        lock.lock();
        try {
            written = written.and(encoded.in(buffer.lastFile()));
        } finally {
            lock.unlock();
        }
        encoded = Group.behind(encoded.lsn());
    }

    /** Takes what is written as the group to sync. */
    private Group begin() {
        Group group = written;
        syncing = true;
        written = Group.behind(group.lsn());
        return group;
    }

    private void sync(Group group) throws IOException {
        SegmentFile file = group.file();
        if (group.relaxed() && !group.isEmpty() && relaxation.puts(file, group.bytes())) {
            progress.written(group.lsn());
            return;
        }
        SegmentFile target = file == null ? relaxation.file() : file;
        if (target != null) {
            long began = System.nanoTime();
            target.syncWritten();
            progress.synced(System.nanoTime() - began);
        }
        if (group.seals() && target != null) {
            target.closeSealed();
            seals.end();
        }
        progress.durable(group.lsn(), group.bytes() + relaxation.end());
    }

    private void end() {
        lock.lock();
        try {
            syncing = false;
            diskIdle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Group endAndContinue() {
        lock.lock();
        try {
            if (!written.isEmpty() && isLoaded()) {
                return begin();
            }
            end();
            return null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isLoaded() {
        return progress.outstandingBytes() - relaxation.bytes() >= SMALL_LOAD_BYTES;
    }

    private void awaitIdle() throws InterruptedException {
        while (syncing) {
            progress.check();
            diskIdle.await();
        }
    }
}
