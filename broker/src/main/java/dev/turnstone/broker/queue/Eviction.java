package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Holder;
import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.StoredMessage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes entries out of memory whose messages a page keeps: runs stand for them. Only entries that are as a restart
 * would find them can go: of those that were delivered, or have been, only the body goes. Owned by the engine thread.
 */
final class Eviction {
    private final Pager pager;
    private final MessageStore store;
    private final Timers timers;
    private final Heads heads;
    private final Soon soon;
    /** The queue that was last asked for whether its entries go, and the answer. */
    private @Nullable QueueState last;

    private boolean lastGoes;
    /** What is due before that stays, though its time has not come. */
    private long soonMs;

    Eviction(Pager pager, MessageStore store, Timers timers, Heads heads) {
        this.heads = heads;
        this.soon = new Soon(pager, timers.delays());
        this.pager = pager;
        this.store = store;
        this.timers = timers;
    }

    /** Takes out all of a page's entries, which are new and nobody has seen. */
    void evictAll(Page page) {
        soonMs = Long.MIN_VALUE;
        evict(page, queue -> true, true);
        Invariant.check(page.idle(), "nothing of a page that was written early stays in memory");
    }

    /** Takes out what it can of a page's entries in certain queues. */
    void evict(Page page, Predicate<QueueState> from) {
        soonMs = soon.beforeMs(page, from);
        evict(page, from, false);
    }

    private void evict(Page page, Predicate<QueueState> from, boolean allTimes) {
        if (pager.holds(page)) {
            return;
        }
        last = null;
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            if (message != null && stays(message, page, from, allTimes)) {
                remember(message, page, from);
            }
        }
    }

    /** Takes out what it can of a message; true if more of it may be taken out later. */
    private boolean stays(StoredMessage message, Page page, Predicate<QueueState> from, boolean allTimes) {
        boolean any = false;
        boolean withBody = false;
        for (Holder holder = message.firstHolder(); holder != null; ) {
            Holder after = holder.nextHolder();
            Entry entry = (Entry) holder;
            boolean goes = goes(entry.queue(), from);
            if (goes && canGo(entry) && (allTimes || !isSoon(entry))) {
                take(entry, page);
            } else {
                any = true;
                withBody |= needsBody(entry, goes);
            }
            holder = after;
        }
        return any && (withBody || !heads.shed(message));
    }

    private boolean goes(QueueState queue, Predicate<QueueState> from) {
        if (queue != last) {
            last = queue;
            lastGoes = from.test(queue);
        }
        return lastGoes;
    }

    /** True if it would be read again soon, for its time has come, or is among the next. */
    private boolean isSoon(Entry entry) {
        return pager.timeHasCome(entry) || (entry.state == EntryState.DELAYED && entry.dueMs() < soonMs);
    }

    /** False if it may be read again before anybody is given it. */
    private boolean needsBody(Entry entry, boolean goes) {
        return switch (entry.state) {
            case DELIVERED, LOCKED -> entry.wanted;
            case READY, DELAYED -> !goes || entry.wanted || isSoon(entry);
            case LEAVING, GONE -> true;
        };
    }

    /** Has the queues know that what is left of a page's entries in memory can be taken out. */
    void remember(Page page) {
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            if (message != null && message.whole()) {
                remember(message, page, queue -> true);
            }
        }
    }

    private static void remember(StoredMessage message, Page page, Predicate<QueueState> by) {
        for (Holder holder = message.firstHolder(); holder != null; holder = holder.nextHolder()) {
            QueueState queue = ((Entry) holder).queue();
            if (by.test(queue)) {
                queue.index().residency().remember(page);
            }
        }
    }

    private boolean canGo(Entry entry) {
        return (entry.state == EntryState.READY || entry.state == EntryState.DELAYED)
                && !entry.cameBack
                && entry.attempts == 0
                && entry.attemptRecord == 0
                && entry.causeLsn == 0
                && entry.flagged
                        == entry.queue()
                                .index()
                                .residency()
                                .flags(entry.position(), entry.message().deliveryTimeMs());
    }

    private void take(Entry entry, Page page) {
        QueueState queue = entry.queue();
        EntryIndex index = queue.index();
        if (entry.previous instanceof Run before && before.page() == page && before.takes(entry)) {
            // Cursors that stand on the entry have passed the run before it.
            queue.dispatch().moved(entry, before);
            index.remove(entry);
            before.take(entry);
            index.absorbed(entry);
            queue.values().moved(entry, before);
        } else {
            Run run = new Run(entry, page, pager);
            queue.dispatch().moved(entry, run);
            index.replace(entry, run);
            pager.resized(run.overheadBytes());
            timers.add(run);
            queue.values().moved(entry, run);
        }
        entry.state = EntryState.GONE;
        queue.returns().evicted(entry);
        timers.delays().left(entry);
        store.unload(entry.stored());
    }
}
