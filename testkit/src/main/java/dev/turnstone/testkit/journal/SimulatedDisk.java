package dev.turnstone.testkit.journal;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.RecordVisitor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated journal leaves behind: the records that survive, and the ids of all that ever were durable. Opens
 * one journal at a time, again and again, as a broker that restarts on one folder does. One thread.
 */
public final class SimulatedDisk {
    private record Stored(byte type, ByteBuffer payload) {}

    private final Random order;
    private final TreeMap<Long, Stored> survivors = new TreeMap<>();
    private final IdRanges used = new IdRanges();
    private @Nullable SimulatedJournal open;

    /** An empty disk; the seed decides in which order a load hands out the survivors, since no order is promised. */
    public SimulatedDisk(long seed) {
        this.order = new Random(seed);
    }

    /**
     * Opens the journal on this disk.
     *
     * @throws JournalException of kind LOCKED if the last one neither closed nor crashed
     */
    public SimulatedJournal open(JournalLimits limits, JournalListener listener) {
        if (open != null) {
            throw new JournalException(JournalException.Kind.LOCKED, "the simulated disk is in use by another journal");
        }
        SimulatedJournal journal = new SimulatedJournal(this, limits, listener);
        open = journal;
        return journal;
    }

    /** How many records survive a crash that keeps nothing more than what is durable. */
    public int recordCount() {
        return survivors.size();
    }

    /** The same by their types. */
    public Map<Byte, Long> recordCounts() {
        return survivors.values().stream().collect(Collectors.groupingBy(Stored::type, Collectors.counting()));
    }

    /** True if the record is durable. */
    public boolean holds(long id) {
        return survivors.containsKey(id);
    }

    void released() {
        open = null;
    }

    boolean used(long id) {
        return used.contains(id);
    }

    void put(long id, byte type, byte[] payload) {
        used.add(id);
        survivors.put(id, new Stored(type, ByteBuffer.wrap(payload)));
    }

    void remove(long id) {
        survivors.remove(id);
    }

    /** Hands out the survivors in a seeded random order. */
    void load(RecordVisitor visitor) {
        List<Map.Entry<Long, Stored>> records = new ArrayList<>(survivors.entrySet());
        Collections.shuffle(records, order);
        for (Map.Entry<Long, Stored> record : records) {
            Stored stored = record.getValue();
            ByteBuffer copy = ByteBuffer.allocate(stored.payload().limit());
            visitor.record(record.getKey(), stored.type(), copy.put(0, stored.payload(), 0, copy.limit()));
        }
    }

    Iterable<Long> ids() {
        return survivors.keySet();
    }
}
