package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.RecordVisitor;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A journal that appends something else than it was given, or says durable as soon as it is given certain batches: what
 * mutants are made of. As {@link Journal}.
 */
final class FaultyJournal implements Journal {
    private final Journal journal;
    private final Highest listener;
    private final Predicate<Batch> early;
    private final UnaryOperator<Batch> kept;

    private FaultyJournal(Journal journal, Highest listener, Predicate<Batch> early, UnaryOperator<Batch> kept) {
        this.journal = journal;
        this.listener = listener;
        this.early = early;
        this.kept = kept;
    }

    /** Opens the provider's journal; {@code early} is asked about each batch, in order. */
    static Journal early(
            JournalProvider provider,
            Path folder,
            JournalLimits limits,
            JournalListener listener,
            Predicate<Batch> early) {
        Highest highest = new Highest(listener);
        return new FaultyJournal(provider.open(folder, limits, highest), highest, early, UnaryOperator.identity());
    }

    /** Opens the provider's journal; of each batch, in order, it appends what {@code kept} makes of it. */
    static Journal forgetful(
            JournalProvider provider,
            Path folder,
            JournalLimits limits,
            JournalListener listener,
            UnaryOperator<Batch> kept) {
        Highest highest = new Highest(listener);
        return new FaultyJournal(provider.open(folder, limits, highest), highest, batch -> false, kept);
    }

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
        boolean soon = early.test(batch);
        long lsn = journal.append(kept.apply(batch));
        if (soon) {
            listener.durable(lsn);
        }
        return lsn;
    }

    @Override
    public long durableLsn() {
        return journal.durableLsn();
    }

    @Override
    public long outstandingBytes() {
        return journal.outstandingBytes();
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
    public long freeBytes() {
        return journal.freeBytes();
    }

    @Override
    public int recordMaxBytes() {
        return journal.recordMaxBytes();
    }

    @Override
    public void close() {
        journal.close();
    }

    /** Passes on what is higher than all before. */
    private static final class Highest implements JournalListener {
        private final JournalListener listener;
        private long said;

        Highest(JournalListener listener) {
            this.listener = listener;
        }

        @Override
        public synchronized void durable(long lsn) {
            if (said < lsn) {
                said = lsn;
                listener.durable(lsn);
            }
        }

        @Override
        public void failed(JournalException cause) {
            listener.failed(cause);
        }
    }
}
