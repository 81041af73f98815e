package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.StoredMessage;

/** One change of a queue's state: decided, then recorded where it must survive, then applied. Immutable. */
sealed interface Change {
    /**
     * A message takes its place.
     *
     * @param attempts counted so far; more than 0 in recovery only
     * @param flagged true if it may have been seen; in recovery only
     * @param attemptRecord the record that says so, or 0
     */
    record Enqueued(StoredMessage message, int attempts, boolean flagged, long attemptRecord) implements Change {}

    /** An entry's time of delivery has come. */
    record Due(Entry entry) implements Change {}

    /** An entry leaves for good: consumed, expired, or its queue has ended. */
    record Settled(Entry entry) implements Change {}

    /** A delivered entry is settled in a transaction that is open. */
    record Locked(Entry entry) implements Change {}

    /**
     * An entry is ready again, in its place.
     *
     * @param seen true if an application may have seen it
     * @param counted true if that counts as an attempt
     */
    record Returned(Entry entry, boolean seen, boolean counted) implements Change {}

    /** A browser is shown an entry, which that does not change. */
    record Browsed(Entry entry, Feed feed) implements Change {}

    /** A browser has seen all that there was when it began. */
    record BrowseEnded(Feed feed) implements Change {}

    /** An entry goes to the first in a feed's line. */
    record Dispatched(Entry entry, Feed feed) implements Change {}
}
