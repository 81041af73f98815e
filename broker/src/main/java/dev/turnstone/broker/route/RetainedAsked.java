package dev.turnstone.broker.route;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which filters of one queue have asked for what their topics retain. Owned by the engine thread. */
final class RetainedAsked {
    /** Those that do not have all of it yet; one after the other. */
    private final ArrayDeque<RetainedFeed> feeds = new ArrayDeque<>(0);
    /** Up to which position what was retained is in the queue for the sake of which filter. */
    private @Nullable TreeMap<Long, Filter> lastAt;

    void add(RetainedFeed feed) {
        feeds.addLast(feed);
    }

    /** Who is given something next, or null. */
    @Nullable
    RetainedFeed first() {
        return feeds.peekFirst();
    }

    /** What a filter does not have yet, or null. */
    @Nullable
    RetainedFeed of(Filter filter) {
        for (RetainedFeed feed : feeds) {
            if (feed.filter() == filter) {
                return feed;
            }
        }
        return null;
    }

    /** It has everything. */
    void done(RetainedFeed feed) {
        feeds.remove(feed);
    }

    void drop(Filter filter) {
        feeds.removeIf(feed -> feed.filter() == filter);
    }

    /**
     * What is at this position, and was retained, is there for the sake of the filter.
     *
     * @param alone true if nothing is before it
     */
    void put(long position, Filter filter, boolean alone) {
        TreeMap<Long, Filter> all = alone || lastAt == null ? new TreeMap<>() : lastAt;
        Map.Entry<Long, Filter> last = all.lastEntry();
        if (last != null && last.getValue() == filter) {
            all.remove(last.getKey());
        }
        all.put(position, filter);
        lastAt = all;
    }

    /** For whose sake what was retained is at this position; null if that is not known any more. */
    @Nullable
    Filter filterAt(long position) {
        Map.Entry<Long, Filter> last = lastAt == null ? null : lastAt.ceilingEntry(position);
        return last == null ? null : last.getValue();
    }
}
