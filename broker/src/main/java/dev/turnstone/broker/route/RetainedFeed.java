package dev.turnstone.broker.route;

import org.jspecify.annotations.Nullable;

/** How far the retained messages of one filter's topics have been put into its queue. Owned by the engine thread. */
final class RetainedFeed {
    private final Filter filter;
    private final RetainedScan scan;
    private @Nullable String next;

    /**
     * One that goes on from somewhere.
     *
     * @param from the least key that is not in the queue; null for the first
     */
    RetainedFeed(Filter filter, @Nullable String from) {
        this.filter = filter;
        this.scan = new RetainedScan(filter.topic());
        this.next = from == null || from.isEmpty() ? scan.start() : from;
    }

    Filter filter() {
        return filter;
    }

    RetainedScan scan() {
        return scan;
    }

    /** The key to look at next; null when there is none left. */
    @Nullable
    String next() {
        return next;
    }

    void go(@Nullable String to) {
        next = to;
    }

    /** True if the message is one of those that the filter asked for: it was retained before the filter was there. */
    boolean wants(Retained retained, long nowMs) {
        return retained.position() < filter.since()
                && !retained.expired(nowMs)
                && (filter.selector() == null || filter.selector().matches(retained.message()));
    }
}
