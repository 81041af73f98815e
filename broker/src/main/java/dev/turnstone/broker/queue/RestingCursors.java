package dev.turnstone.broker.queue;

import dev.turnstone.broker.filter.Selector;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Cursors of selectors whose last consumer has left, for the next one with the same selector: what they have passed
 * need not be looked at again by a consumer that is made anew for each message. Owned by the engine thread.
 */
final class RestingCursors {
    private static final int MOST = 8;
    /** One behind which more has come back is not worth its memory. */
    private static final int BEHIND_MAX = 1_000;

    /** In the order in which they came to rest. */
    private final ArrayDeque<Resting> resting = new ArrayDeque<>(2);

    private record Resting(String selector, Cursor cursor) {}

    /** One comes to rest; another may be given up for it. */
    void add(Selector selector, Cursor cursor) {
        if (resting.size() >= MOST) {
            resting.removeFirst().cursor().close();
        }
        resting.addLast(new Resting(selector.text(), cursor));
    }

    /** That of this selector, which rests no more; null if there is none. */
    @Nullable
    Cursor take(Selector selector) {
        for (Iterator<Resting> all = resting.descendingIterator(); all.hasNext(); ) {
            Resting one = all.next();
            if (one.selector().equals(selector.text())) {
                all.remove();
                return one.cursor();
            }
        }
        return null;
    }

    /** An entry is ready again. */
    void offer(Entry entry) {
        for (Iterator<Resting> all = resting.iterator(); all.hasNext(); ) {
            Cursor cursor = all.next().cursor();
            cursor.offer(entry);
            if (cursor.behind() > BEHIND_MAX) {
                cursor.close();
                all.remove();
            }
        }
    }

    /** One place stands for another from now on. */
    void moved(Place from, Place to) {
        resting.forEach(one -> one.cursor().moved(from, to));
    }

    /** A place is about to leave the index. */
    void forget(Place place) {
        resting.forEach(one -> one.cursor().forget(place));
    }
}
