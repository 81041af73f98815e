package dev.turnstone.benchmarks.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** What is measured: takes records in order and tells how far they are durable. One thread submits. */
public interface Subject extends AutoCloseable {
    /** Takes the next records, numbered 1, 2, 3 and so on over all calls; returns at once. */
    void submit(int records);

    /** How many records may be submitted before a {@link #rest}. */
    default long burstRecords() {
        return Long.MAX_VALUE;
    }

    /** True once nothing changes any more but what is in the records. */
    default boolean settled() {
        return true;
    }

    /** Makes room for the next burst and returns when that is durable; not part of what is measured. */
    default void rest() {}

    @Override
    void close() throws IOException;

    /** Opens a subject in a folder of its own. */
    @FunctionalInterface
    interface Opener {
        Subject open(Path folder, int recordBytes, LongConsumer durable) throws IOException;
    }
}
