package dev.turnstone.journal;

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
}
