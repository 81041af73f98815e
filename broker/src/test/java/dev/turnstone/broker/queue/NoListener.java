package dev.turnstone.broker.queue;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;

/** Hears and does nothing: for tests that look at what is recorded. */
public final class NoListener implements JournalListener {
    @Override
    public void durable(long lsn) {
        // The test asks the journal itself.
    }

    @Override
    public void failed(JournalException cause) {
        throw cause;
    }
}
