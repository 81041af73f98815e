package dev.turnstone.broker.queue;

import org.jspecify.annotations.Nullable;

/** One change of a queue's state: decided, then recorded where it must survive, then applied. Immutable. */
sealed interface Change {
    /** Whom it concerns; null if that is no entry. */
    @Nullable
    Entry entry();

    /** Whoever has asked for the body of the entry that it concerns has it now, or must ask again. */
    default void letBodyGo() {
        Entry entry = entry();
        if (entry != null) {
            entry.bodyMayGo();
        }
    }

    /** A message takes its place. */
    record Enqueued(Entry entry) implements Change {}

    /** The time of a delayed entry has come. */
    record Due(Entry entry) implements Change {}

    /**
     * An entry leaves for good: consumed, moved, dropped, or its queue has ended.
     *
     * @param dropped true if nobody has consumed it, and it goes nowhere
     */
    record Settled(Entry entry, boolean dropped) implements Change {
        Settled(Entry entry) {
            this(entry, false);
        }
    }

    /** A delivered entry is settled in a transaction that is open. */
    record Locked(Entry entry) implements Change {}

    /**
     * An entry is ready again, in its place.
     *
     * @param seen true if an application may have seen it
     * @param counted true if that counts as an attempt
     * @param dueMs when it may be delivered again; 0 for at once
     */
    record Returned(Entry entry, boolean seen, boolean counted, long dueMs) implements Change {}

    /** An entry has expired. */
    record Expired(Entry entry) implements Change {}

    /**
     * An entry will go to another address.
     *
     * @param attempts counted so far
     */
    record Departing(Entry entry, Departure why, int attempts) implements Change {}

    /** A consumer that reads without consuming is given an entry, which that does not change. */
    record Read(Entry entry, Feed feed, Reader by) implements Change {}

    /** A browser is shown an entry, which that does not change. */
    record Browsed(Entry entry, Feed feed) implements Change {}

    /** A browser has seen all that there was when it began. */
    record BrowseEnded(Feed feed) implements Change {
        @Override
        public @Nullable Entry entry() {
            return null;
        }
    }

    /** An entry goes to a consumer of a feed. */
    record Dispatched(Entry entry, Feed feed, Consumer to) implements Change {
        /** An entry goes to the first in the feed's line, where there is one. */
        static Dispatched toFirst(Entry entry, Feed feed) {
            Consumer first = feed.first();
            if (first == null) {
                throw new IllegalStateException("invariant broken: nobody is in line for " + entry);
            }
            return new Dispatched(entry, feed, first);
        }
    }

    /**
     * An entry waits aside for its group; the feed goes on.
     *
     * @param owner whose credit it waits for; null if it waits until its group may move
     */
    record SetAside(
            Entry entry, Feed feed, Group group, @Nullable Consumer owner) implements Change {}

    /** A feed leaves an entry to another one, whose consumer has its group. */
    record PassedOver(Entry entry, Feed feed, Group group) implements Change {}
}
