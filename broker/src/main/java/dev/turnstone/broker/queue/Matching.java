package dev.turnstone.broker.queue;

import java.util.List;

/** Knows why a message is in a queue. Engine thread. */
@FunctionalInterface
public interface Matching {
    /** The options of the filters by which the entry came. */
    List<Long> filters(Entry entry);
}
