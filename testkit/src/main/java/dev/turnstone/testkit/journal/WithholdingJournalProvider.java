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
 * The provider {@code artemis-withholding}: the real journal on {@link WithholdingFiles}, for processes that are
 * killed. Found by {@link java.util.ServiceLoader}. Any thread.
 */
public final class WithholdingJournalProvider implements JournalProvider {
    @Override
    public String name() {
        return "artemis-withholding";
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        return new ArtemisJournalProvider(name(), new WithholdingFiles()).open(folder, limits, listener);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), new WithholdingFiles()).openPages(folder, listener);
    }
}
