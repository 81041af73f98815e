package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.RecordVisitor;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Collects what a load hands out, by id; a record that comes twice is an error. One thread. */
public final class Survivors implements RecordVisitor {
    private final NavigableMap<Long, String> records = new TreeMap<>();

    /**
     * Loads a journal and returns its records: id to type and payload, in a form that compares. Visits them once more,
     * in two parts, which must be the same.
     */
    public static NavigableMap<Long, String> of(Journal journal) {
        Survivors survivors = new Survivors();
        journal.load(survivors);
        NavigableMap<Long, String> loaded = survivors.records;
        long middle = loaded.isEmpty() ? 0 : loaded.firstKey() + (loaded.lastKey() - loaded.firstKey()) / 2;
        Survivors again = new Survivors();
        journal.visit(0, middle, again);
        if (!again.records.equals(loaded.headMap(middle, true))) {
            throw new AssertionError("up to record " + middle + " a second visit shows " + again.records);
        }
        journal.visit(middle + 1, Long.MAX_VALUE, again);
        if (!again.records.equals(loaded)) {
            throw new AssertionError("a second visit shows " + again.records + " in place of " + loaded);
        }
        return loaded;
    }

    @Override
    public void record(long id, byte type, ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        if (records.put(id, form(type, bytes)) != null) {
            throw new AssertionError("record " + id + " was loaded twice");
        }
    }

    /** How {@link #of} shows a record: exact, and short for a large one. */
    static String form(byte type, byte[] payload) {
        return type + ":" + payload.length + ":" + java.util.Arrays.hashCode(payload);
    }
}
