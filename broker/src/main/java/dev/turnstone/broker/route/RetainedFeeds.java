package dev.turnstone.broker.route;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.Home;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.FilterRecord;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.port.Message;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts retained messages into the queues that have asked for them, a bounded number at a time, as fast as they are
 * consumed. What is recorded of it goes with how far it has come in one unit. Owned by the engine thread.
 */
final class RetainedFeeds {
    private final MessageStore store;
    private final RetainedMessages retained;
    private final int ahead;
    private final int batch;
    private final int scan;
    private long nowMs;

    RetainedFeeds(MessageStore store, RetainedMessages retained, Limits limits) {
        this.store = store;
        this.retained = retained;
        this.ahead = limits.intOf(Limit.RETAINED_AHEAD);
        this.batch = limits.intOf(Limit.TURN_DELIVERIES);
        this.scan = limits.intOf(Limit.TURN_SCAN);
    }

    void tellTime(long toMs) {
        nowMs = toMs;
    }

    /** What a queue that may be fed is at home with: it hears when it could have more. */
    final class QueueHome implements Home {
        private @Nullable Fed queue;

        void of(Fed made) {
            queue = made;
        }

        @Override
        public void idle(QueueState idle) {
            // It lives on without consumers.
        }

        @Override
        public void wants(QueueState empty) {
            if (queue != null) {
                queue.forgetPast(store.log());
                feed(queue);
            }
        }
    }

    /** What topics retain. */
    RetainedMessages retained() {
        return retained;
    }

    private boolean hasRoom(Fed queue) {
        int depthMax = queue.depthMax();
        return queue.queue().waiting() < ahead
                && (depthMax == 0 || queue.queue().depth() < depthMax);
    }

    /** Puts more into the queue, if it has asked and has room. */
    void feed(Fed queue) {
        RetainedAsked asked = queue.asked();
        RetainedFeed feed = asked == null ? null : asked.first();
        if (asked == null || feed == null || queue.queue().ended() || !hasRoom(queue)) {
            return;
        }
        boolean alone = !store.inUnit();
        if (alone) {
            store.beginUnit();
        }
        if (put(queue, feed) || feed.recorded || feed.next() != null) {
            record(queue, feed);
        }
        if (alone) {
            store.endUnit();
        }
        if (feed.next() == null) {
            asked.done(feed);
        }
        if (asked.first() != null && hasRoom(queue)) {
            queue.queue().wake();
        }
    }

    /** A filter that has been there asks for all again. */
    void askAgain(Fed queue, RetainedAsked asked, Filter filter) {
        RetainedFeed again = new RetainedFeed(filter, store.log().nextId(), null);
        again.recorded = asked.of(filter) != null;
        asked.drop(filter);
        filter.copied(0, 0);
        asked.add(again);
        feed(queue);
        if (again.next() != null && !again.recorded) {
            record(queue, again);
        }
    }

    /** True if something was put into the queue. */
    private boolean put(Fed queue, RetainedFeed feed) {
        int most = batch;
        for (int looks = scan; looks > 0 && most > 0 && hasRoom(queue); looks--) {
            String from = feed.next();
            Map.Entry<String, Retained> found = from == null ? null : retained.from(from);
            if (found == null) {
                feed.go(null);
                return most < batch;
            }
            String key = found.getKey();
            String next = feed.scan().next(key);
            if (!key.equals(next)) {
                feed.go(next);
            } else {
                feed.go(RetainedScan.after(key));
                if (feed.wants(found.getValue(), nowMs)) {
                    enqueue(queue, keep(queue, found.getValue()), feed.filter());
                    most--;
                }
            }
        }
        return most < batch;
    }

    /** Nobody sees the copy before what it is a copy of is durable, and all that goes with that. */
    private StoredMessage keep(Fed queue, Retained found) {
        Message message = found.message().asRetained();
        StoredMessage stored = store.keep(message, 1);
        // If nothing was recorded with it, that LSN may be one that never comes.
        stored.causedBy(Math.min(found.lsn(), store.log().latestLsn()));
        if (message.persistent() && queue.durable()) {
            store.record(stored, queue.queue().id());
        }
        return stored;
    }

    private static void enqueue(Fed queue, StoredMessage stored, Filter filter) {
        filter.copied(stored.position());
        queue.queue().enqueue(stored);
    }

    /** Records how far it has come, in place of what was recorded of the filter. */
    private void record(Fed queue, RetainedFeed feed) {
        Filter filter = feed.filter();
        long before = queue.feedRecord(filter);
        if (before == 0) {
            return;
        }
        boolean stays = queue.keepsRecord() || feed.next() != null;
        long record = stays ? store.log().add(RecordType.FILTER, record(queue, feed, feed.next())) : 0;
        store.log().delete(before);
        queue.recorded(filter, record);
        feed.recorded = feed.next() != null;
    }

    /** A subscription that has just been made asks for what its topics retain; it is recorded if it must be. */
    void ask(Subscription subscription) {
        RetainedFeed feed = new RetainedFeed(subscription.filter(), store.log().nextId(), null);
        feed.recorded = true;
        subscription.ask(feed);
        if (subscription.durable()) {
            subscription.recorded(
                    subscription.filter(), store.log().add(RecordType.FILTER, record(subscription, feed, feed.next())));
        }
    }

    private static FilterRecord record(Fed queue, RetainedFeed feed, @Nullable String to) {
        return record(queue, feed.filter(), feed.since(), to);
    }

    /** The record of a filter of which retained messages are in the queue up to a key, as they were at a position. */
    static FilterRecord record(Fed queue, Filter filter, long asOf, @Nullable String to) {
        return new FilterRecord(
                queue.queue().id(),
                filter.since(),
                filter.until() == Long.MAX_VALUE ? 0 : filter.until(),
                filter.options().get(0),
                filter.noLocal(),
                filter.topic(),
                filter.selector() == null ? null : filter.selector().text(),
                new FilterRecord.Retained(asOf, filter.firstCopy(), filter.lastCopy(), to));
    }
}
