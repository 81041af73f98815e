package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.thread.FolderThread;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread that appends to the library. It takes all that is queued and encodes it; when nothing more is queued,
 * or much is encoded, that is written, and synced and confirmed: at once when the disk is idle, and what comes during a
 * sync is the next group.
 */
final class JournalThread {
    /** What the thread waits for, and so who wakes it. */
    private enum Waiting {
        NO,
        FOR_WORK,
        FOR_DISK
    }

    /** While the disk is busy, waking the thread for less costs more than encoding it. */
    private static final int BYTES_WORTH_WAKING = 64 << 10;

    /** A step of the compaction with nothing to share its sync waits for so long: until then more may come. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final GroupCommit commit;
    private final Relaxation relaxation;
    private final Progress progress;
    private final BatchWriter writer;
    private final Compaction compaction;
    private final Queue<Batch> queue = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile Waiting waiting = Waiting.NO;
    private volatile boolean finishing;
    private long unannouncedBytes;

    /** When nothing more was queued, as far as a step of the compaction waits for that; 0 if it does not. */
    private long quietSince;

    JournalThread(Library library, SegmentFiles files, LibraryThreads threads) {
        this.commit = files.commit();
        this.relaxation = commit.relaxation();
        this.progress = files.progress();
        this.writer = new BatchWriter(library, commit, progress);
        this.compaction = new Compaction(library, files, writer, threads::executeCompaction, this::wake);
        this.thread = FolderThread.of("turnstone-journal", files.folder(), this::run);
        commit.whenIdle(this::diskIdle);
    }

    /** Wakes the thread from waiting for a file that will never come; for a journal that has failed. */
    void interrupt() {
        thread.interrupt();
    }

    /** Load has met records that a compaction moved, up to this id. */
    void expectMoved(long upTo) {
        writer.expectMoved(upTo);
    }

    /** A moment has passed, and the disk is full or not. Any thread. */
    void tick(boolean full) {
        compaction.tick(full);
    }

    private void wake() {
        LockSupport.unpark(thread);
    }

    void start() {
        thread.start();
    }

    /** Queues a batch, whose LSN is the number of batches so far; called by the engine's thread alone. */
    void take(Batch batch) {
        queue.add(batch);
        Waiting now = waiting;
        unannouncedBytes = now == Waiting.FOR_DISK ? unannouncedBytes + ArtemisJournal.bytes(batch) : 0;
        if (now == Waiting.FOR_WORK || unannouncedBytes >= BYTES_WORTH_WAKING) {
            unannouncedBytes = 0;
            LockSupport.unpark(thread);
        }
    }

    /** Makes durable what is queued and returns when the thread has ended. */
    void finish() {
        finishing = true;
        relaxation.hurry();
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            boolean more = true;
            while (more && !progress.hasFailed()) {
                more = work();
            }
            if (!progress.hasFailed()) {
                commit.confirmSynced();
            }
        } catch (Throwable e) {
            progress.failed("the journal's thread", e);
        }
    }

    /** Does the next thing there is to do, waiting for it if need be; false when all is done and no more will come. */
    private boolean work() throws IOException, InterruptedException {
        Batch next = queue.poll();
        if (next != null) {
            quietSince = 0;
            long bytes = ArtemisJournal.bytes(next);
            writer.write(next);
            compaction.keepPace(bytes);
            if (commit.batchEnded(bytes, next.relaxed())) {
                commit.goOn();
            }
        } else if (commit.ready()) {
            commit.goOn();
        } else if (done()) {
            return false;
        } else if (compaction.owes()) {
            compaction.moveOwed();
        } else if (compaction.ready() && !commit.syncing() && quietLeft() <= 0) {
            if (compaction.step()) {
                commit.commitNow();
            }
        } else {
            await();
        }
        return true;
    }

    private void await() {
        boolean diskBusy = commit.syncing();
        waiting = diskBusy ? Waiting.FOR_DISK : Waiting.FOR_WORK;
        // Looked at again after saying so, or a wake-up between would be lost.
        if (queue.isEmpty() && commit.syncing() == diskBusy && !commit.ready() && !mayGoOn(diskBusy)) {
            if (!diskBusy && compaction.ready()) {
                LockSupport.parkNanos(this, quietLeft());
            } else if (!diskBusy && relaxation.isOn()) {
                LockSupport.parkNanos(this, relaxation.leftNanos());
            } else {
                LockSupport.park(this);
            }
        }
        waiting = Waiting.NO;
    }

    private boolean mayGoOn(boolean diskBusy) {
        return done() || progress.hasFailed() || (!diskBusy && compaction.ready() && quietLeft() <= 0);
    }

    /** How long it must go on that nothing is queued before the compaction goes on alone. */
    private long quietLeft() {
        if (compaction.urgent()) {
            return 0;
        }
        long now = System.nanoTime();
        if (quietSince == 0) {
            quietSince = now;
        }
        return quietSince + QUIET_NANOS - now;
    }

    private boolean done() {
        return finishing && queue.isEmpty() && commit.idle();
    }

    private void diskIdle() {
        if (waiting != Waiting.NO) {
            LockSupport.unpark(thread);
        }
    }
}
