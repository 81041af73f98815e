package dev.turnstone.journal.artemis;

import java.io.IOException;

/** Writes and syncs the groups that are too large for the journal's thread to wait for. */
final class SyncThread {
    private final GroupCommit commit;
    private final Progress progress;
    private final Thread thread = new Thread(this::run, "turnstone-journal-sync");

    SyncThread(GroupCommit commit, Progress progress) {
        this.commit = commit;
        this.progress = progress;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends the thread, which must have nothing to do, or whose journal has failed. */
    void stop() {
        thread.interrupt();
    }

    private void run() {
        try {
            for (GroupCommit.Group group = commit.awaitGroup(); group != null; group = commit.awaitGroup()) {
                commit.writeAndSyncAll(group);
            }
        } catch (InterruptedException e) {
            // Asked to stop.
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            progress.failed("the journal's sync thread", e);
        }
    }
}
