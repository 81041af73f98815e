package dev.turnstone.broker.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The subscriber sets by what they hold, so that a thousand topics with the same subscriptions share one. */
final class SubscriberSets {
    private static final long[] NONE = {};

    private final Map<List<Long>, SubscriberSet> byContent = new HashMap<>();

    /** The set of these, recorded if there is none. */
    SubscriberSet of(long[] queues, Log log) {
        SubscriberSet wanted = new SubscriberSet(NONE, queues);
        SubscriberSet known = byContent.get(wanted.content());
        if (known != null) {
            return known;
        }
        SubscriberSet set = new SubscriberSet(record(queues, log), queues);
        byContent.put(set.content(), set);
        return set;
    }

    private static long[] record(long[] queues, Log log) {
        int most = SubscriberSetRecord.most(log.recordMaxBytes());
        long[] records = new long[Math.max(1, (queues.length + most - 1) / most)];
        for (int i = 0; i < records.length; i++) {
            long[] part = Arrays.copyOfRange(queues, i * most, Math.min(queues.length, (i + 1) * most));
            records[i] = log.add(RecordType.SUBSCRIBER_SET, new SubscriberSetRecord(records[0], part));
        }
        return records;
    }

    SubscriberSet recovered(long[] records, long[] queues) {
        SubscriberSet set = new SubscriberSet(records, queues);
        byContent.putIfAbsent(set.content(), set);
        return set;
    }

    void delete(SubscriberSet set, Log log) {
        // The first record last: whatever of them a crash leaves is a set.
        for (int i = set.records().length - 1; i >= 0; i--) {
            log.delete(set.records()[i]);
        }
        byContent.remove(set.content(), set);
    }
}
