package dev.turnstone.broker.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of one queue prepared branches have settled, as recovery found: until all of it is in memory, nobody knows of
 * which groups that is. Owned by the engine thread.
 */
final class PreparedLocks {
    /** By position, of what is not in memory yet. */
    private final TreeMap<Long, LockHolder> holders = new TreeMap<>();

    private final List<Entry> there = new ArrayList<>();

    /** A prepared branch has settled the entry at a position; the holder gets it when it is in memory. */
    void add(long position, LockHolder holder) {
        holders.put(position, holder);
    }

    /** Gives an entry that comes into memory to the prepared branch that has settled it; false if there is none. */
    boolean hand(Entry entry) {
        LockHolder holder = holders.remove(entry.position());
        if (holder == null) {
            return false;
        }
        entry.state = EntryState.LOCKED;
        entry.queue().room().given(entry);
        there.add(entry);
        holder.inMemory(entry);
        return true;
    }

    /** True if some between two positions are not in memory. */
    boolean has(long first, long last) {
        Long next = holders.ceilingKey(first);
        return next != null && next <= last;
    }

    /** All of them that are still locked, in their order, when all are in memory; null until then. */
    @Nullable
    List<Entry> complete() {
        if (!holders.isEmpty()) {
            return null;
        }
        there.removeIf(entry -> entry.state != EntryState.LOCKED);
        there.sort(Cursor.ORDER);
        return there;
    }
}
