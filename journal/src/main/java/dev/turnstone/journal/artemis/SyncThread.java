package dev.turnstone.journal.artemis;

import dev.turnstone.journal.thread.FolderThread;
import java.io.IOException;
import java.nio.file.Path;

/** Syncs the groups that are too large for the journal's thread to wait for. */
final class SyncThread {
    private final GroupCommit commit;
    private final Progress progress;
    private final Thread thread;

    SyncThread(Path folder, GroupCommit commit, Progress progress) {
        this.commit = commit;
        this.progress = progress;
        this.thread = FolderThread.of("turnstone-journal-sync", folder, this::run);
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
                commit.syncAll(group);
            }
        } catch (InterruptedException e) {
            // Asked to stop.
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            progress.failed("the journal's sync thread", e);
        }
    }
}
