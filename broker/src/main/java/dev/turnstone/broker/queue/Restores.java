package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.broker.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Makes runs entries again whose pages are loaded. Those who wait for one page share what room there is: each gets its
 * first entries, and the rest of its run stands behind them until somebody comes to it. In one turn only so many come
 * altogether. Owned by the engine thread.
 */
final class Restores {
    /** Entries that come in one turn; the last run of a turn may pass that. */
    private static final int TURN_MAX = 8_192;
    /** Entries of a run that come at a time at least, however many wait with it. */
    private static final int STEP_LEAST = 128;
    /** So many turns' deliveries of a run come at a time at most. */
    private static final int STEP_TURNS = 4;
    /** What those who wait for one page share: this part of the room in memory. */
    private static final int ROOM_PART = 8;

    private final Pager pager;
    private final Pages pages;
    private final PageReads reads;
    private final Heads heads;
    private final Timers timers;
    /** Entries of a run that come at a time at most. */
    private final int stepMost;

    private int left = TURN_MAX;

    Restores(Pager pager, Pages pages, PageReads reads, Heads heads, Timers timers, Limits limits) {
        this.stepMost = STEP_TURNS * limits.intOf(Limit.TURN_DELIVERIES);
        this.pager = pager;
        this.pages = pages;
        this.reads = reads;
        this.heads = heads;
        this.timers = timers;
    }

    /** Near the end of a turn: goes on with what the turn before had no time for. */
    void turn() {
        left = TURN_MAX;
        serve();
    }

    /** Goes on, as far as the turn allows. */
    void serve() {
        while (left > 0) {
            Run run = reads.next();
            if (run == null) {
                return;
            }
            long share = reads.room() / ROOM_PART / reads.waitingWith(run) / Memory.ENTRY_OVERHEAD;
            left -= restore(run, Math.min(stepMost, Math.max(STEP_LEAST, share)));
        }
    }

    /** So many entries take the run's place, as they were when they left memory; returns how many there were. */
    private int restore(Run run, long most) {
        QueueState queue = run.queue();
        Entry first = null;
        Entry last = null;
        int count = 0;
        int slot = run.first();
        for (; slot <= run.last() && count < most; slot++) {
            if (run.holds(slot)) {
                last = enter(run, slot);
                first = first == null ? last : first;
                count++;
            }
        }
        if (first == null || last == null) {
            throw new IllegalStateException("invariant broken: " + run + " has no entries");
        }
        Place ahead = run.next;
        boolean all = count == run.count();
        if (all) {
            replace(run, last);
        } else {
            leaveRest(run, slot, count);
        }
        queue.index().residency().remember(run.page());
        awaken(run, first, last);
        if (all) {
            queue.values().gone(run);
            prefetch(queue, ahead);
        } else if (run.whole && !run.gone) {
            reads.ask(run, run.page());
        }
        queue.wake();
        pager.grown(queue);
        return count;
    }

    private Entry enter(Run run, int slot) {
        StoredMessage there = run.page().resident(slot);
        if (there != null) {
            heads.fill(there);
        }
        EntryIndex index = run.queue().index();
        Entry entry = index.residency().entry(run.queue(), pages.resident(run.page(), slot));
        index.insertBefore(run, entry);
        return entry;
    }

    private void replace(Run run, Entry last) {
        run.queue().dispatch().moved(run, last);
        pager.forget(run);
        run.queue().index().remove(run);
    }

    /** Cursors that stand on the run have passed all of it, and stay there. */
    private static void leaveRest(Run run, int after, int fewer) {
        int slot = after;
        while (!run.holds(slot)) {
            slot++;
        }
        run.queue().index().shrunk(fewer, run.advance(slot, run.page().position(slot), fewer));
        run.wanted = run.whole;
    }

    private void awaken(Run run, Entry first, Entry last) {
        for (Place place = first; place != null; ) {
            // It may leave the queue now: what a crash left undone is done.
            Place after = place == last ? null : place.next;
            awaken(run, (Entry) place);
            place = after;
        }
    }

    private void awaken(Run run, Entry entry) {
        if (entry.state == EntryState.LOCKED) {
            // It is offered when its branch rolls back.
            entry.queue().returns().awakened(entry);
            return;
        }
        if (entry.dueMs() > pager.nowMs()) {
            entry.state = EntryState.DELAYED;
            timers.delays().add(entry);
        } else if (run.sleeps()) {
            // All have passed it, since it had nothing for them.
            entry.queue().dispatch().offer(entry);
        }
        entry.queue().returns().awakened(entry);
    }

    /** Those who read on will need its content soon; it becomes entries when they do. */
    private void prefetch(QueueState queue, @Nullable Place ahead) {
        if (ahead instanceof Run next
                && !next.sleeps()
                && queue.hasConsumers()
                && !next.page().loaded()) {
            reads.ask(next, next.page());
        }
    }
}
