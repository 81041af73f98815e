package dev.turnstone.broker.queue;

import java.util.TreeSet;

/** What one consumer has of its queue's message groups. Owned by the engine thread. */
final class GroupShare {
    /** How many groups are its own. */
    int groups;
    /** True while it stands among those who are served from what waits aside. */
    boolean served;
    /** What waits until it has credit. */
    final TreeSet<Entry> aside = new TreeSet<>(Cursor.ORDER);
}
