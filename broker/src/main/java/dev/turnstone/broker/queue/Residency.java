package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.AttemptRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.Survivors.Kept;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What of a queue is in memory, for the pager. Owned by the engine thread. */
final class Residency {
    /** What its entries and their messages take. */
    long bytes;
    /** How many entries that is. */
    int entries;
    /** How much of that is on its way to a page. */
    long writing;
    /** The pager looks at the queue when its entries take more. */
    long lookAt;
    /** True while it stands on the pager's list of those who are over their limit. */
    boolean heavy;
    /** True while it stands in the pager's ring of those who have entries in memory. */
    boolean ringed;
    /** How many runs it has. */
    int runs;

    /** Pages whose entries are in memory all the same, oldest first. */
    @Nullable
    LinkedHashSet<Page> loaded;

    /** Recovery found these attempts at entries that are in pages, by position. */
    @Nullable
    Map<Long, Kept<AttemptRecord>> attempts;

    /** What recovery found that prepared branches have settled; null when all of it is in memory. */
    @Nullable
    PreparedLocks locks;

    /** Up to here, recovery found, entries may have been seen, */
    long flaggedUpTo;
    /** unless their time of delivery came after this. */
    long flaggedAtMs;

    /** The stretch of its entries that a marker being made goes on with. */
    @Nullable
    StretchBuilder stretch;

    /** What it takes and will take when all pages are written. */
    long staying() {
        return bytes - writing;
    }

    /** True if an entry that nobody was given in this life may have been seen before. */
    boolean flags(long position, long deliveryTimeMs) {
        return position <= flaggedUpTo && deliveryTimeMs <= flaggedAtMs;
    }

    /** An entry of a message that is in memory again, as it was when the pager or a crash took it. */
    Entry entry(QueueState queue, StoredMessage message) {
        Entry entry = new Entry(queue, message);
        entry.flagged = flags(message.position(), message.message().deliveryTimeMs());
        Map<Long, Kept<AttemptRecord>> found = attempts;
        Kept<AttemptRecord> attempt = found == null ? null : found.remove(message.position());
        if (attempt != null) {
            entry.flagged = true;
            entry.adopt(attempt);
        }
        handLocked(entry);
        return entry;
    }

    /** Recovery: a prepared branch has settled the entry at a position; the holder gets it when it is in memory. */
    void lock(long position, LockHolder holder) {
        PreparedLocks all = locks;
        if (all == null) {
            all = new PreparedLocks();
            locks = all;
        }
        all.add(position, holder);
    }

    /** Gives an entry that comes into memory to the prepared branch that has settled it; false if there is none. */
    boolean handLocked(Entry entry) {
        PreparedLocks all = locks;
        if (all == null || !all.hand(entry)) {
            return false;
        }
        List<Entry> known = all.complete();
        if (known != null) {
            locks = null;
            known.forEach(entry.queue().dispatch()::locked);
        }
        return true;
    }

    /** True if prepared branches have settled entries that are not in memory. */
    boolean hasLocks() {
        return locks != null;
    }

    /** True if some of those stand between two positions. */
    boolean hasLocks(long first, long last) {
        return locks != null && locks.has(first, last);
    }

    /** True if recovery has found attempts at entries that are in pages. */
    boolean hasAttempts() {
        return attempts != null && !attempts.isEmpty();
    }

    /** The queue has ended: deletes what was recorded of attempts at entries in pages. */
    void eraseAttempts(Log log) {
        if (attempts != null) {
            attempts.values().forEach(kept -> log.delete(kept.id()));
            attempts = null;
        }
    }

    /** Remembers that entries of a page are in memory. */
    void remember(Page page) {
        LinkedHashSet<Page> pages = loaded;
        if (pages == null) {
            pages = new LinkedHashSet<>(2);
            loaded = pages;
        }
        Iterator<Page> first = pages.iterator();
        while (first.hasNext() && first.next().idle()) {
            first.remove();
        }
        pages.add(page);
    }
}
