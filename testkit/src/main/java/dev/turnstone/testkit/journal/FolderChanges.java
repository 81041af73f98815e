package dev.turnstone.testkit.journal;

import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Creations, renames and deletions that a power failure may undo, newest first, because their folder was not synced
 * since. What they replace or delete is kept under a hidden name until then. Guarded by its {@link WithholdingFiles}.
 */
final class FolderChanges {
    private static final String HIDDEN = ".withheld-";

    /** To undo: move {@code to} back to {@code from} (or delete it), then bring {@code hidden} back under its name. */
    private record Change(
            @Nullable Path from, Path to, @Nullable Path hidden) {}

    private final FileLayer disk;
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private long hiddenCount;

    FolderChanges(FileLayer disk) {
        this.disk = disk;
    }

    static boolean isHidden(String name) {
        return name.startsWith(HIDDEN);
    }

    void created(Path file) {
        changes.push(new Change(null, file, null));
    }

    void rename(Path from, Path to) throws IOException {
        Path hidden = hide(to);
        disk.rename(from, to);
        changes.push(new Change(from, to, hidden));
    }

    void delete(Path file) throws IOException {
        Path hidden = hide(file);
        if (hidden != null) {
            changes.push(new Change(null, file, hidden));
        }
    }

    void synced(Path folder) throws IOException {
        for (Iterator<Change> all = changes.iterator(); all.hasNext(); ) {
            Change change = all.next();
            if (folder.equals(change.to().getParent())) {
                all.remove();
                if (change.hidden() != null) {
                    disk.delete(change.hidden());
                }
            }
        }
    }

    /** The power fails: some of the newest changes never happened. */
    void undoSome(Random random) throws IOException {
        int undone = random.nextInt(changes.size() + 1);
        for (int i = 0; i < undone; i++) {
            undo(changes.pop());
        }
        for (Change kept : changes) {
            if (kept.hidden() != null) {
                disk.delete(kept.hidden());
            }
        }
        changes.clear();
    }

    private void undo(Change change) throws IOException {
        if (change.from() != null) {
            disk.rename(change.to(), change.from());
        } else {
            disk.delete(change.to());
        }
        if (change.hidden() != null) {
            disk.rename(change.hidden(), change.to());
        }
    }

    private @Nullable Path hide(Path file) throws IOException {
        if (!disk.exists(file)) {
            return null;
        }
        Path hidden = file.resolveSibling(HIDDEN + hiddenCount++);
        disk.rename(file, hidden);
        return hidden;
    }
}
