package dev.turnstone.broker.queue;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.store.Invariant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The feeds of one queue, those of higher priority first, and its consumers in the order in which they came. Owned by
 * the engine thread.
 */
final class Feeds {
    private final EntryIndex index;
    /** Copied when it changes: most queues have one feed or none. */
    private List<Feed> feeds = List.of();

    private List<Consumer> takers = List.of();
    /** Null before the first. */
    private @Nullable RestingCursors resting;

    private @Nullable Consumer firstExclusive;
    private @Nullable Oldest oldest;

    Feeds(EntryIndex index) {
        this.index = index;
    }

    /** Whether {@link #oldest} is asked. */
    void keepOldest(boolean asked) {
        if (asked && oldest == null) {
            oldest = new Oldest(index);
        } else if (!asked && oldest != null) {
            oldest.close();
            oldest = null;
        }
    }

    /** What has been here longest of what nobody has been given; null if there is nothing. */
    @Nullable
    Place oldest() {
        return oldest == null ? null : oldest.find();
    }

    boolean isEmpty() {
        return feeds.isEmpty();
    }

    /** True if all feeds have one priority. */
    boolean ofOnePriority() {
        return feeds.isEmpty()
                || feeds.get(0).priority() == feeds.get(feeds.size() - 1).priority();
    }

    /** The number of the first feed that has a lower priority than this one. */
    int endOfPriority(int at) {
        int end = at + 1;
        while (end < feeds.size() && feeds.get(end).priority() == feeds.get(at).priority()) {
            end++;
        }
        return end;
    }

    int count() {
        return feeds.size();
    }

    Feed get(int at) {
        return feeds.get(at);
    }

    /**
     * What becomes of an entry that nobody in line may take: it waits for who may, and leaves if none of those who are
     * here ever does.
     */
    @Nullable
    Change forbidden(Entry entry) {
        for (Consumer taker : takers) {
            if (taker.takes(entry)) {
                return null;
            }
        }
        return new Change.Settled(entry, true);
    }

    /** How many consumers take messages, rather than look at them. */
    int takers() {
        return takers.size();
    }

    /**
     * Who alone is given messages, or null if all are.
     *
     * @param always true if there is always one such
     */
    @Nullable
    Consumer sole(boolean always) {
        return firstExclusive == null && always && !takers.isEmpty() ? takers.get(0) : firstExclusive;
    }

    private void takersChanged() {
        firstExclusive = takers.stream()
                .filter(taker -> taker.options().exclusive())
                .findFirst()
                .orElse(null);
    }

    void attach(Consumer consumer) {
        Feed feed;
        if (consumer.browses()) {
            feed = add(Feed.ofBrowser(new Cursor(index, consumer.selector()), index.lastPosition()));
        } else {
            int priority = consumer.options().priority();
            Feed known = consumer.selector() == null ? shared(priority) : null;
            feed = known == null
                    ? add(new Feed(cursor(consumer.selector()), consumer.selector() == null, priority))
                    : known;
            take(consumer);
        }
        feed.join();
        consumer.feed = feed;
    }

    /** A new one, or one that has rested. */
    private Cursor cursor(@Nullable Selector selector) {
        Cursor rested = selector == null || resting == null ? null : resting.take(selector);
        return rested == null ? new Cursor(index, selector) : rested;
    }

    private RestingCursors resting() {
        RestingCursors made = resting;
        if (made == null) {
            made = new RestingCursors();
            resting = made;
        }
        return made;
    }

    /** A consumer reads without consuming. */
    Feed attachReader(Reader reader, @Nullable Selector selector) {
        return add(Feed.ofReader(new Cursor(index, selector), reader));
    }

    void detachReader(Feed feed) {
        feed.cursor().close();
        feeds = without(feeds, feed);
    }

    private void take(Consumer consumer) {
        int at = takers.size();
        // Of several, one of higher priority stands before: an exclusive queue is its.
        while (at > 0
                && takers.get(at - 1).options().priority() < consumer.options().priority()) {
            at--;
        }
        takers = with(takers, at, consumer);
        takersChanged();
    }

    private @Nullable Feed shared(int priority) {
        for (Feed feed : feeds) {
            if (feed.shared() && feed.priority() == priority) {
                return feed;
            }
        }
        return null;
    }

    private Feed add(Feed feed) {
        int at = feeds.size();
        while (at > 0 && feeds.get(at - 1).priority() < feed.priority()) {
            at--;
        }
        feeds = with(feeds, at, feed);
        return feed;
    }

    private static <T> List<T> with(List<T> all, int at, T one) {
        List<T> more = new ArrayList<>(all);
        more.add(at, one);
        return List.copyOf(more);
    }

    private static <T> List<T> without(List<T> all, T one) {
        List<T> fewer = new ArrayList<>(all);
        fewer.remove(one);
        return List.copyOf(fewer);
    }

    /** A consumer leaves; its feed too, if it was the last one. */
    void detach(Consumer consumer) {
        Feed feed = consumer.feed;
        Invariant.check(feed != null, "only who is attached is detached");
        consumer.clearCredit();
        consumer.feed = null;
        if (takers.contains(consumer)) {
            takers = without(takers, consumer);
            takersChanged();
        }
        if (feed != null && feed.leave()) {
            feeds = without(feeds, feed);
            Selector selector = consumer.selector();
            if (selector != null && feed.goesOn()) {
                resting().add(selector, feed.cursor());
            } else {
                feed.cursor().close();
            }
        }
    }

    /** An entry that was out waits again: for its time, aside, or in line. */
    void waitsAgain(Entry entry) {
        if (oldest != null) {
            oldest.offer(entry);
        }
    }

    /** An entry is ready again. */
    void offer(Entry entry) {
        waitsAgain(entry);
        for (int i = 0; i < feeds.size(); i++) {
            Feed feed = feeds.get(i);
            // What comes back behind a browser was shown to it before, or was nothing that waited.
            if (!feed.browses()) {
                feed.cursor().offer(entry);
            }
        }
        if (resting != null) {
            resting.offer(entry);
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
        if (resting != null) {
            resting.moved(from, to);
        }
        if (oldest != null) {
            oldest.moved(from, to);
        }
    }

    /** A place is about to leave the index. */
    void forget(Place place) {
        if (place.pins == 0 && !(place instanceof Entry entry && entry.cameBack)) {
            return;
        }
        for (int i = 0; i < feeds.size(); i++) {
            feeds.get(i).cursor().forget(place);
        }
        if (resting != null) {
            resting.forget(place);
        }
        if (oldest != null) {
            oldest.forget(place);
        }
    }
}
