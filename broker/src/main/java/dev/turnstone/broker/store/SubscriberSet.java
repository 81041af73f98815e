package dev.turnstone.broker.store;

/** A recorded set of durable subscriptions and how many messages name it. Owned by the engine thread. */
public final class SubscriberSet {
    private final long record;
    private final long[] queues;
    private int messages;
    private boolean current = true;

    SubscriberSet(long record, long[] queues) {
        this.record = record;
        this.queues = queues;
    }

    /** The ids of the subscriptions' queues. */
    public long[] queues() {
        return queues;
    }

    long record() {
        return record;
    }

    void named() {
        messages++;
    }

    /** One message fewer names it; true if the record can go. */
    boolean unnamed() {
        return --messages == 0 && !current;
    }

    /** True if no message names it. */
    public boolean unused() {
        return messages == 0;
    }

    /** No new message will name it; true if the record can go. */
    boolean retire() {
        current = false;
        return messages == 0;
    }
}
