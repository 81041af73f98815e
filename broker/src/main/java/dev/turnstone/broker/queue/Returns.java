package dev.turnstone.broker.queue;

import dev.turnstone.broker.queue.Departure.Cause;
import dev.turnstone.broker.settings.RedeliverySettings;
import dev.turnstone.broker.store.AttemptRecord;
import dev.turnstone.broker.store.Survivors.Kept;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the entries of one queue that were not consumed: back to their places, at once or after a delay, or
 * off to a dead-letter or expiry address. Owned by the engine thread.
 */
public final class Returns {
    private final QueueState queue;
    private final QueueContext context;
    private final Departures departures;

    Returns(QueueState queue, QueueContext context) {
        this.queue = queue;
        this.context = context;
        this.departures = new Departures(context);
    }

    /** Those that are on their way to another address. */
    Departures departures() {
        return departures;
    }

    /** One returns without having been tried. */
    void giveBack(Entry entry, boolean seen) {
        if (entry.state != EntryState.GONE) {
            giveBack(entry, seen, false, 0);
        }
    }

    /** An attempt has failed. */
    public void fail(Entry entry, @Nullable String reason) {
        if (entry.state == EntryState.GONE) {
            return;
        }
        int attempts = entry.attempts + 1;
        RedeliverySettings redelivery = queue.settings().redelivery();
        if (redelivery.exhausted(attempts)) {
            depart(entry, new Departure(Cause.ATTEMPTS, reason), attempts);
        } else {
            long delayMs = redelivery.delayMs(attempts, context.random());
            giveBack(entry, true, true, delayMs == 0 ? 0 : context.nowMs() + delayMs);
        }
    }

    private void giveBack(Entry entry, boolean seen, boolean counted, long dueMs) {
        if (entry.expired(context.nowMs()) && !entry.comesAgain(seen)) {
            depart(entry, Departure.EXPIRED, counted ? entry.attempts + 1 : entry.attempts);
        } else {
            queue.perform(new Change.Returned(entry, seen, counted, dueMs));
            if (queue.values().superseded(entry)) {
                queue.room().drop(entry);
            }
        }
    }

    /** One is not to be delivered again. */
    public void reject(Entry entry, @Nullable String reason) {
        if (queue.settings().terminal()) {
            fail(entry, reason);
        } else if (entry.state != EntryState.GONE) {
            depart(entry, new Departure(Cause.REJECTED, reason), entry.attempts + 1);
        }
    }

    /** The time of one is over; what is with a consumer leaves when it returns. */
    void expire(Entry entry) {
        if ((entry.state == EntryState.READY || entry.state == EntryState.DELAYED)
                && !entry.comesAgain(entry.flagged)) {
            depart(entry, Departure.EXPIRED, entry.attempts);
        }
    }

    /**
     * Recovery: one has been found. What a prepared branch has settled is that branch's until it is decided.
     *
     * @param attempts as its record has them: negative if it was rejected
     */
    void recovered(Entry entry, int attempts) {
        Cause cause = entry.state == EntryState.LOCKED ? null : cause(attempts);
        if (cause != null) {
            depart(entry, new Departure(cause, null), Math.abs(attempts));
        }
    }

    /** Why one is to leave whose record has these attempts; null if it stays. */
    private @Nullable Cause cause(int attempts) {
        if (attempts < 0 && !queue.settings().terminal()) {
            return Cause.REJECTED;
        }
        return attempts > 0 && queue.settings().redelivery().exhausted(attempts) ? Cause.ATTEMPTS : null;
    }

    /** Recovery: brings in what is in pages and is to leave, since nobody else may ask for it. */
    void wantLeaving(Map<Long, Kept<AttemptRecord>> attempts) {
        TreeSet<Long> leaving = new TreeSet<>();
        attempts.forEach((position, kept) -> {
            if (cause(kept.record().attempts()) != null) {
                leaving.add(position);
            }
        });
        for (int lane = 0; lane < EntryIndex.LANES && !leaving.isEmpty(); lane++) {
            for (Place place = queue.index().head(lane); place != null; place = place.next) {
                Long next = leaving.ceiling(place.position());
                if (place instanceof Run run && next != null && next <= run.lastPosition()) {
                    run.wantAll();
                }
            }
        }
    }

    /** One is in memory again that a page had kept. */
    void awakened(Entry entry) {
        int found = entry.attempts;
        entry.attempts = Math.abs(found);
        context.expiry().add(entry);
        recovered(entry, found);
        if (entry.state != EntryState.GONE) {
            queue.values().found(entry);
        }
    }

    /** True if the body of one is in memory; if not, it will be. */
    boolean present(Entry entry) {
        return context.pager().present(entry);
    }

    /** One is no longer in memory, but in its page. */
    void evicted(Entry entry) {
        context.expiry().left(entry);
        if (entry.wanted) {
            // Who waited for its body waits for the run that it is part of now.
            queue.wake();
        }
    }

    private void depart(Entry entry, Departure why, int attempts) {
        if (Departures.target(queue.settings(), why.cause()) == null) {
            context.traffic().left(why.cause(), queue.index().traffic());
            queue.perform(new Change.Settled(entry, true));
        } else {
            queue.perform(new Change.Departing(entry, why, attempts));
        }
    }
}
