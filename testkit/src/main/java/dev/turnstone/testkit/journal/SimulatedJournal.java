package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.RecordVisitor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A journal without a disk, a clock or a thread. One thread calls everything; nothing becomes durable until the test
 * says so with {@link #syncUpTo}; {@link #crash} loses a random part of the rest. Misuse (an id used twice, a delete of
 * what does not live, a call in the wrong state) throws an IllegalStateException at the call that commits it.
 */
public final class SimulatedJournal implements Journal {
    private enum State {
        OPENED,
        LOADED,
        FAILED,
        GONE
    }

    /** What survives together: the steps of one unit, or one step outside of units. */
    private record Unit(List<Runnable> effects) {}

    private record Pending(long lsn, long bytes, List<Unit> units) {}

    private static final int STEP_BYTES = 64;

    private final SimulatedDisk disk;
    private final JournalLimits limits;
    private final JournalListener listener;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final Set<Long> living = new HashSet<>();
    /**
     * Ids used in this opening. What a crash loses may be used again: the first block of ids cannot be durable before
     * its own record.
     */
    private final IdRanges ids = new IdRanges();

    private State state = State.OPENED;
    private long appendedLsn;
    private long durableLsn;
    private long outstandingBytes;
    private boolean room = true;
    private @Nullable JournalException failure;

    SimulatedJournal(SimulatedDisk disk, JournalLimits limits, JournalListener listener) {
        this.disk = disk;
        this.limits = limits;
        this.listener = listener;
        disk.ids().forEach(living::add);
    }

    @Override
    public void load(RecordVisitor visitor) {
        check(state == State.OPENED, "load is called once, first; the journal is " + state);
        disk.load(visitor);
        state = State.LOADED;
    }

    @Override
    public void visit(long firstId, long lastId, RecordVisitor visitor) {
        check(state == State.LOADED && appendedLsn == 0, "records are visited between load and the first append");
        disk.load((id, type, payload) -> {
            if (id >= firstId && id <= lastId) {
                visitor.record(id, type, payload);
            }
        });
    }

    @Override
    public long append(Batch batch) {
        if (failure != null) {
            throw new JournalException(failure.kind(), "the journal has failed: " + failure.getMessage(), failure);
        }
        check(state == State.LOADED, "append to a journal that is " + state);
        if (batch.unitOpen()) {
            throw new IllegalArgumentException("the batch has an open unit");
        }
        if (batch.largestPayloadBytes() > limits.recordMaxBytes()) {
            throw new IllegalArgumentException("a record is larger than " + limits.recordMaxBytes());
        }
        List<Unit> units = units(batch);
        long bytes = batch.payloadBytes() + (long) STEP_BYTES * batch.steps().size();
        outstandingBytes += bytes;
        pending.add(new Pending(++appendedLsn, bytes, units));
        return appendedLsn;
    }

    @Override
    public long durableLsn() {
        return durableLsn;
    }

    @Override
    public long outstandingBytes() {
        return outstandingBytes;
    }

    @Override
    public boolean accepting() {
        return outstandingBytes <= limits.outstandingBytes();
    }

    @Override
    public boolean hasRoom() {
        return room;
    }

    @Override
    public int recordMaxBytes() {
        return limits.recordMaxBytes();
    }

    @Override
    public void close() {
        if (state == State.GONE) {
            return;
        }
        if (state == State.LOADED) {
            sync();
        }
        leave();
    }

    /** The disk becomes full, or has room again; the listener hears of it. */
    public void room(boolean now) {
        if (now != room) {
            room = now;
            listener.roomChanged();
        }
    }

    /** The LSN of the newest batch, durable or not. */
    public long appendedLsn() {
        return appendedLsn;
    }

    /** How many batches wait for a sync. */
    public int pendingBatches() {
        return pending.size();
    }

    /** Everything that was appended becomes durable. */
    public void sync() {
        syncUpTo(appendedLsn);
    }

    /** A sync ends: everything up to this LSN becomes durable and the listener hears of it. */
    public void syncUpTo(long lsn) {
        check(state == State.LOADED, "sync of a journal that is " + state);
        check(lsn <= appendedLsn, "sync of LSN " + lsn + ", appended are " + appendedLsn);
        if (lsn <= durableLsn) {
            return;
        }
        while (!pending.isEmpty() && pending.getFirst().lsn() <= lsn) {
            Pending batch = pending.removeFirst();
            batch.units().forEach(SimulatedJournal::keep);
            outstandingBytes -= batch.bytes();
        }
        durableLsn = lsn;
        listener.durable(lsn);
    }

    /**
     * A write or an fsync fails: nothing more becomes durable for the listener, which hears of it; what is on the disk
     * afterwards, a {@link #crash} decides, since a failed sync may have written any part.
     */
    public void fail(String message) {
        check(state == State.LOADED, "failure of a journal that is " + state);
        JournalException cause = new JournalException(JournalException.Kind.IO, message);
        failure = cause;
        state = State.FAILED;
        listener.failed(cause);
    }

    /**
     * The process dies: of the units that are not durable a random prefix survives, the rest is lost. The disk can be
     * opened again; this journal is gone. The listener hears nothing.
     */
    public void crash(RandomGenerator random) {
        check(state != State.GONE, "crash of a journal that is gone");
        int units = pending.stream().mapToInt(batch -> batch.units().size()).sum();
        crashKeeping(random.nextInt(units + 1));
    }

    /** As {@link #crash}, but says how many of the {@link #pendingUnits} survive. */
    public void crashKeeping(int units) {
        check(state != State.GONE, "crash of a journal that is gone");
        int kept = 0;
        for (Pending batch : pending) {
            for (Unit unit : batch.units()) {
                if (kept++ >= units) {
                    leave();
                    return;
                }
                keep(unit);
            }
        }
        leave();
    }

    /** How many units (a record outside of units counts as one) wait for a sync. */
    public int pendingUnits() {
        return pending.stream().mapToInt(batch -> batch.units().size()).sum();
    }

    private void leave() {
        state = State.GONE;
        pending.clear();
        disk.released();
    }

    private static void keep(Unit unit) {
        unit.effects().forEach(Runnable::run);
    }

    private List<Unit> units(Batch batch) {
        List<Unit> units = new ArrayList<>();
        @Nullable List<Runnable> unit = null;
        for (Batch.Step step : batch.steps()) {
            if (step instanceof Batch.BeginUnit) {
                unit = new ArrayList<>();
            } else if (step instanceof Batch.EndUnit && unit != null) {
                units.add(new Unit(unit));
                unit = null;
            } else if (unit != null) {
                unit.add(effect(step));
            } else {
                units.add(new Unit(List.of(effect(step))));
            }
        }
        return units;
    }

    private Runnable effect(Batch.Step step) {
        if (step instanceof Batch.Add add) {
            check(!disk.used(add.id()) && ids.add(add.id()), "record id " + add.id() + " was used before");
            living.add(add.id());
            byte[] bytes = bytes(add.payload());
            return () -> disk.put(add.id(), add.type(), bytes);
        }
        if (step instanceof Batch.Delete delete) {
            check(living.remove(delete.id()), "delete of record " + delete.id() + ", which does not live");
            return () -> disk.remove(delete.id());
        }
        throw new IllegalStateException("unexpected step " + step);
    }

    private static byte[] bytes(Payload payload) {
        ByteBuffer target = ByteBuffer.allocate(payload.sizeBytes());
        payload.writeTo(target);
        check(!target.hasRemaining(), "a payload wrote less than it said");
        return target.array();
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
