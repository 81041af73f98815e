package dev.turnstone.server.metrics;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The provider {@code breakable}: the real journal, until a test says that its disk has failed. Any thread. */
public final class BreakableJournalProvider implements JournalProvider {
    static final String NAME = "breakable";
    private static final Map<Path, JournalListener> OPEN = new ConcurrentHashMap<>();

    private final JournalProvider real = new ArtemisJournalProvider();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        OPEN.put(folder, listener);
        return real.open(folder, limits, listener);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return real.openPages(folder, listener);
    }

    /** The disk of this folder has failed. */
    static void fail(Path folder) {
        Objects.requireNonNull(OPEN.remove(folder))
                .failed(new JournalException(JournalException.Kind.IO, "the disk of " + folder + " has failed"));
    }
}
