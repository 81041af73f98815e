package dev.turnstone.testkit.journal;

import dev.turnstone.broker.store.RecordType;
import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The mutant {@code artemis-commits-early}: says that the end of a prepared branch is durable as soon as it is
 * appended, on a disk that is slow and loses what is not synced. All else is honest. A crash test must catch it. Any
 * thread.
 */
public final class CommitsEarlyJournalProvider implements JournalProvider {
    private static final Duration SYNC_AFTER = Duration.ofMillis(50);

    @Override
    public String name() {
        return "artemis-commits-early";
    }

    @Override
    public Journal open(Path folder, JournalLimits limits, JournalListener listener) {
        Set<Long> branches = new HashSet<>();
        JournalProvider slow = new ArtemisJournalProvider(name(), WithholdingFiles.thatSyncAfter(SYNC_AFTER));
        return FaultyJournal.early(slow, folder, limits, listener, batch -> endsBranch(batch, branches));
    }

    private static boolean endsBranch(Batch batch, Set<Long> branches) {
        boolean ends = false;
        for (Batch.Step step : batch.steps()) {
            if (step instanceof Batch.Add add && add.type() == RecordType.BRANCH.code()) {
                branches.add(add.id());
            } else if (step instanceof Batch.Delete delete) {
                ends |= branches.remove(delete.id());
            }
        }
        return ends;
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), new WithholdingFiles()).openPages(folder, listener);
    }
}
