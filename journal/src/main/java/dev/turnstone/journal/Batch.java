package dev.turnstone.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * The records of one engine turn, in order. Filled by one thread, handed to {@link Journal#append} and not touched by
 * the caller again. Records between {@link #beginUnit} and {@link #endUnit} survive a crash together or not at all;
 * each other record is a unit of its own. Units of one batch, and batches, reach the disk in order: a crash keeps a
 * prefix.
 */
public final class Batch {
    /** One step of a batch, in the order in which it was added. */
    public sealed interface Step permits Add, Delete, BeginUnit, EndUnit {}

    /** A new record. Its id was never used before; its type is the caller's and means nothing to the journal. */
    public record Add(long id, byte type, Payload payload) implements Step {}

    /** The end of the record with this id, which an earlier step or batch has added and none has deleted. */
    public record Delete(long id) implements Step {}

    /** From here to the next {@link EndUnit}: all or nothing. */
    public record BeginUnit() implements Step {}

    /** The end of an all-or-nothing unit. */
    public record EndUnit() implements Step {}

    private static final BeginUnit BEGIN = new BeginUnit();
    private static final EndUnit END = new EndUnit();

    private final List<Step> steps = new ArrayList<>();
    private long payloadBytes;
    private int largestPayloadBytes;
    private boolean inUnit;
    private boolean relaxed;

    /**
     * Adds a record; ids come from the caller, are not negative and never reused, not even after a delete or a restart.
     */
    public void add(long id, byte type, Payload payload) {
        if (id < 0) {
            throw new IllegalArgumentException("a record's id is negative: " + id);
        }
        steps.add(new Add(id, type, payload));
        int size = payload.sizeBytes();
        payloadBytes += size;
        largestPayloadBytes = Math.max(largestPayloadBytes, size);
    }

    /** Deletes a record that exists. */
    public void delete(long id) {
        steps.add(new Delete(id));
    }

    /** Opens an all-or-nothing unit; units do not nest. */
    public void beginUnit() {
        if (inUnit) {
            throw new IllegalStateException("a unit is open already");
        }
        inUnit = true;
        steps.add(BEGIN);
    }

    /** Closes the unit that is open. */
    public void endUnit() {
        if (!inUnit) {
            throw new IllegalStateException("no unit is open");
        }
        inUnit = false;
        steps.add(END);
    }

    /** Nobody waits for this batch to be on the disk: it need only be written soon, and synced in time. */
    public void relax() {
        relaxed = true;
    }

    /** True after {@link #relax}. */
    public boolean relaxed() {
        return relaxed;
    }

    /** True while a unit is open; such a batch cannot be appended. */
    public boolean unitOpen() {
        return inUnit;
    }

    /** True if nothing was added. */
    public boolean isEmpty() {
        return steps.isEmpty();
    }

    /** The sum of the payloads' sizes, in bytes. */
    public long payloadBytes() {
        return payloadBytes;
    }

    /** The size of the largest payload, in bytes. */
    public int largestPayloadBytes() {
        return largestPayloadBytes;
    }

    /** The steps in order; a live view, for the journal. */
    public List<Step> steps() {
        return steps;
    }
}
