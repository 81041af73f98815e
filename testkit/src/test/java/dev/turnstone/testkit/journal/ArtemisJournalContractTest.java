package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

/** The contract on real files, under a layer that loses and tears what was not synced when the power fails. */
class ArtemisJournalContractTest extends JournalContract {
    @TempDir
    private Path folder;

    private WithholdingFiles files = WithholdingFiles.overPageCache();

    @Override
    protected Journal open(JournalLimits limits, RecordingListener listener) {
        return new ArtemisJournalProvider("artemis-test", files).open(folder, limits, listener);
    }

    @Override
    protected void sync(Journal journal, RecordingListener listener, long lsn) {
        listener.awaitDurable(lsn);
    }

    @Override
    protected void crash(Journal journal, Random random) {
        try {
            files.crash(random);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files = WithholdingFiles.overPageCache();
        journal.close();
    }

    @Override
    protected boolean syncsOnlyOnDemand() {
        return false;
    }
}
