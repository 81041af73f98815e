package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.RecordVisitor;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Collects what a load hands out, by id; a record that comes twice is an error. One thread. */
public final class Survivors implements RecordVisitor {
    private final NavigableMap<Long, String> records = new TreeMap<>();

    /** Loads a journal and returns its records: id to type and payload, in a form that compares. */
    public static NavigableMap<Long, String> of(Journal journal) {
        Survivors survivors = new Survivors();
        journal.load(survivors);
        return survivors.records;
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
