package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;

/** The contract again, for a journal that has no memory to keep what it loads and reads it once more. */
final class ArtemisJournalLoadTest extends ArtemisJournalContractTest {
    @Override
    protected Journal open(JournalLimits limits, RecordingListener listener) {
        return super.open(withoutMemory(limits), listener);
    }

    static JournalLimits withoutMemory(JournalLimits limits) {
        return new JournalLimits(
                limits.outstandingBytes(), limits.recordMaxBytes(), limits.fileBytes(), limits.diskLowWaterBytes(), 0);
    }
}
