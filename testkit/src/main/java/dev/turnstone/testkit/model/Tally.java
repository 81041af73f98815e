package dev.turnstone.testkit.model;

import java.util.EnumMap;
import java.util.Map;

/** How often what was seen. One thread. */
public final class Tally {
    private final Map<Sight, Long> counts = new EnumMap<>(Sight.class);

    /** Nothing seen. */
    public Tally() {
        for (Sight sight : Sight.values()) {
            counts.put(sight, 0L);
        }
    }

    void saw(Sight sight) {
        saw(sight, 1);
    }

    /** It was seen so often. */
    public void saw(Sight sight, long times) {
        counts.merge(sight, times, Long::sum);
    }

    /** Adds all that another has seen. */
    public void add(Tally other) {
        other.counts.forEach((sight, count) -> counts.merge(sight, count, Long::sum));
    }

    /** How often this was seen. */
    public long of(Sight sight) {
        return counts.getOrDefault(sight, 0L);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
