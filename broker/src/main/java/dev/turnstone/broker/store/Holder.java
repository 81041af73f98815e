package dev.turnstone.broker.store;

import org.jspecify.annotations.Nullable;

/** Whoever holds a message in memory: a link in the message's list of holders. Owned by the engine thread. */
public abstract class Holder {
    @Nullable
    Holder previousHolder;

    @Nullable
    Holder nextHolder;

    /** Made by whoever holds. */
    protected Holder() {}

    /** The next one that holds the same message, or null. */
    public final @Nullable Holder nextHolder() {
        return nextHolder;
    }
}
