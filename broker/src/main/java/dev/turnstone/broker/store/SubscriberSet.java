package dev.turnstone.broker.store;

import java.util.Arrays;
import java.util.List;

/**
 * A recorded set of durable subscriptions, who wants to name it, and how many messages do. All topics with the same
 * subscriptions have the same one. Owned by the engine thread.
 */
public final class SubscriberSet {
    /** Its records, one for most; messages name the first. */
    private final long[] records;

    private final long[] queues;
    private int messages;
    private int users;

    SubscriberSet(long[] records, long[] queues) {
        this.records = records;
        this.queues = queues;
    }

    /** The ids of the subscriptions' queues. */
    public long[] queues() {
        return queues;
    }

    long record() {
        return records[0];
    }

    long[] records() {
        return records;
    }

    void named() {
        messages++;
    }

    /** One message fewer names it; true if the record can go. */
    boolean unnamed() {
        messages--;
        return unused();
    }

    /** True if no message names it, and none will. */
    private boolean unused() {
        return messages == 0 && users == 0;
    }

    void used() {
        users++;
    }

    /** One user fewer; true if the record can go. */
    boolean released() {
        users--;
        return unused();
    }

    /** The same for sets of the same subscriptions. */
    List<Long> content() {
        return Arrays.stream(queues).boxed().toList();
    }
}
