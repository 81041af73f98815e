package dev.turnstone.broker.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the next entry: the feeds take turns, one entry each; within a feed, so do its consumers with credit. Owned
 * by the engine thread.
 */
final class Dispatch {
    private final EntryIndex index;
    private final List<Feed> feeds = new ArrayList<>(1);
    private @Nullable Feed shared;
    private int turn;
    private boolean paused;

    Dispatch(EntryIndex index) {
        this.index = index;
    }

    boolean hasConsumers() {
        return !feeds.isEmpty();
    }

    boolean hasTakers() {
        for (int i = 0; i < feeds.size(); i++) {
            if (!feeds.get(i).browses()) {
                return true;
            }
        }
        return false;
    }

    void attach(Consumer consumer) {
        Feed feed;
        if (consumer.browses()) {
            feed = Feed.ofBrowser(new Cursor(index, consumer.selector()), index.lastPosition());
            feeds.add(feed);
        } else if (consumer.selector() != null) {
            feed = new Feed(new Cursor(index, consumer.selector()), false);
            feeds.add(feed);
        } else if (shared == null) {
            feed = new Feed(new Cursor(index, null), true);
            shared = feed;
            feeds.add(feed);
        } else {
            feed = shared;
        }
        feed.join();
        consumer.feed = feed;
    }

    void detach(Consumer consumer) {
        Feed feed = consumer.feed;
        if (feed == null) {
            return;
        }
        consumer.clearCredit();
        consumer.feed = null;
        if (feed.leave()) {
            feed.cursor().close();
            feeds.remove(feed);
            if (feed == shared) {
                shared = null;
            }
        }
    }

    void lineUp(Consumer consumer) {
        if (consumer.feed != null) {
            consumer.feed.lineUp(consumer);
        }
    }

    /** The next change to make: a dispatch, or that an entry has expired; null if nobody wants, or nothing is there. */
    @Nullable
    Change decide(long nowMs, ScanBudget budget) {
        paused = false;
        int count = feeds.size();
        for (int i = 0; i < count; i++) {
            turn = turn + 1 < count ? turn + 1 : 0;
            Feed feed = feeds.get(turn);
            if (feed.first() == null) {
                continue;
            }
            if (feed.browses()) {
                Change look = look(feed, nowMs, budget);
                if (look != null) {
                    return look;
                }
                paused |= !feed.cursor().waits();
                continue;
            }
            Entry entry = feed.cursor().find(budget);
            if (entry != null) {
                if (entry.expired(nowMs)) {
                    return new Change.Expired(entry);
                }
                return feed.leadsOneFor(entry) ? new Change.Dispatched(entry, feed) : new Change.Settled(entry);
            }
            paused |= feed.cursor().paused();
        }
        return null;
    }

    /** What a browser sees next, or that it has seen everything; null if its cursor must go on in the next turn. */
    private static @Nullable Change look(Feed feed, long nowMs, ScanBudget budget) {
        Cursor cursor = feed.cursor();
        Entry entry = cursor.find(budget);
        while (entry != null) {
            if (feed.shows(entry) && !entry.expired(nowMs)) {
                return new Change.Browsed(entry, feed);
            }
            cursor.pass(entry);
            entry = budget.spend() ? cursor.find(budget) : null;
        }
        return cursor.paused() || cursor.waits() || budget.left() <= 0 ? null : new Change.BrowseEnded(feed);
    }

    /** True if the last decision was null only because a cursor had looked at enough for one turn. */
    boolean paused() {
        return paused;
    }

    void apply(Change.Dispatched dispatched) {
        Feed feed = dispatched.feed();
        Entry entry = dispatched.entry();
        feed.cursor().pass(entry);
        Consumer consumer = feed.first();
        if (consumer != null) {
            consumer.receive(entry, Math.max(entry.causeLsn, entry.stored().lsn()));
            feed.rotate();
        }
    }

    void apply(Change.Browsed browsed) {
        Feed feed = browsed.feed();
        Entry entry = browsed.entry();
        feed.cursor().pass(entry);
        Consumer consumer = feed.first();
        if (consumer != null) {
            consumer.look(entry, entry.stored().lsn());
            feed.rotate();
        }
    }

    void apply(Change.BrowseEnded ended) {
        Feed feed = ended.feed();
        Consumer consumer = feed.first();
        feed.end();
        if (consumer != null) {
            consumer.lookEnded();
        }
    }

    void offer(Entry entry) {
        for (int i = 0; i < feeds.size(); i++) {
            Feed feed = feeds.get(i);
            // What comes back behind a browser was shown to it before, or was nothing that waited.
            if (!feed.browses()) {
                feed.cursor().offer(entry);
            }
        }
    }

    /** One place stands for another from now on. */
    void moved(Place from, Place to) {
        if (from.pins == 0) {
            return;
        }
        for (int i = 0; i < feeds.size(); i++) {
            feeds.get(i).cursor().moved(from, to);
        }
    }

    void forget(Entry entry) {
        if (entry.pins == 0 && !entry.cameBack) {
            return;
        }
        for (int i = 0; i < feeds.size(); i++) {
            feeds.get(i).cursor().forget(entry);
        }
    }
}
