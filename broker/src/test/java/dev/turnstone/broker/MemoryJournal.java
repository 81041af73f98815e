package dev.turnstone.broker;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.RecordVisitor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A journal in memory whose disk follows when told; a crash keeps what was durable. One thread. */
public final class MemoryJournal implements Journal {
    /** A record as the disk has it. */
    public record Stored(byte type, byte[] bytes) {}

    private final Map<Long, Stored> disk;
    private final List<Batch> undurable = new ArrayList<>();
    private final JournalListener listener;
    private int visitedMax;
    private long appended;
    private long durable;
    private boolean accepting = true;
    private long acceptingAsked;
    private boolean room = true;
    private long freeBytes = Long.MAX_VALUE;
    private boolean closed;
    private int recordMaxBytes = JournalLimits.DEFAULTS.recordMaxBytes();

    public MemoryJournal(Map<Long, Stored> disk, JournalListener listener) {
        this.disk = disk;
        this.listener = listener;
    }

    @Override
    public void load(RecordVisitor visitor) {
        new LinkedHashMap<>(disk)
                .forEach((id, stored) -> visitor.record(id, stored.type(), ByteBuffer.wrap(stored.bytes())));
    }

    @Override
    public void visit(long firstId, long lastId, RecordVisitor visitor) {
        int[] count = new int[1];
        load((id, type, payload) -> {
            if (id >= firstId && id <= lastId) {
                count[0]++;
                visitor.record(id, type, payload);
            }
        });
        visitedMax = Math.max(visitedMax, count[0]);
    }

    @Override
    public long append(Batch batch) {
        if (batch.unitOpen()) {
            throw new IllegalStateException("an open unit");
        }
        if (batch.largestPayloadBytes() > recordMaxBytes()) {
            throw new IllegalArgumentException("a record has " + batch.largestPayloadBytes() + " bytes");
        }
        undurable.add(batch);
        return ++appended;
    }

    /** The most records that were visited again at a time. */
    public int visitedMax() {
        return visitedMax;
    }

    /** The disk fails. */
    public void fail() {
        listener.failed(new JournalException(JournalException.Kind.IO, "the disk has failed, says the test"));
    }

    /** Batches that the disk does not have. */
    public int undurable() {
        return undurable.size();
    }

    /** Tells that all is written, though the disk does not have it. */
    public void write() {
        listener.written(appended);
    }

    /** True if nobody waits for what the disk does not have. */
    public boolean relaxed() {
        return undurable.stream().allMatch(Batch::relaxed);
    }

    /** True after {@link #close}. */
    public boolean closed() {
        return closed;
    }

    /** Whether sends are taken. */
    public void accepting(boolean accepts) {
        accepting = accepts;
    }

    /** The disk becomes full, or has room again. */
    public void room(boolean now) {
        room = now;
        listener.roomChanged();
    }

    /** So much is left on the disk. */
    public void freeBytes(long bytes) {
        freeBytes = bytes;
    }

    @Override
    public long freeBytes() {
        return freeBytes;
    }

    /** Lets the disk follow. */
    public void sync() {
        for (Batch batch : undurable) {
            batch.steps().forEach(this::write);
        }
        undurable.clear();
        durable = appended;
        listener.durable(durable);
    }

    private void write(Batch.Step step) {
        if (step instanceof Batch.Add add) {
            ByteBuffer bytes = ByteBuffer.allocate(add.payload().sizeBytes());
            add.payload().writeTo(bytes);
            if (bytes.hasRemaining() || disk.put(add.id(), new Stored(add.type(), bytes.array())) != null) {
                throw new IllegalStateException("record " + add.id() + " is badly sized or not new");
            }
        } else if (step instanceof Batch.Delete delete && disk.remove(delete.id()) == null) {
            throw new IllegalStateException("record " + delete.id() + " does not exist");
        }
    }

    @Override
    public long durableLsn() {
        return durable;
    }

    @Override
    public boolean hasRoom() {
        return room;
    }

    @Override
    public long outstandingBytes() {
        return undurable();
    }

    @Override
    public boolean accepting() {
        acceptingAsked++;
        return accepting;
    }

    /** How often anybody asked whether sends are taken. */
    public long acceptingAsked() {
        return acceptingAsked;
    }

    @Override
    public int recordMaxBytes() {
        return recordMaxBytes;
    }

    /** From now on no record may be larger. */
    public void recordMaxBytes(int most) {
        recordMaxBytes = most;
    }

    @Override
    public void close() {
        closed = true;
        sync();
    }
}
