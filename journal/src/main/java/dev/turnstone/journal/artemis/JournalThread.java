package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread that appends to the library and syncs. It takes all that is queued, encodes it, writes once, syncs
 * once and confirms; what is queued meanwhile is the next group.
 */
final class JournalThread {
    private record Handed(long lsn, long bytes, Batch batch) {}

    /** A group ends here even if more is queued, so that a flood cannot put off the sync for ever. */
    private static final long GROUP_MAX_BYTES = 8 << 20;

    private final ChunkBuffer chunk;
    private final Progress progress;
    private final BatchWriter writer;
    private final Queue<Handed> queue = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean finishing;

    JournalThread(Library library, ChunkBuffer chunk, Progress progress) {
        this.chunk = chunk;
        this.progress = progress;
        this.writer = new BatchWriter(library, chunk, progress);
        this.thread = new Thread(this::run, "turnstone-journal");
        thread.setDaemon(true);
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
        if (parked) {
            LockSupport.unpark(thread);
        }
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
            while (!progress.hasFailed() && awaitWork()) {
                group();
            }
            if (!progress.hasFailed()) {
                chunk.confirmSynced();
            }
        } catch (Throwable e) {
            progress.failed("the journal's thread", e);
        }
    }

    /** Waits for a batch; false when there is none and there will be none. */
    private boolean awaitWork() {
        while (queue.isEmpty()) {
            if (finishing) {
                // Checked again after the flag: a batch handed over before it is not left behind.
                return !queue.isEmpty();
            }
            parked = true;
            if (queue.isEmpty() && !finishing && !progress.hasFailed()) {
                LockSupport.park(this);
            }
            parked = false;
            if (progress.hasFailed()) {
                return false;
            }
        }
        return true;
    }

    private void group() throws Exception {
        long lsn = 0;
        long bytes = 0;
        Handed next;
        while (bytes < GROUP_MAX_BYTES && (next = queue.poll()) != null) {
            writer.write(next.batch());
            lsn = next.lsn();
            bytes += next.bytes();
        }
        chunk.commit();
        progress.durable(lsn, bytes);
    }
}
