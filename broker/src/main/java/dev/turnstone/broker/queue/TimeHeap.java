package dev.turnstone.broker.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Places by a time of theirs, the earliest first. Each keeps its index here, so that one which leaves is gone at once,
 * and its message with it. Owned by the engine thread.
 */
final class TimeHeap {
    private static final int LEAST = 16;

    private final Timing by;
    /** A binary heap from index 1 on; a place whose index is 0 is not here. */
    private @Nullable Place[] places = new @Nullable Place[LEAST];

    private int size;

    /** What is looked at of a place. */
    enum Timing {
        /** When it has something to deliver. */
        DUE {
            @Override
            long timeMs(Place place) {
                return place.dueMs();
            }

            @Override
            int index(Place place) {
                return place.dueIndex;
            }

            @Override
            void index(Place place, int index) {
                place.dueIndex = index;
            }
        },
        /** When the first of its entries expires. */
        EXPIRY {
            @Override
            long timeMs(Place place) {
                return place.expiryMs();
            }

            @Override
            int index(Place place) {
                return place.expiryIndex;
            }

            @Override
            void index(Place place, int index) {
                place.expiryIndex = index;
            }
        };

        abstract long timeMs(Place place);

        abstract int index(Place place);

        abstract void index(Place place, int index);
    }

    TimeHeap(Timing by) {
        this.by = by;
    }

    /** Its time must stay as it is until it leaves; nothing happens if it is here. */
    void add(Place place) {
        if (by.index(place) == 0) {
            size++;
            if (size == places.length) {
                places = Arrays.copyOf(places, 2 * size);
            }
            rise(place, size);
        }
    }

    /** Nothing happens if it is not here. */
    void remove(Place place) {
        int index = by.index(place);
        if (index == 0) {
            return;
        }
        by.index(place, 0);
        Place last = at(size);
        places[size--] = null;
        if (last != place) {
            sink(last, index);
            rise(last, by.index(last));
        }
        if (places.length > LEAST && size < places.length / 4) {
            places = Arrays.copyOf(places, places.length / 2);
        }
    }

    /** The earliest, or null. */
    @Nullable
    Place first() {
        return places[1];
    }

    /** The earliest time; {@link Long#MAX_VALUE} if there is none. */
    long firstMs() {
        Place first = first();
        return first == null ? Long.MAX_VALUE : by.timeMs(first);
    }

    private Place at(int index) {
        Place place = places[index];
        if (place == null) {
            throw new IllegalStateException("invariant broken: nothing at " + index + " of " + size);
        }
        return place;
    }

    private boolean isBefore(Place one, Place other) {
        long oneMs = by.timeMs(one);
        long otherMs = by.timeMs(other);
        return oneMs < otherMs || (oneMs == otherMs && one.position() < other.position());
    }

    private void put(Place place, int index) {
        places[index] = place;
        by.index(place, index);
    }

    private void rise(Place place, int from) {
        int index = from;
        while (index > 1 && isBefore(place, at(index / 2))) {
            put(at(index / 2), index);
            index /= 2;
        }
        put(place, index);
    }

    private void sink(Place place, int from) {
        int index = from;
        for (int child = 2 * index; child <= size; child = 2 * index) {
            if (child < size && isBefore(at(child + 1), at(child))) {
                child++;
            }
            if (!isBefore(at(child), place)) {
                break;
            }
            put(at(child), index);
            index = child;
        }
        put(place, index);
    }
}
