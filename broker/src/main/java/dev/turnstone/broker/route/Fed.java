package dev.turnstone.broker.route;

import dev.turnstone.broker.store.Log;
import org.jspecify.annotations.Nullable;

/** A subscriber's queue into which messages are put that topics retain. Owned by the engine thread. */
sealed interface Fed extends Subscriber permits Subscription, FilteredQueue {
    /** Who asks for what topics retain; null if nobody ever has. */
    @Nullable
    RetainedAsked asked();

    /** At so many messages it takes no more; 0 for no limit of its own. */
    int depthMax();

    /** The record of how far the filter's topics have been put into the queue; 0 if there is none. */
    long feedRecord(Filter filter);

    /** True if the record stays when there is nothing left to put. */
    boolean keepsRecord();

    /** Filters that have ended are forgotten if nothing that they have put into the queue is left. */
    default void forgetPast(Log log) {
        // Most have none.
    }

    /** It is recorded anew; 0 for no more. */
    void recorded(Filter filter, long inRecord);
}
