package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.queue.QueueIdentity;
import dev.turnstone.broker.store.FilterRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.SubscriptionQueueRecord;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionFilter.Retained;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All queues that subscribe by filters: their records, and when they end. Owned by the engine thread. */
public final class FilteredQueues {
    /** So many end in one turn. */
    private static final int ENDS_MAX = 1000;

    private final Subscriptions subscriptions;
    private final Topics topics;
    private final Log log;
    private final int filtersMax;
    private final RetainedFeeds feeds;
    private final Map<SubscriptionName, FilteredQueue> byName = new LinkedHashMap<>();
    /** Those that end with their consumer and have had none yet, by the connection that declared them. */
    private final Map<String, Set<FilteredQueue>> waiting = new HashMap<>();
    /** Those that end at a known time. */
    private final TreeSet<FilteredQueue> expiring = new TreeSet<>(
            Comparator.<FilteredQueue>comparingLong(queue -> queue.expiresMs).thenComparingLong(FilteredQueue::order));
    /** Those that have been left since the time was told last. */
    private final Set<FilteredQueue> left = new LinkedHashSet<>();

    FilteredQueues(Subscriptions subscriptions, Topics topics, Log log, RetainedFeeds feeds, int filtersMax) {
        this.subscriptions = subscriptions;
        this.topics = topics;
        this.log = log;
        this.feeds = feeds;
        this.filtersMax = filtersMax;
    }

    /** How many there are. */
    int size() {
        return byName.size();
    }

    Collection<FilteredQueue> all() {
        return byName.values();
    }

    /** The queue of that name, or null if there is none. */
    public @Nullable FilteredQueue find(SubscriptionName name) {
        return byName.get(name);
    }

