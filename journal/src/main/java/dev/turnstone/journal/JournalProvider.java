package dev.turnstone.journal;

import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.file.Path;

/** Opens journals of one kind; found with {@link java.util.ServiceLoader} by its {@link #name}. */
public interface JournalProvider {
    /** The name by which configuration asks for it, such as {@code artemis}. */
    String name();

    /**
     * Opens or creates the journal in a folder and takes the folder's lock.
     *
     * @throws JournalException if the folder is locked, unusable, foreign or of a newer format
     */
    Journal open(Path folder, JournalLimits limits, JournalListener listener);

    /**
     * Opens or creates the page files of a folder whose journal is open; to be closed before the journal, whose lock
     * protects them.
     *
     * @throws JournalException if the folder is unusable
     */
    PageStore openPages(Path folder, PageListener listener);
}
