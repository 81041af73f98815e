package dev.turnstone.broker.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The subscriber sets by what they hold, so that a thousand topics with the same subscriptions share one. */
final class SubscriberSets {
    private final Map<List<Long>, SubscriberSet> byContent = new HashMap<>();

    /** The set of these, recorded if there is none. */
    SubscriberSet of(long[] queues, Log log) {
        SubscriberSet wanted = new SubscriberSet(0, queues);
        SubscriberSet known = byContent.get(wanted.content());
        if (known != null) {
            return known;
        }
        SubscriberSet set =
                new SubscriberSet(log.add(RecordType.SUBSCRIBER_SET, new SubscriberSetRecord(queues)), queues);
        byContent.put(set.content(), set);
        return set;
    }

    SubscriberSet recovered(long record, long[] queues) {
        SubscriberSet set = new SubscriberSet(record, queues);
        byContent.putIfAbsent(set.content(), set);
        return set;
    }

    void delete(SubscriberSet set, Log log) {
        log.delete(set.record());
        byContent.remove(set.content(), set);
    }
}
