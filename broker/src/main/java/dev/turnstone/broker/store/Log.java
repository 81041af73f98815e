package dev.turnstone.broker.store;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.Payload;
import java.util.List;

/**
 * Collects the records of the current turn and hands them to the journal in one batch. Gives out identifiers: one
 * sequence for records, queues and the positions of messages, from durably reserved blocks, never reused. Owned by the
 * engine thread.
 */
public final class Log {
    /** Reserved at once; what a crash leaves unused is never used. */
    private static final long BLOCK = 1 << 20;

    private final Journal journal;
    private final long firstId;
    private Batch batch = new Batch();
    private long appended;
    private boolean unitWanted;
    private long nextId;
    private long blockEnd;
    private long reservedLsn;
    /** How many of the turn's records need only be written soon. */
    private int relaxedSteps;
    /** The last batch whose sync is not put off. */
    private long hurriedLsn;

    private boolean hurry;
    private List<Long> blockRecords;

    /**
     * Nothing collected.
     *
     * @param firstId an identifier below which all may have been used
     * @param blockRecords the reservations so far, which the next one replaces
     */
    Log(Journal journal, long firstId, List<Long> blockRecords) {
        this.journal = journal;
        this.firstId = firstId;
        this.nextId = firstId;
        this.blockEnd = firstId;
        this.blockRecords = blockRecords;
    }

    /** The LSN under which the records of this turn will be durable. */
    public long lsn() {
        return appended + 1;
    }

    /** How much this turn has recorded; to be given to {@link #lsnSince}. */
    public int mark() {
        return batch.steps().size();
    }

    /** The LSN of what was recorded since the mark was taken, in this turn; 0 if nothing was. */
    public long lsnSince(int mark) {
        return batch.steps().size() > mark ? lsn() : 0;
    }

    /** For what was recorded since the mark was taken nobody waits: it may be synced later than it is written. */
    public void relax(int mark) {
        relaxedSteps += batch.steps().size() - mark;
    }

    /** Somebody waits until this LSN is durable: its sync must not be put off. */
    public void await(long lsn) {
        hurry |= lsn > hurriedLsn;
    }

    /** The LSN under which all that was recorded so far will be durable. */
    public long latestLsn() {
        return batch.isEmpty() ? appended : lsn();
    }

    /** The LSN of the last batch that was handed over. */
    public long appendedLsn() {
        return appended;
    }

    /** False while the journal is behind: sends should wait. */
    public boolean accepting() {
        return journal.accepting();
    }

    /** False while the disk is full: nothing is added that can be refused. */
    public boolean hasRoom() {
        return journal.hasRoom();
    }

    /** What is left on the disk, in bytes, as far as that is known. */
    public long freeBytes() {
        return journal.freeBytes();
    }

    /** The largest payload that a record may have, in bytes. */
    int recordMaxBytes() {
        return journal.recordMaxBytes();
    }

    /** All that was given out in earlier lives lies below. */
    public long firstId() {
        return firstId;
    }

    /** An identifier, or position, larger than all before. */
    public long nextId() {
        if (nextId == blockEnd) {
            reserve();
        }
        return nextId++;
    }

    /** The first of so many identifiers that follow each other without a gap, larger than all before. */
    public long nextIds(int count) {
        Invariant.check(count < BLOCK, "so many identifiers are in one block");
        if (blockEnd - nextId < count) {
            reserve();
        }
        long first = nextId;
        nextId += count;
        return first;
    }

    private void reserve() {
        // The reservation stands in the batch, and in a unit, before the first use of the block: no crash keeps a use
        // without it.
        long id = nextId++;
        blockEnd = id + BLOCK;
        add(id, RecordType.ID_BLOCK, new IdBlockRecord(blockEnd));
        for (long record : blockRecords) {
            delete(record);
        }
        blockRecords = List.of(id);
        reservedLsn = lsn();
    }

    /**
     * What must be durable before anybody sees an identifier that was given out last, or a crash could give it out
     * again.
     */
    public long reservedLsn() {
        return reservedLsn;
    }

    /** Adds a record under an identifier from {@link #nextId}. */
    public void add(long id, RecordType type, Payload payload) {
        openWantedUnit();
        batch.add(id, type.code(), payload);
        Invariant.check(
                batch.largestPayloadBytes() <= journal.recordMaxBytes(),
                () -> "a record of type " + type + " fits: it has " + payload.sizeBytes() + " bytes");
    }

    /** Adds a record; returns its identifier. */
    public long add(RecordType type, Payload payload) {
        long id = nextId();
        add(id, type, payload);
        return id;
    }

    /** Deletes a record. */
    public void delete(long id) {
        openWantedUnit();
        batch.delete(id);
    }

    /** What is recorded from here to {@link #endUnit} survives together or not at all. */
    public void beginUnit() {
        unitWanted = true;
    }

    /** Closes the unit. */
    public void endUnit() {
        unitWanted = false;
        if (batch.unitOpen()) {
            batch.endUnit();
        }
    }

    private void openWantedUnit() {
        if (unitWanted && !batch.unitOpen()) {
            batch.beginUnit();
        }
    }

    /** Ends the turn: hands what was recorded, if anything, to the journal. */
    public void append() {
        if (batch.isEmpty() && !hurry) {
            return;
        }
        Batch full = batch;
        batch = new Batch();
        boolean relaxed = !hurry && relaxedSteps == full.steps().size();
        if (relaxed) {
            full.relax();
        } else {
            hurriedLsn = lsn();
        }
        hurry = false;
        relaxedSteps = 0;
        long lsn = journal.append(full);
        Invariant.check(lsn == appended + 1, "the journal numbers batches one by one");
        appended = lsn;
    }
}
