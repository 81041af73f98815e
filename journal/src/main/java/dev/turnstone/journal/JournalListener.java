package dev.turnstone.journal;

/** Hears from the journal's own threads; returns at once, never blocks, never calls back into the journal. */
public interface JournalListener {
    /** Everything up to and including this LSN is on disk (fsync returned). Grows; calls may skip values. */
    void durable(long lsn);

    /**
     * Everything up to and including this LSN is written: it outlives the process, and not the machine before
     * {@link #durable} says so. Heard of relaxed batches only.
     */
    default void written(long lsn) {
        // Who appends no relaxed batches need not hear of it.
    }

    /** {@link Journal#hasRoom} has changed. */
    default void roomChanged() {
        // Who never asks need not hear of it.
    }

    /** An fsync took so long, in nanoseconds. */
    default void synced(long nanos) {
        // Who does not measure need not hear of it.
    }

    /**
     * A write or fsync failed. Sticky and final: nothing beyond the last durable LSN will ever be confirmed, and the
     * broker must stop (fail-stop).
     */
    void failed(JournalException cause);
}
