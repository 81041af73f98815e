package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.file.Path;

/** The mutant {@code artemis-fsync-skipped}: confirms what it only wrote. A crash test must catch it. Any thread. */
public final class FsyncSkippedJournalProvider implements JournalProvider {
    @Override
    public String name() {
        return "artemis-fsync-skipped";
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        return new ArtemisJournalProvider(name(), WithholdingFiles.thatSkipFsync()).open(folder, limits, listener);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), WithholdingFiles.thatSkipFsync()).openPages(folder, listener);
    }
}
