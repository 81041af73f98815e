package dev.turnstone.testkit.journal;

import dev.turnstone.journal.file.FileLayer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the files that compactions read: whole, on the compactor's thread, where a reclaim reads no more than a
 * header. Any thread.
 */
final class CompactionWatch {
    private final AtomicInteger files = new AtomicInteger();
    private @Nullable Path lastRead;

    /** A file layer that is watched. */
    FaultyFiles over(FileLayer disk) {
        FaultyFiles watched = new FaultyFiles(disk);
        watched.fail(FaultyFiles.Operation.READ, 1, this::read);
        return watched;
    }

    int files() {
        return files.get();
    }

    private synchronized boolean read(Path file) {
        if (Thread.currentThread().getName().equals("turnstone-journal-compactor")) {
            if (Objects.equals(lastRead, file)) {
                files.incrementAndGet();
            }
            lastRead = file;
        }
        return false;
    }
}
