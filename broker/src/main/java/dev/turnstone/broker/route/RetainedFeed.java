package dev.turnstone.broker.route;

import org.jspecify.annotations.Nullable;

/** How far the retained messages of one filter's topics have been put into its queue. Owned by the engine thread. */
final class RetainedFeed {
    private final Filter filter;
    private final RetainedScan scan;
    private final long since;
    private @Nullable String next;
    /** True if a record says that there is something left to put. */
    boolean recorded;

    /** One that goes on from somewhere, as of when the filter came. */
    RetainedFeed(Filter filter, @Nullable String from) {
        this(filter, filter.since(), from);
    }

    /**
     * One that goes on from somewhere.
     *
     * @param since what is retained later comes as any message
     * @param from the least key that is not in the queue; null for the first
     */
    RetainedFeed(Filter filter, long since, @Nullable String from) {
        this.filter = filter;
        this.since = since;
        this.scan = new RetainedScan(filter.topic());
        this.next = from == null || from.isEmpty() ? scan.start() : from;
    }

    Filter filter() {
        return filter;
    }

    long since() {
        return since;
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
        return retained.position() < since
                && !retained.expired(nowMs)
                && (filter.selector() == null || filter.selector().matches(retained.message()));
    }
}
