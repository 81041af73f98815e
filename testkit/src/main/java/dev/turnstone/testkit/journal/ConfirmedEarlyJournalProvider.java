package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.RecordVisitor;
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
        JournalListener failuresOnly = new JournalListener() {
            @Override
            public void durable(long lsn) {
                // Said already, which is the mutation.
            }

            @Override
            public void failed(JournalException cause) {
                listener.failed(cause);
            }
        };
        Journal journal = new ArtemisJournalProvider(name(), new WithholdingFiles()).open(folder, limits, failuresOnly);
        return new ConfirmedEarly(journal, listener);
    }

    @Override
    public PageStore openPages(Path folder, PageListener listener) {
        return new ArtemisJournalProvider(name(), new WithholdingFiles()).openPages(folder, listener);
    }

    private record ConfirmedEarly(Journal journal, JournalListener listener) implements Journal {
        @Override
        public void load(RecordVisitor visitor) {
            journal.load(visitor);
        }

        @Override
        public void visit(long firstId, long lastId, RecordVisitor visitor) {
            journal.visit(firstId, lastId, visitor);
        }

        @Override
        public long append(Batch batch) {
            long lsn = journal.append(batch);
            listener.durable(lsn);
            return lsn;
        }

        @Override
        public long durableLsn() {
            return journal.durableLsn();
        }

        @Override
        public boolean accepting() {
            return journal.accepting();
        }

        @Override
        public boolean hasRoom() {
            return journal.hasRoom();
        }

        @Override
        public int recordMaxBytes() {
            return journal.recordMaxBytes();
        }

        @Override
        public void close() {
            journal.close();
        }
    }
}
