package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread that appends to the library. It takes all that is queued and encodes it; when nothing more is queued,
 * or much is encoded, the group is written once, synced once and confirmed: at once when the disk is idle, and what
 * comes during a sync is the next group.
 */
final class JournalThread {
    private record Handed(long lsn, long bytes, Batch batch) {}

    private final GroupCommit commit;
    private final Progress progress;
    private final BatchWriter writer;
    private final Queue<Handed> queue = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean finishing;

    JournalThread(Library library, GroupCommit commit, Progress progress) {
        this.commit = commit;
        this.progress = progress;
        this.writer = new BatchWriter(library, commit, progress);
        this.thread = new Thread(this::run, "turnstone-journal");
        thread.setDaemon(true);
        commit.whenIdle(this::wake);
    }

    /** Wakes the thread from waiting for a file that will never come; for a journal that has failed. */
    void interrupt() {
        thread.interrupt();
    }

    void start() {
        thread.start();
    }

    /** Queues a batch; called by the engine's thread alone. */
    void take(long lsn, long bytes, Batch batch) {
        queue.add(new Handed(lsn, bytes, batch));
        wake();
    }

    /** Makes durable what is queued and returns when the thread has ended. */
    void finish() {
        finishing = true;
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
            while (!progress.hasFailed() && work()) {
                commit.commitIfLarge();
            }
            if (!progress.hasFailed()) {
                commit.confirmSynced();
            }
        } catch (Throwable e) {
            progress.failed("the journal's thread", e);
        }
    }

    /** Does the next thing there is to do, waiting for it if need be; false when all is done and no more will come. */
    private boolean work() throws Exception {
        Handed next = queue.poll();
        if (next != null) {
            writer.write(next.batch());
            commit.batchEnded(next.lsn(), next.bytes());
        } else if (commit.ready()) {
            commit.commitIfReady();
        } else if (finishing && queue.isEmpty() && commit.idle()) {
            return false;
        } else {
            await();
        }
        return true;
    }

    private void await() {
        parked = true;
        if (queue.isEmpty() && !commit.ready() && !(finishing && commit.idle()) && !progress.hasFailed()) {
            LockSupport.park(this);
        }
        parked = false;
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }
}
