package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.JournalReport;
import dev.turnstone.journal.NamedFiles;
import dev.turnstone.journal.file.FileLayer;
import dev.turnstone.journal.page.PageFiles;
import dev.turnstone.journal.page.PageInspection;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.file.Path;
import java.util.function.LongPredicate;

/** The provider {@code artemis}: files on the machine's file system, or on any other {@link FileLayer}. Any thread. */
public final class ArtemisJournalProvider implements JournalProvider {
    private static final String PAGES = "pages";

    private final String name;
    private final FileLayer files;

    /** The provider that {@link java.util.ServiceLoader} finds. */
    public ArtemisJournalProvider() {
        this("artemis", FileLayer.system());
    }

    /** A provider under another name and on another file layer; the folder's lock is always the machine's. */
    public ArtemisJournalProvider(String name, FileLayer files) {
        this.name = name;
        this.files = files;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Looks at the journal in a folder and its page files, and changes nothing there; takes the folder's lock while it
     * looks.
     *
     * @param named which page files living records need; others are left over
     * @param chunks which page files are chunks of large bodies
     * @throws JournalException LOCKED if a broker uses the folder, FOREIGN if it is not a data folder, NEWER_FORMAT if
     *     a newer version wrote it, IO if it cannot be read
     */
    public static JournalReport inspect(Path folder, NamedFiles named, LongPredicate chunks) {
        try (DataFolder locked = DataFolder.existing(folder)) {
            return new OfflineJournal(locked).report(PageInspection.in(folder.resolve(PAGES)), named, chunks);
        }
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        return ArtemisJournal.open(folder, limits, listener, files);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return PageFiles.open(folder.resolve(PAGES), files, listener);
    }
}
