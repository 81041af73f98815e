package dev.turnstone.broker.queue;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.settings.AddressSettings;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the next entry: the feeds take turns, one entry each, those of higher priority first; within a feed, so do
 * its consumers with credit; but an exclusive consumer gets everything, and the consumer of a group all that is of it.
 * Owned by the engine thread.
 */
final class Dispatch {
    private final Feeds feeds;
    /** Null before the first message of a group. */
    private @Nullable Groups groups;

    /** Null as long as the queue waits for no consumers. */
    private @Nullable Gate gate;

    private final QueueState queue;
    private final QueueContext context;
    private boolean exclusive;
    private int groupsMax;
    private int turn;
    private boolean paused;
    /** Whether somebody of the priority that was looked at last has not come to the end of the queue. */
    private boolean searching;

    Dispatch(QueueState queue, EntryIndex index, QueueContext context) {
        this.context = context;
        this.queue = queue;
        this.feeds = new Feeds(index);
    }

    /** From now on these settings hold. */
    void configure(AddressSettings settings) {
        boolean others = exclusive != settings.dispatch().exclusive()
                || groupsMax != settings.dispatch().groupsMax();
        exclusive = settings.dispatch().exclusive();
        groupsMax = settings.dispatch().groupsMax();
        if (others && groups != null) {
            groups.changed();
        }
        if (gate == null && settings.dispatch().consumersBefore() > 0) {
            gate = new Gate(queue, context.gates(), hasTakers());
        }
        if (gate != null) {
            gate.configure(settings.dispatch());
            gate.consumers(feeds.takers(), context.nowMs());
        }
        feeds.keepOldest(settings.capacity().dropsOldest());
    }

    private boolean open() {
        return gate == null || gate.open();
    }

    private Groups groups() {
        Groups known = groups;
        if (known == null) {
            known = new Groups(feeds, context.groupsAside());
            groups = known;
        }
        return known;
    }

    boolean hasConsumers() {
        return !feeds.isEmpty();
    }

    boolean hasTakers() {
        return feeds.takers() > 0;
    }

    void attach(Consumer consumer) {
        feeds.attach(consumer);
        takersChanged();
    }

    void detach(Consumer consumer) {
        if (consumer.attached()) {
            feeds.detach(consumer);
            takersChanged();
        }
    }

    private void takersChanged() {
        if (gate != null) {
            gate.consumers(feeds.takers(), context.nowMs());
        }
        if (groups != null) {
            groups.changed();
        }
    }

    /** A consumer reads without consuming. */
    Feed attachReader(Reader reader, @Nullable Selector selector) {
        return feeds.attachReader(reader, selector);
    }

    void detachReader(Feed feed) {
        feeds.detachReader(feed);
    }

    void lineUp(Consumer consumer) {
        if (consumer.feed != null) {
            consumer.feed.lineUp(consumer);
            if (groups != null) {
                groups.lineUp(consumer);
            }
        }
    }

    /** The next change to make: a dispatch, or that an entry has expired; null if nobody wants, or nothing is there. */
    @Nullable
    Change decide(long nowMs, ScanBudget budget) {
        paused = false;
        Consumer sole = feeds.sole(exclusive);
        Groups known = groups;
        Entry aside = known != null && sole == null && open() ? known.next() : null;
        if (aside != null && !aside.present()) {
            // What else there is of its group must not overtake it.
            return null;
        }
        if (known != null && aside != null) {
            Consumer to = known.nextFor();
            return aside.expired(nowMs) || to.feed == null
                    ? new Change.Expired(aside)
                    : new Change.Dispatched(aside, to.feed, to);
        }
        int count = feeds.count();
        if (feeds.ofOnePriority()) {
            return decideAmong(0, count, sole, nowMs, budget);
        }
        for (int from = 0; from < count; ) {
            int to = feeds.endOfPriority(from);
            Change change = decideAmong(from, to, sole, nowMs, budget);
            // Who has not looked at everything yet may want what those of lower priority would be given.
            if (change != null || searching) {
                return change;
            }
            from = to;
        }
        return null;
    }

    private @Nullable Change decideAmong(int from, int to, @Nullable Consumer sole, long nowMs, ScanBudget budget) {
        int count = to - from;
        searching = false;
        for (int i = 0; i < count; i++) {
            turn = turn + 1 < count ? turn + 1 : 0;
            Feed feed = feeds.get(from + turn);
            Reader reader = feed.reader();
            if (reader != null ? !reader.hungry() : feed.first() == null) {
                continue;
            }
            if (reader != null) {
                Entry entry = feed.cursor().find(budget);
                if (entry != null) {
                    return entry.expired(nowMs) ? new Change.Expired(entry) : new Change.Read(entry, feed, reader);
                }
                paused |= feed.cursor().paused();
            } else if (feed.browses()) {
                Change look = look(feed, nowMs, budget);
                if (look != null) {
                    return look;
                }
            } else if (open() && (sole == null || (sole.feed == feed && sole.wants()))) {
                Change change = take(feed, sole, nowMs, budget);
                if (change != null) {
                    return change;
                }
                paused |= feed.cursor().paused();
                searching |= feed.cursor().paused() || feed.cursor().waits();
            }
        }
        return null;
    }

