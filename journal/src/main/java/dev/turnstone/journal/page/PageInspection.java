package dev.turnstone.journal.page;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalReport;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Looks at page files that nobody uses, whole, and changes nothing. The caller has the lock of their folder. */
public final class PageInspection {
    private final Path path;
    private final FileLayer files = FileLayer.readOnly();

    private PageInspection(Path path) {
        this.path = path;
    }

    /** Of the page files in this folder, which need not be there. */
    public static PageInspection in(Path folder) {
        return new PageInspection(folder);
    }

    /**
     * Reads all of them and checks their checksums.
     *
     * @param named the files that must be there; the others' damage is no problem, since a start deletes them. Null if
     *     that is not known: then all that are whole are checked
     * @param chunks which are chunks of large bodies
     * @param problems gets what is wrong, with file and position
     * @throws IOException if they cannot be read at all
     */
    public JournalReport.Pages report(@Nullable Set<Long> named, LongPredicate chunks, List<String> problems)
            throws IOException {
        PageFolder folder = new PageFolder(path, files);
        Set<Long> found = new TreeSet<>();
        if (files.exists(path)) {
            for (long id : folder.find()) {
                found.add(id);
            }
        }
        long bytes = 0;
        int leftOver = 0;
        int ofBodies = 0;
        for (long id : found) {
            bytes += folder.size(id);
            boolean ofBody = chunks.test(id);
            if (named == null ? ofBody && !folder.isWhole(id) : !named.contains(id)) {
                leftOver++;
            } else {
                ofBodies += ofBody ? 1 : 0;
                check(folder, id, problems);
            }
        }
        if (named != null) {
            for (long id : named) {
                if (!found.contains(id)) {
                    check(folder, id, problems);
                }
            }
        }
        return new JournalReport.Pages(found.size(), bytes, leftOver, ofBodies);
    }

    private static void check(PageFolder folder, long id, List<String> problems) throws IOException {
        try {
            folder.read(id);
        } catch (JournalException e) {
            problems.add(e.getMessage());
        }
    }
}
