package dev.turnstone.testkit.sim;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.RecordVisitor;

/** Passes everything on to another journal. */
abstract class WrappedJournal implements Journal {
    private final Journal journal;

    WrappedJournal(Journal journal) {
        this.journal = journal;
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
        return journal.append(batch);
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
}
