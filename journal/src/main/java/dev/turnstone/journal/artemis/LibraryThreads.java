package dev.turnstone.journal.artemis;

import dev.turnstone.journal.thread.FolderThread;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.utils.ExecutorFactory;
import org.apache.activemq.artemis.utils.actors.ArtemisExecutor;

/**
 * The executors that the library asks for when it starts, in its order: one that prepares files, one that reclaims, and
 * one for appends, which runs in the caller so that the journal's thread alone appends. All threads are daemons.
 */
final class LibraryThreads implements ExecutorFactory {
    private static final long STOP_TIMEOUT_S = 120;

    private final ExecutorService filePreparer;
    private final ExecutorService compactor;
    private int asked;

    /** For the journal in this folder. */
    LibraryThreads(Path folder) {
        filePreparer = daemon("turnstone-journal-files", folder);
        compactor = daemon("turnstone-journal-compactor", folder);
    }

    @Override
    public synchronized ArtemisExecutor getExecutor() {
        return switch (asked++) {
            case 0 -> ArtemisExecutor.delegate(filePreparer);
            case 1 -> ArtemisExecutor.delegate(compactor);
            case 2 -> ArtemisExecutor.delegate(Runnable::run);
            default -> throw new IllegalStateException("the library asked for a fourth executor");
        };
    }

    /** Reclaims, and reads files to empty them: one after the other. */
    void executeCompaction(Runnable task) {
        compactor.execute(task);
    }

    /** Wakes the threads from waiting for each other and takes no more tasks; for a journal that has failed. */
    void interrupt() {
        compactor.shutdownNow();
        filePreparer.shutdownNow();
    }

    /** Ends the threads; false if one would not end. */
    boolean stop() {
        compactor.shutdown();
        try {
            boolean ended = compactor.awaitTermination(STOP_TIMEOUT_S, TimeUnit.SECONDS);
            filePreparer.shutdown();
            return filePreparer.awaitTermination(STOP_TIMEOUT_S, TimeUnit.SECONDS) && ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ExecutorService daemon(String name, Path folder) {
        return Executors.newSingleThreadExecutor(task -> FolderThread.of(name, folder, task));
    }
}
