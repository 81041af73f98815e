package dev.turnstone.benchmarks.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** What is measured: takes records in order and tells how far they are durable. One thread submits. */
public interface Subject extends AutoCloseable {
    /** Takes the next records, numbered 1, 2, 3 and so on over all calls; returns at once. */
    void submit(int records);

    @Override
    void close() throws IOException;

    /** Opens a subject in a folder of its own. */
    @FunctionalInterface
    interface Opener {
        Subject open(Path folder, int recordBytes, LongConsumer durable) throws IOException;
    }
}
