package dev.turnstone.broker.queue;

import dev.turnstone.broker.filter.Selector;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds ready entries in order: higher priority first, then lower position. Sees each entry once, moving forward only,
 * and beside that what came back behind it; so finding the next one costs the same at any depth. A selector's cursor
 * passes over what does not match, a bounded number of entries a turn. Owned by the engine thread.
 */
final class Cursor {
    private static final Comparator<Entry> ORDER = (a, b) -> a == b ? 0 : a.comesAfter(b) ? 1 : -1;

    private final EntryIndex index;
    private final @Nullable Selector selector;
    /** The last entry passed, for each priority; null before the first. */
    private final @Nullable Entry[] passed = new @Nullable Entry[EntryIndex.LANES];

    private @Nullable TreeSet<Entry> back;
    private boolean paused;

    Cursor(EntryIndex index, @Nullable Selector selector) {
        this.index = index;
        this.selector = selector;
    }

    /**
     * The best ready entry, or null if there is none or the scan was cut short ({@link #paused}). Changes nothing but
     * how far the search has come.
     */
    @Nullable
    Entry find(ScanBudget budget) {
        paused = false;
        Entry returned = firstBack();
        for (int lanes = index.lanes(); lanes != 0; ) {
            int lane = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(lanes);
            if (returned != null && returned.priority() >= lane) {
                return returned;
            }
            Entry found = findIn(lane, budget);
            if (found != null || paused) {
                return found;
            }
            lanes &= ~(1 << lane);
        }
        return returned;
    }

    private @Nullable Entry findIn(int lane, ScanBudget budget) {
        Entry last = passed[lane];
        Entry entry = last == null ? index.head(lane) : last.next;
        while (entry != null && !wanted(entry)) {
            stand(lane, entry);
            if (!budget.spend()) {
                paused = true;
                return null;
            }
            entry = entry.next;
        }
        return entry;
    }

    private boolean wanted(Entry entry) {
        return entry.state == EntryState.READY && (selector == null || selector.matches(entry.message()));
    }

    /** True if the last search stopped because its budget was spent. */
    boolean paused() {
        return paused;
    }

    /** Passes the entry that {@link #find} gave. */
    void pass(Entry entry) {
        if (entry.cameBack && back != null && back.remove(entry)) {
            return;
        }
        stand(entry.priority(), entry);
    }

    /** An entry is ready again: if the cursor has passed it, it is remembered. */
    void offer(Entry entry) {
        Entry last = passed[entry.priority()];
        if (last == null || last.position() < entry.position()) {
            return;
        }
        if (selector != null && !selector.matches(entry.message())) {
            return;
        }
        if (back == null) {
            back = new TreeSet<>(ORDER);
        }
        back.add(entry);
        entry.cameBack = true;
    }

    /** An entry leaves the index. Called before it does. */
    void forget(Entry entry) {
        int lane = entry.priority();
        if (passed[lane] == entry) {
            entry.pins--;
            passed[lane] = entry.previous;
            if (entry.previous != null) {
                entry.previous.pins++;
            }
        }
        if (entry.cameBack && back != null) {
            back.remove(entry);
        }
    }

    /** The cursor is no longer used. */
    void close() {
        for (Entry entry : passed) {
            if (entry != null) {
                entry.pins--;
            }
        }
    }

    /** True if the entry is the first, over all priorities, that this cursor has not passed. */
    boolean isFront(Entry entry) {
        for (int lanes = index.lanes(); lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            Entry last = passed[lane];
            Entry first = last == null ? index.head(lane) : last.next;
            if (first != null && first.position() < entry.position()) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Entry firstBack() {
        if (back == null) {
            return null;
        }
        while (!back.isEmpty()) {
            Entry first = back.first();
            if (first.state == EntryState.READY) {
                return first;
            }
            // A selector's cursor took it meanwhile; it is offered again if it comes back again.
            back.pollFirst();
        }
        return null;
    }

    private void stand(int lane, Entry entry) {
        Entry last = passed[lane];
        if (last != null) {
            last.pins--;
        }
        passed[lane] = entry;
        entry.pins++;
    }
}
