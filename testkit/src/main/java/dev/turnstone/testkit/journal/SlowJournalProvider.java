package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The provider {@code artemis-slow}: the real journal on a disk that takes a second before it has what is synced; what
 * is not synced is lost with the process. Any thread.
 */
public final class SlowJournalProvider implements JournalProvider {
    private static final Duration DELAY = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "artemis-slow";
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        return new ArtemisJournalProvider(name(), WithholdingFiles.thatSyncAfter(DELAY)).open(folder, limits, listener);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), WithholdingFiles.thatSyncAfter(DELAY)).openPages(folder, listener);
    }
}
