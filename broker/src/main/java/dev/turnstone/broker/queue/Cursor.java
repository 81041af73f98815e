package dev.turnstone.broker.queue;

import dev.turnstone.broker.filter.Selector;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds ready entries in order: higher priority first, then lower position; in a queue that is
 * {@link EntryIndex#inOrder} by position alone. Sees each entry once, moving forward only, and beside that what came
 * back behind it; so finding the next one costs the same at any depth. A selector's cursor passes over what does not
 * match, a bounded number of entries a turn. Owned by the engine thread.
 */
final class Cursor {
    /** The order of delivery: higher priority first, then lower position. */
    static final Comparator<Entry> ORDER = (a, b) -> a == b ? 0 : a.comesAfter(b) ? 1 : -1;

    private static final Comparator<Entry> BY_POSITION = Comparator.comparingLong(Entry::position);

    private final EntryIndex index;
    private final @Nullable Selector selector;
    /** The last one passed, for each priority; null before the first. */
    private @Nullable Place[] passed = EntryIndex.NONE;

    private @Nullable TreeSet<Entry> back;
    private boolean paused;
    private boolean waits;

    Cursor(EntryIndex index, @Nullable Selector selector) {
        this.index = index;
        this.selector = selector;
    }

    /**
     * The best ready entry, or null if there is none, the scan was cut short ({@link #paused}) or must go on in a page
     * ({@link #waits}), which has been asked for. Changes nothing but how far the search has come.
     */
    @Nullable
    Entry find(ScanBudget budget) {
        paused = false;
        waits = false;
        if (index.inOrder()) {
            return findByPosition(budget);
        }
        Entry returned = firstBack();
        for (int lanes = index.lanes(); lanes != 0; ) {
            int lane = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(lanes);
            if (returned != null && returned.priority() >= lane) {
                return present(returned);
            }
            Entry found = findIn(lane, budget);
            if (found != null) {
                return present(found);
            }
            if (paused || waits) {
                return null;
            }
            lanes &= ~(1 << lane);
        }
        return returned == null ? null : present(returned);
    }

    /** Asks for one page at a time, that of the first position: two might take turns in memory for ever. */
    private @Nullable Entry findByPosition(ScanBudget budget) {
        Entry returned = firstBack();
        while (true) {
            Place first = firstAhead();
            if (first == null || (returned != null && returned.position() < first.position())) {
                return returned == null ? null : present(returned);
            }
            if (first instanceof Run run && !run.isPassed()) {
                run.want();
                waits = true;
                return null;
            }
            if (first instanceof Entry entry && wanted(entry)) {
                return present(entry);
            }
            stand(first.priority(), first);
            if (!budget.spend()) {
                paused = true;
                return null;
            }
        }
    }

    /** Of all lanes, the place that is ahead and has the lowest position; null if there is none. */
    private @Nullable Place firstAhead() {
        Place first = null;
        for (int lanes = index.lanes(); lanes != 0; lanes &= lanes - 1) {
            Place place = ahead(Integer.numberOfTrailingZeros(lanes));
            if (place != null && (first == null || place.position() < first.position())) {
                first = place;
            }
        }
        return first;
    }

    private @Nullable Place ahead(int lane) {
        Place last = passed[lane];
        return last == null ? index.head(lane) : last.next;
    }

    private @Nullable Entry present(Entry entry) {
        waits = !entry.present();
        return waits ? null : entry;
    }

    private @Nullable Entry findIn(int lane, ScanBudget budget) {
        for (Place place = ahead(lane); place != null; place = place.next) {
            if (place instanceof Run run) {
                if (!run.isPassed()) {
                    run.want();
                    waits = true;
                    return null;
                }
            } else if (place instanceof Entry entry && wanted(entry)) {
                return entry;
            }
            stand(lane, place);
            if (!budget.spend()) {
                paused = true;
                return null;
            }
        }
        return null;
    }

    private boolean wanted(Entry entry) {
        return entry.state == EntryState.READY && (selector == null || selector.matches(entry.message()));
    }

    /** True if the last search stopped at entries that are not in memory yet. */
    boolean waits() {
        return waits;
    }

    /** One place stands for another: whoever stands on that one stands on it. */
    void moved(Place from, Place to) {
        int lane = from.priority();
        if (passed[lane] == from) {
            from.pins--;
            passed[lane] = to;
            to.pins++;
        }
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
        Place last = passed[entry.priority()];
        if (last == null || last.lastPosition() < entry.position()) {
            return;
        }
        if (selector != null && !selector.matches(entry.message())) {
            return;
        }
        if (back == null) {
            back = new TreeSet<>(index.inOrder() ? BY_POSITION : ORDER);
        }
        back.add(entry);
        entry.cameBack = true;
    }

    /** How many entries that came back behind it are remembered. */
    int behind() {
        return back == null ? 0 : back.size();
    }

    /** A place leaves the index. Called before it does. */
    void forget(Place place) {
        int lane = place.priority();
        if (passed[lane] == place) {
            place.pins--;
            passed[lane] = place.previous;
            if (place.previous != null) {
                place.previous.pins++;
            }
        }
        if (back != null && place instanceof Entry entry && entry.cameBack) {
            back.remove(entry);
        }
    }

    /** The cursor is no longer used, or begins anew. */
    void close() {
        for (int lane = 0; lane < passed.length; lane++) {
            Place place = passed[lane];
            if (place != null) {
                place.pins--;
            }
        }
        passed = EntryIndex.NONE;
        back = null;
    }

    /** True if the entry is the first, over all priorities, that this cursor has to give: nothing came back before. */
    boolean isFront(Entry entry) {
        Entry first = firstBack();
        if (back != null && first != null && (first != entry || back.size() > 1)) {
            return false;
        }
        for (int lanes = index.lanes(); lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            Place next = ahead(lane);
            if (next != null && next.position() < entry.position()) {
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

    private void stand(int lane, Place place) {
        if (passed == EntryIndex.NONE) {
            passed = new @Nullable Place[EntryIndex.LANES];
        }
        Place last = passed[lane];
        if (last != null) {
            last.pins--;
        }
        passed[lane] = place;
        place.pins++;
    }
}
