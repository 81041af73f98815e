package dev.turnstone.testkit.journal;

import java.util.Map;
import java.util.TreeMap;

/** A set of longs kept as ranges, so that remembering every id ever used costs little when ids are dense. */
final class IdRanges {
    private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();

    boolean contains(long id) {
        Map.Entry<Long, Long> range = lastByFirst.floorEntry(id);
        return range != null && range.getValue() >= id;
    }

    /** Adds an id; says whether it is new. */
    boolean add(long id) {
        if (contains(id)) {
            return false;
        }
        long first = id;
        long last = id;
        Map.Entry<Long, Long> below = lastByFirst.floorEntry(id);
        if (below != null && below.getValue() == id - 1) {
            first = below.getKey();
        }
        Long above = lastByFirst.remove(id + 1);
        if (above != null) {
            last = above;
        }
        lastByFirst.put(first, last);
        return true;
    }
}
