package dev.turnstone.broker.route;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Which filters of one queue have asked for what their topics retain. Owned by the engine thread. */
final class RetainedAsked {
    /** Those that do not have all of it yet; one after the other. Null before the first. */
    private @Nullable ArrayDeque<RetainedFeed> feeds;

    private ArrayDeque<RetainedFeed> feeds() {
        ArrayDeque<RetainedFeed> made = feeds;
        if (made == null) {
            made = new ArrayDeque<>(1);
            feeds = made;
        }
        return made;
    }

    void add(RetainedFeed feed) {
        feeds().addLast(feed);
    }

    /** Recovery: one that has something already is the first. */
    void recover(RetainedFeed feed) {
        if (feed.filter().lastCopy() != 0) {
            feeds().addFirst(feed);
        } else {
            feeds().addLast(feed);
        }
    }

    /** Who is given something next, or null. */
    @Nullable
    RetainedFeed first() {
        return feeds == null ? null : feeds.peekFirst();
    }

    /** What a filter does not have yet, or null. */
    @Nullable
    RetainedFeed of(Filter filter) {
        for (RetainedFeed feed : feeds()) {
            if (feed.filter() == filter) {
                return feed;
            }
        }
        return null;
    }

    /** It has everything. */
    void done(RetainedFeed feed) {
        feeds().remove(feed);
        if (feeds().isEmpty()) {
            feeds = null;
        }
    }

    void drop(Filter filter) {
        feeds().removeIf(feed -> feed.filter() == filter);
    }
}
