package dev.turnstone.testkit.journal;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * Random batches of adds, deletes and units, and the state after each prefix of them: what a load after a crash may
 * show. One thread.
 */
final class RandomHistory {
    private final Random random;
    private final int payloadMaxBytes;
    private int deletePercent = 40;
    private int sparePercent;
    private final NavigableMap<Long, String> state;
    private final List<NavigableMap<Long, String>> states = new ArrayList<>();
    private long nextId;

    /** Continues from a state that was loaded; ids start beyond any used before. */
    RandomHistory(Random random, int payloadMaxBytes, NavigableMap<Long, String> loaded, long firstId) {
        this.random = random;
        this.payloadMaxBytes = payloadMaxBytes;
        this.state = new TreeMap<>(loaded);
        this.nextId = firstId;
        states.add(new TreeMap<>(state));
    }

    /** Deletes so many that files are mostly garbage, while one record in sixteen lives long. */
    RandomHistory withLongLivedFew() {
        deletePercent = 55;
        sparePercent = 97;
        return this;
    }

    long nextId() {
        return nextId;
    }

    /** The states after 0, 1, 2 ... units. */
    List<NavigableMap<Long, String>> states() {
        return states;
    }

    Batch nextBatch() {
        Batch batch = new Batch();
        int units = 1 + random.nextInt(3);
        for (int i = 0; i < units; i++) {
            if (random.nextInt(3) == 0) {
                batch.beginUnit();
                int steps = random.nextInt(6);
                for (int j = 0; j < steps; j++) {
                    step(batch);
                }
                batch.endUnit();
            } else {
                step(batch);
            }
            states.add(new TreeMap<>(state));
        }
        return batch;
    }

    private void step(Batch batch) {
        if (!state.isEmpty() && random.nextInt(100) < deletePercent) {
            Long id = state.ceilingKey(state.firstKey() + random.nextLong(nextId - state.firstKey()));
            long victim = id == null ? state.firstKey() : id;
            if (victim % 16 == 0 && random.nextInt(100) < sparePercent) {
                return;
            }
            state.remove(victim);
            batch.delete(victim);
        } else {
            byte[] payload = new byte[random.nextInt(payloadMaxBytes)];
            random.nextBytes(payload);
            byte type = (byte) random.nextInt(256);
            long id = nextId++;
            state.put(id, Survivors.form(type, payload));
            batch.add(id, type, Payload.of(payload));
        }
    }
}
