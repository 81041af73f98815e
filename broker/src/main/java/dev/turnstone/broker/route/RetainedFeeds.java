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

    /** What a queue with filters is at home with: it hears when it could have more. */
    final class QueueHome implements Home {
        private @Nullable FilteredQueue queue;

        void of(FilteredQueue made) {
            queue = made;
        }

        @Override
        public void idle(QueueState idle) {
            // It lives on without consumers.
        }

        @Override
        public void wants(QueueState empty) {
            if (queue != null) {
                feed(queue);
            }
        }
    }

    /** What topics retain. */
    RetainedMessages retained() {
        return retained;
    }

    private boolean hasRoom(FilteredQueue queue) {
        int depthMax = queue.settings().depthMax();
        return queue.queue().waiting() < ahead
                && (depthMax == 0 || queue.queue().depth() < depthMax);
    }

    /** Puts more into the queue, if it has asked and has room. */
    void feed(FilteredQueue queue) {
        RetainedFeed feed = queue.asked().first();
        if (feed == null || queue.queue().ended() || !hasRoom(queue)) {
            return;
        }
        boolean alone = !store.inUnit();
        if (alone) {
            store.beginUnit();
        }
        put(queue, feed);
        record(queue, feed);
        if (alone) {
            store.endUnit();
        }
        if (feed.next() == null) {
            queue.asked().done(feed);
        }
        if (queue.asked().first() != null && hasRoom(queue)) {
            queue.queue().wake();
        }
    }

    private void put(FilteredQueue queue, RetainedFeed feed) {
        int most = batch;
        for (int looks = scan; looks > 0 && most > 0 && hasRoom(queue); looks--) {
            String from = feed.next();
            Map.Entry<String, Retained> found = from == null ? null : retained.from(from);
            if (found == null) {
                feed.go(null);
                return;
            }
            String key = found.getKey();
            String next = feed.scan().next(key);
            if (!key.equals(next)) {
                feed.go(next);
            } else {
                feed.go(RetainedScan.after(key));
                if (feed.wants(found.getValue(), nowMs)) {
                    put(queue, feed.filter(), found.getValue().message().asRetained());
                    most--;
                }
            }
        }
    }

    private void put(FilteredQueue queue, Filter filter, Message message) {
        StoredMessage stored = store.keep(message, 1);
        if (message.persistent() && queue.durable()) {
            store.record(stored, queue.queue().id());
        }
        queue.asked().put(stored.position(), filter, queue.queue().depth() == 0);
        queue.queue().enqueue(stored);
    }

    /** Records how far it has come, in place of what was recorded of the filter. */
    private void record(FilteredQueue queue, RetainedFeed feed) {
        FilteredQueue.Kept kept = queue.filter(feed.filter().topic());
        if (kept == null || kept.record() == 0) {
            return;
        }
        Filter filter = feed.filter();
        FilterRecord now = record(queue, filter, feed.next());
        long record = store.log().add(RecordType.FILTER, now);
        store.log().delete(kept.record());
        queue.recorded(filter, record);
    }

    static FilterRecord record(FilteredQueue queue, Filter filter, @Nullable String retainedTo) {
        return new FilterRecord(
                queue.queue().id(),
                filter.since(),
                filter.options().get(0),
                filter.noLocal(),
                filter.topic(),
                filter.selector() == null ? null : filter.selector().text(),
                retainedTo);
    }
}
