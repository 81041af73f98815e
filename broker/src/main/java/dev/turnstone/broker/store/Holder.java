package dev.turnstone.broker.store;

import org.jspecify.annotations.Nullable;

/**
 * Whoever holds a message in memory, or messages of a page that are not in memory: a link in the message's, or the
 * page's, list of holders. Owned by the engine thread.
 */
public abstract class Holder {
    @Nullable
    Holder previousHolder;

    @Nullable
    Holder nextHolder;

    /** Made by whoever holds. */
    protected Holder() {}

    /** Puts one in front of a list; returns it, the new first. */
    static Holder push(Holder holder, @Nullable Holder first) {
        holder.nextHolder = first;
        if (first != null) {
            first.previousHolder = holder;
        }
        return holder;
    }

    /** Takes one out of a list; returns the list's first, or null. */
    static @Nullable Holder drop(Holder holder, @Nullable Holder first) {
        Holder before = holder.previousHolder;
        Holder after = holder.nextHolder;
        if (before != null) {
            before.nextHolder = after;
        }
        if (after != null) {
            after.previousHolder = before;
        }
        holder.previousHolder = null;
        holder.nextHolder = null;
        return before == null ? after : first;
    }

    /** The next one that holds the same, or null. */
    public final @Nullable Holder nextHolder() {
        return nextHolder;
    }
}
