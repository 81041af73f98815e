package dev.turnstone.journal.artemis;

import org.jspecify.annotations.Nullable;

/**
 * The files that the journal has left for the next one, of which one at most is not synced yet. The journal's thread
 * seals, who syncs says so, any thread may wait.
 */
final class Seals {
    private final Progress progress;
    private volatile @Nullable SegmentFile pending;
    private long begun;
    private long durable;

    Seals(Progress progress) {
        this.progress = progress;
    }

    /** The file that is sealed and not synced; null if there is none. */
    @Nullable
    SegmentFile pending() {
        return pending;
    }

    /** A file is sealed; the one before is durable. */
    synchronized void begin(SegmentFile file) {
        file.closeWhenSynced();
        pending = file;
        begun++;
    }

    /** The file that was sealed last is synced. */
    synchronized void end() {
        pending = null;
        durable++;
        notifyAll();
    }

    /** Returns when all files that were sealed before the call are synced. Any thread but the one that syncs. */
    synchronized void await() throws InterruptedException {
        long upTo = begun;
        while (durable < upTo) {
            progress.check();
            wait();
        }
    }

    /** Closes the file that waits for a sync which will not come, since the journal has failed. */
    void abandon() {
        SegmentFile left = pending;
        if (left != null) {
            left.abandon();
        }
    }
}
