package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.file.Path;

/**
 * The mutant {@code artemis-confirmed-early}: says durable as soon as a batch is appended, and withholds what is not
 * synced. A crash test must catch it. Any thread.
 */
public final class ConfirmedEarlyJournalProvider implements JournalProvider {
    @Override
    public String name() {
        return "artemis-confirmed-early";
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        JournalProvider withholding = new ArtemisJournalProvider(name(), new WithholdingFiles());
        return FaultyJournal.early(withholding, folder, limits, listener, batch -> true);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), new WithholdingFiles()).openPages(folder, listener);
    }
}
