package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Holder;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.StoredMessage;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Of the delayed entries of a page those stay in memory that are due first: their times may be spread at random over a
 * queue, and each would bring its whole page back. Over all its pages a queue keeps so for a quarter of what it may
 * have in memory, and nothing while memory is short. Owned by the engine thread.
 */
final class Soon {
    private static final int QUEUE_PART = 4;
    /** What an entry and its message take beside the message's bytes. */
    private static final int OVERHEAD = Memory.ENTRY_OVERHEAD + Memory.MESSAGE_OVERHEAD;

    private final Pager pager;
    private final Delays delays;

    Soon(Pager pager, Delays delays) {
        this.pager = pager;
        this.delays = delays;
    }

    /** What of a page is due before that stays, of the queues that give up what they have of it. */
    long beforeMs(Page page, Predicate<QueueState> from) {
        if (delays.dueMs() == Long.MAX_VALUE || pager.shortOfMemory()) {
            return Long.MIN_VALUE;
        }
        double share = asleep(page, from);
        long[] times = {};
        int count = 0;
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            Holder holder = message == null ? null : message.firstHolder();
            for (; holder != null; holder = holder.nextHolder()) {
                Entry entry = (Entry) holder;
                if (entry.state == EntryState.DELAYED && from.test(entry.queue())) {
                    if (count == times.length) {
                        times = Arrays.copyOf(times, Math.max(64, 2 * count));
                    }
                    times[count++] = entry.dueMs();
                    share += share(entry.queue());
                }
            }
        }
        int stay = (int) share;
        if (stay >= count) {
            return count == 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        Arrays.sort(times, 0, count);
        return times[stay];
    }

    /** What may stay for those that are not in memory. */
    private double asleep(Page page, Predicate<QueueState> from) {
        double share = 0;
        for (Holder holder = page.firstRun(); holder != null; holder = holder.nextHolder()) {
            Run run = (Run) holder;
            if (run.sleeps() && from.test(run.queue())) {
                share += run.count() * share(run.queue());
            }
        }
        return share;
    }

    /** The part of a queue's entries that may stay. */
    private double share(QueueState queue) {
        EntryIndex index = queue.index();
        double all = index.bytes() + (double) index.size() * OVERHEAD;
        return Math.min(1, pager.most(queue) / (QUEUE_PART * all));
    }
}
