package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Holder;
import org.jspecify.annotations.Nullable;

/**
 * A place in the list of a queue's entries of one priority: an {@link Entry}, or a {@link Run} of entries that a page
 * keeps. Owned by the engine thread.
 */
abstract sealed class Place extends Holder permits Entry, Run {
    private final QueueState queue;
    private final byte priority;
    /** How many cursors stand on it. */
    int pins;
    /**
     * True if it asks for its page: a run to become entries again, an entry for its body until somebody is given it.
     */
    boolean wanted;
    /** Where it is among those that wait for their time, and for their end; 0 if it is not. */
    int dueIndex;

    int expiryIndex;

    @Nullable
    Place previous;

    @Nullable
    Place next;

    Place(QueueState queue, int priority) {
        this.queue = queue;
        this.priority = (byte) priority;
    }

    /** The queue that it is in. */
    public final QueueState queue() {
        return queue;
    }

    final int priority() {
        return priority;
    }

    /** The position of its first entry. */
    public abstract long position();

    /** The position of its last entry. */
    abstract long lastPosition();

    /** How many entries it stands for. */
    abstract int count();

    /** What its messages have together. */
    public abstract long bytes();

    /** When it has something to deliver, in milliseconds since the epoch, if it waits for that. */
    abstract long dueMs();

    /** When the first of its entries expires, in milliseconds since the epoch; 0 if none does. */
    abstract long expiryMs();
}