    private @Nullable Change take(Feed feed, @Nullable Consumer sole, long nowMs, ScanBudget budget) {
        Entry entry = feed.cursor().find(budget);
        if (entry == null) {
            return null;
        }
        if (entry.expired(nowMs)) {
            return new Change.Expired(entry);
        }
        String group = groupOf(entry);
        if (group != null && queue.index().residency().hasLocks()) {
            // What of the group is with a prepared branch is not known yet.
            return null;
        }
        if (sole != null && sole.mayTake(entry)) {
            return group == null || groups == null
                    ? new Change.Dispatched(entry, feed, sole)
                    : groups.decideFor(sole, feed, entry, group);
        }
        // What the one that gets everything may not have is for the others, in no group: those are its.
        if (group != null && sole == null) {
            return groups().decide(feed, entry, group);
        }
        return feed.leadsOneFor(entry, null) ? Change.Dispatched.toFirst(entry, feed) : feeds.forbidden(entry);
    }

    private @Nullable String groupOf(Entry entry) {
        return groupsMax == 0 ? null : entry.message().group();
    }

    /** What a browser sees next, or that it has seen everything; null if it must go on later. */
    private @Nullable Change look(Feed feed, long nowMs, ScanBudget budget) {
        if (context.delays().dueMs() <= nowMs) {
            // It is shown all that is due when it is asked for, also if that is more than a turn releases.
            paused = true;
            return null;
        }
        Cursor cursor = feed.cursor();
        Entry entry = cursor.find(budget);
        while (entry != null) {
            if (feed.shows(entry) && !entry.expired(nowMs)) {
                return new Change.Browsed(entry, feed);
            }
            cursor.pass(entry);
            entry = budget.spend() ? cursor.find(budget) : null;
        }
        paused |= !cursor.waits();
        return cursor.paused() || cursor.waits() || budget.left() <= 0 ? null : new Change.BrowseEnded(feed);
    }

    /** True if the last decision was null only because a cursor had looked at enough for one turn. */
    boolean paused() {
        return paused;
    }

    /**
     * How many entries, this one among them, may be marked as seen ahead of being dispatched; 0 if it is not the first
     * of those that wait, or too many wait before it: aside, or left to the consumers of their groups.
     */
    int markable(Change.Dispatched dispatched, int block) {
        Feed feed = dispatched.feed();
        Entry entry = dispatched.entry();
        int ahead = block - (groups == null ? 0 : groups.aside());
        return ahead > block / 2
                        && feed.shared()
                        && !feed.hasPassedOver()
                        && entry.aside == null
                        && feed.cursor().isFront(entry)
                ? ahead
                : 0;
    }

    void apply(Change.Dispatched dispatched) {
        Feed feed = dispatched.feed();
        Entry entry = dispatched.entry();
        Consumer consumer = dispatched.to();
        String group = groupOf(entry);
        boolean inLine = entry.aside == null;
        if (inLine) {
            feed.cursor().pass(entry);
        }
        if (group != null) {
            groups().dispatched(entry, group, consumer, groupsMax);
        }
        consumer.receive(entry);
        if (inLine && feed.first() == consumer) {
            feed.rotate();
        }
    }

    /** After a restart: a prepared branch has settled an entry. It is out, with nobody who is here. */
    void locked(Entry entry) {
        String group = groupOf(entry);
        if (group != null) {
            groups().locked(entry, group, groupsMax);
        }
    }

    /** A change that concerns nothing but who has come how far. */
    void apply(Change change) {
        if (change instanceof Change.SetAside aside) {
            groups().apply(aside);
        } else if (change instanceof Change.PassedOver passedOver) {
            groups().apply(passedOver);
        } else if (change instanceof Change.Read read) {
            apply(read);
        } else if (change instanceof Change.Browsed browsed) {
            apply(browsed);
        } else if (change instanceof Change.BrowseEnded ended) {
            apply(ended);
        }
    }

    private void apply(Change.Read read) {
        read.feed().cursor().pass(read.entry());
        read.by().take(read.entry());
    }

    private void apply(Change.Browsed browsed) {
        Feed feed = browsed.feed();
        Entry entry = browsed.entry();
        feed.cursor().pass(entry);
        Consumer consumer = feed.first();
        if (consumer != null) {
            consumer.look(entry, entry.stored().lsn());
            feed.rotate();
        }
    }

    private void apply(Change.BrowseEnded ended) {
        Feed feed = ended.feed();
        Consumer consumer = feed.first();
        feed.end();
        if (consumer != null) {
            consumer.lookEnded();
        }
    }

    /** An entry is no longer with a consumer; true if that makes others ready. */
    boolean left(Entry entry, boolean unseen) {
        return groups != null && groups.left(entry, unseen);
    }

    void offer(Entry entry) {
        if (groups != null && groups.takesBack(entry)) {
            feeds.waitsAgain(entry);
        } else {
            feeds.offer(entry);
        }
    }

    /** One place stands for another from now on. */
    void moved(Place from, Place to) {
        feeds.moved(from, to);
    }

    /** An entry that was out waits for its time. */
    void delayed(Entry entry) {
        feeds.waitsAgain(entry);
    }

    /** What has been here longest of what nobody has been given, if the settings ask for that; null for nothing. */
    @Nullable
    Place oldest() {
        return feeds.oldest();
    }

    /** A place is about to leave the index. */
    void forget(Place place) {
        if (groups != null && place instanceof Entry entry) {
            groups.forget(entry);
        }
        feeds.forget(place);
        if (place.wanted) {
            // Who waited for it to be in memory waits for the next one now.
            queue.wake();
        }
    }
}