    private FilteredQueue get(SubscriptionName name) {
        FilteredQueue known = byName.get(name);
        if (known == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_SUBSCRIPTION, "there is no queue of a subscription '" + name.name() + "'");
        }
        return known;
    }

    /**
     * Does what is asked for.
     *
     * @throws BrokerException as {@link QueueChange} says; LIMIT_EXCEEDED if there are too many filters or addresses
     */
    public void change(QueueChange change, Origin from) {
        if (change instanceof QueueChange.Declare declare) {
            declare(declare.queue(), from);
        } else if (change instanceof QueueChange.Revise revise) {
            revise(revise.queue(), from);
        } else if (change instanceof QueueChange.AddFilter add) {
            add(get(add.name()), add.filter());
        } else if (change instanceof QueueChange.RemoveFilter remove) {
            remove(get(remove.name()), remove.topic());
        }
    }

    private void declare(SubscriptionQueue settings, Origin from) {
        subscriptions.checkNew(settings.name());
        long id = log.nextId();
        FilteredQueue queue = make(id, new FilteredQueue.Declared(settings, from.user()));
        record(queue);
        if (settings.idleMs() == 0) {
            queue.waitsFor = from.connection();
            waiting.computeIfAbsent(from.connection(), c -> new LinkedHashSet<>(2))
                    .add(queue);
        } else {
            left.add(queue);
        }
    }

    private FilteredQueue make(long id, FilteredQueue.Declared declared) {
        SubscriptionQueue settings = declared.settings();
        QueueIdentity identity = new QueueIdentity(id, Address.subscription(settings.name()), null, settings.durable());
        RetainedFeeds.QueueHome home = feeds.new QueueHome();
        FilteredQueue queue = new FilteredQueue(id, subscriptions.subscriptionQueue(identity, home), declared);
        home.of(queue);
        byName.put(settings.name(), queue);
        return queue;
    }

    private void revise(SubscriptionQueue settings, Origin from) {
        FilteredQueue queue = get(settings.name());
        if (queue.durable() != settings.durable()) {
            throw new BrokerException(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    "the queue of '" + settings.name().name() + "' is " + (queue.durable() ? "" : "not ")
                            + "durable, which does not change");
        }
        boolean sameTime = settings.idleMs() == queue.settings().idleMs();
        queue.revise(settings, from.user());
        if (!sameTime) {
            expiring.remove(queue);
            queue.expiresMs = 0;
            if (!queue.queue().hasTakers()) {
                left.add(queue);
            }
        }
        record(queue);
    }

    /** Records what a durable one is now, in place of what it was. */
    private void record(FilteredQueue queue) {
        if (!queue.durable()) {
            return;
        }
        long before = queue.record;
        queue.record = log.add(
                RecordType.SUBSCRIPTION_QUEUE,
                new SubscriptionQueueRecord(queue.queue().id(), queue.expiresMs, queue.settings(), queue.owner()));
        if (before != 0) {
            log.delete(before);
        }
    }

    private void add(FilteredQueue queue, SubscriptionFilter wanted) {
        FilteredQueue.Kept before = queue.filter(wanted.topic());
        if (before == null && queue.filters().size() >= filtersMax) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the queue has " + filtersMax + " filters already (" + Limit.FILTERS_MAX.setting() + ")");
        }
        if (before == null) {
            subscriptions.checkCrowd();
        }
        Selector selector = Selector.compile(wanted.selector());
        if (before != null && goesOn(queue, before.filter(), wanted, selector)) {
            if (wanted.retained() == Retained.ALWAYS) {
                feeds.askAgain(queue, queue.asked(), before.filter());
            }
            return;
        }
        replace(queue, before, wanted, selector);
    }

    /**
     * True if a filter need not make way for one that is asked for: it is the same, and nothing is left of what it got
     * of retained messages, or it will not get them again.
     */
    private static boolean goesOn(
            FilteredQueue queue, Filter known, SubscriptionFilter wanted, @Nullable Selector selector) {
        return known.isAs(selector, wanted.noLocal(), wanted.options())
                && (wanted.retained() != Retained.ALWAYS
                        || known.lastCopy() == 0
                        || !queue.queue().room().mayHold(known.firstCopy() - 1, known.lastCopy() + 1));
    }

    private void replace(
            FilteredQueue queue,
            FilteredQueue.@Nullable Kept before,
            SubscriptionFilter wanted,
            @Nullable Selector selector) {
        long since = log.nextId();
        Filter filter = filter(queue, wanted.topic(), selector, wanted.noLocal(), since, wanted.options());
        RetainedFeed feed = feed(queue, filter, wanted.retained(), before);
        long record = 0;
        if (queue.durable()) {
            String next = feed == null ? null : feed.next();
            record = log.add(RecordType.FILTER, RetainedFeeds.record(queue, filter, since, next));
        }
        if (before != null) {
            drop(queue, before, since);
        }
        topics.add(filter);
        queue.put(filter, record);
        if (feed != null) {
            feed.recorded = true;
            queue.asked().add(feed);
            feeds.feed(queue);
        }
    }

    /** What the filter asks for, or what the one before it has not got yet; null for nothing. */
    private static @Nullable RetainedFeed feed(
            FilteredQueue queue, Filter filter, Retained asked, FilteredQueue.@Nullable Kept before) {
        if (asked == Retained.ALWAYS || (asked == Retained.IF_NEW && before == null)) {
            return new RetainedFeed(filter, null);
        }
        RetainedFeed open = before == null ? null : queue.asked().of(before.filter());
        return open == null ? null : new RetainedFeed(filter, open.next());
    }

    private static Filter filter(
            FilteredQueue queue,
            Address topic,
            @Nullable Selector selector,
            boolean noLocal,
            long since,
            long options) {
        Origin notFrom = noLocal ? Origin.ofClient(queue.name().clientId()) : null;
        return new Filter(queue, topic, selector, notFrom, since, options);
    }

    private void remove(FilteredQueue queue, Address topic) {
        FilteredQueue.Kept kept = queue.filter(topic);
        if (kept == null) {
            throw new BrokerException(ErrorCode.NO_SUCH_SUBSCRIPTION, "the queue has no filter for " + topic);
        }
        drop(queue, kept, log.nextId());
    }

    private void drop(FilteredQueue queue, FilteredQueue.Kept kept, long position) {
        topics.remove(kept.filter());
        queue.drop(kept.filter(), position);
        queue.forgetPast(log);
        if (queue.holdsOf(kept.filter())) {
            remember(queue, kept.filter(), filtersMax);
        }
        if (kept.record() != 0) {
            log.delete(kept.record());
        }
    }

    /** What was put into the queue for its sake keeps its options, also over a crash. */
    private void remember(FilteredQueue queue, Filter ended, int most) {
        long record = queue.durable()
                ? log.add(RecordType.FILTER, RetainedFeeds.record(queue, ended, ended.since(), null))
                : 0;
        queue.remember(new FilteredQueue.Kept(ended, record), most, log);
    }

    /**
     * Deletes the queue of that name with its messages; false if there is none.
     *
     * @throws BrokerException SUBSCRIPTION_IN_USE if it has a consumer or an unsettled delivery
     */
    boolean delete(SubscriptionName name) {
        FilteredQueue queue = byName.get(name);
        if (queue == null) {
            return false;
        }
        if (queue.queue().inUse()) {
            throw Subscriptions.inUse(name, "has an active consumer or deliveries that are not settled");
        }
        end(queue);
        return true;
    }

    private void end(FilteredQueue queue) {
        byName.remove(queue.name());
        stopWaiting(queue);
        expiring.remove(queue);
        left.remove(queue);
        for (FilteredQueue.Kept kept : queue.filters()) {
            topics.remove(kept.filter());
            if (kept.record() != 0) {
                log.delete(kept.record());
            }
        }
        for (FilteredQueue.Kept kept : queue.past()) {
            if (kept.record() != 0) {
                log.delete(kept.record());
            }
        }
        if (queue.record != 0) {
            log.delete(queue.record);
        }
        queue.queue().end();
    }

    /** It has a consumer from now on, and does not end by itself. */
    public void attached(FilteredQueue queue) {
        stopWaiting(queue);
        left.remove(queue);
        if (queue.expiresMs != 0) {
            expiring.remove(queue);
            queue.expiresMs = 0;
            record(queue);
        }
    }

    private void stopWaiting(FilteredQueue queue) {
        Set<FilteredQueue> others = waiting.get(queue.waitsFor);
        if (others != null && others.remove(queue) && others.isEmpty()) {
            waiting.remove(queue.waitsFor);
        }
        queue.waitsFor = "";
    }

    /** It may have lost its last consumer. */
    public void left(FilteredQueue queue) {
        if (queue.queue().hasTakers() || byName.get(queue.name()) != queue) {
            return;
        }
        if (queue.settings().idleMs() == 0) {
            end(queue);
        } else {
            left.add(queue);
        }
    }

    /** A connection has ended. */
    void closed(String connection) {
        Set<FilteredQueue> queues = waiting.remove(connection);
        if (queues != null) {
            // What was declared and never consumed from.
            queues.forEach(this::end);
        }
    }

    /** Tells the time: those that have been left end later, those whose time has come end now. */
    public void expire(long nowMs) {
        for (FilteredQueue queue : left) {
            if (queue.settings().idleMs() >= 0) {
                queue.expiresMs = Math.max(1, nowMs + queue.settings().idleMs());
                expiring.add(queue);
                record(queue);
            }
        }
        left.clear();
        for (int most = ENDS_MAX; most > 0 && dueMs() <= nowMs; most--) {
            end(expiring.first());
        }
    }

    /** When {@link #expire} is to be called at the latest; {@link Long#MAX_VALUE} for never. */
    public long dueMs() {
        return expiring.isEmpty() ? Long.MAX_VALUE : expiring.first().expiresMs;
    }

    /** Recovery: a durable one as it was. */
    FilteredQueue recover(long record, SubscriptionQueueRecord survivor) {
        FilteredQueue queue = make(survivor.queue(), new FilteredQueue.Declared(survivor.settings(), survivor.owner()));
        queue.record = record;
        queue.expiresMs = survivor.expiresMs();
        if (queue.expiresMs != 0) {
            expiring.add(queue);
        } else {
            // It had a consumer when the broker crashed, or was about to get its time.
            left.add(queue);
        }
        return queue;
    }

    /** Recovery: one of its filters; called in the order of their records. */
    void recover(FilteredQueue queue, long record, FilterRecord survivor) {
        Filter filter = filter(
                queue,
                survivor.topic(),
                Selector.compile(survivor.selector()),
                survivor.noLocal(),
                survivor.since(),
                survivor.options());
        filter.copied(survivor.retained().first(), survivor.retained().last());
        FilteredQueue.Kept other = queue.filter(survivor.topic());
        if (other != null && other.filter().since() == survivor.since()) {
            // A crash came between writing a record and deleting the one before.
            topics.remove(other.filter());
            queue.drop(other.filter(), survivor.since());
            log.delete(other.record());
        } else if (other != null && survivor.until() == 0) {
            topics.remove(other.filter());
            queue.drop(other.filter(), survivor.since());
            log.delete(other.record());
            remember(queue, other.filter(), Integer.MAX_VALUE);
        }
        if (survivor.until() != 0) {
            filter.end(survivor.until());
            queue.remember(new FilteredQueue.Kept(filter, record), Integer.MAX_VALUE, log);
            return;
        }
        topics.add(filter);
        queue.put(filter, record);
        if (survivor.retained().to() != null) {
            RetainedFeed feed = new RetainedFeed(
                    filter, survivor.retained().asOf(), survivor.retained().to());
            feed.recorded = true;
            queue.asked().recover(feed);
        }
    }
}
