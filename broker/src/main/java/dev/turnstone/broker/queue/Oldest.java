package dev.turnstone.broker.queue;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds what has been in a queue longest and nobody has been given, whatever its priority. Sees each place once, moving
 * forward only, and beside that what came back. Owned by the engine thread.
 */
final class Oldest {
    private final EntryIndex index;
    private final @Nullable Place[] passed = new @Nullable Place[EntryIndex.LANES];
    /** What came back behind it, by position. */
    private final TreeMap<Long, Entry> back = new TreeMap<>();

    Oldest(EntryIndex index) {
        this.index = index;
    }

    private static boolean free(Entry entry) {
        return entry.state == EntryState.READY || entry.state == EntryState.DELAYED;
    }

    /** The oldest place, or null if there is none. */
    @Nullable
    Place find() {
        Place best = firstBack();
        for (int lanes = index.lanes(); lanes != 0; lanes &= lanes - 1) {
            Place first = findIn(Integer.numberOfTrailingZeros(lanes));
            if (first != null && (best == null || first.position() < best.position())) {
                best = first;
            }
        }
        return best;
    }

    private @Nullable Place findIn(int lane) {
        Place last = passed[lane];
        for (Place place = last == null ? index.head(lane) : last.next; place != null; place = place.next) {
            if (place instanceof Run || (place instanceof Entry entry && free(entry))) {
                return place;
            }
            stand(lane, place);
        }
        return null;
    }

    private @Nullable Entry firstBack() {
        while (!back.isEmpty()) {
            Entry first = back.firstEntry().getValue();
            if (free(first)) {
                return first;
            }
            back.pollFirstEntry();
        }
        return null;
    }

    /** An entry that was out waits again. */
    void offer(Entry entry) {
        Place last = passed[entry.priority()];
        if (last != null && last.lastPosition() >= entry.position()) {
            back.put(entry.position(), entry);
            entry.cameBack = true;
        }
    }

    void moved(Place from, Place to) {
        int lane = from.priority();
        if (passed[lane] == from) {
            from.pins--;
            passed[lane] = to;
            to.pins++;
        }
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
        if (place instanceof Entry entry && entry.cameBack) {
            back.remove(entry.position());
        }
    }

    void close() {
        for (int lane = 0; lane < passed.length; lane++) {
            Place place = passed[lane];
            if (place != null) {
                place.pins--;
                passed[lane] = null;
            }
        }
        back.clear();
    }

    private void stand(int lane, Place place) {
        Place last = passed[lane];
        if (last != null) {
            last.pins--;
        }
        passed[lane] = place;
        place.pins++;
    }
}
