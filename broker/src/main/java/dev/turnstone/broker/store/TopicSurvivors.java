package dev.turnstone.broker.store;

import dev.turnstone.broker.store.Survivors.Kept;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The records about topics that a journal still had. Owned by the engine thread. */
public final class TopicSurvivors {
    private final Map<Long, SubscriptionRecord> subscriptions = new HashMap<>();
    private final List<Kept<SubscriptionQueueRecord>> queues = new ArrayList<>();
    private final List<Kept<FilterRecord>> filters = new ArrayList<>();
    private final List<Kept<RetainedRecord>> retained = new ArrayList<>();

    /** Durable subscriptions by their queues' ids. */
    public Map<Long, SubscriptionRecord> subscriptions() {
        return subscriptions;
    }

    /** Queues that subscribe by filters. */
    public List<Kept<SubscriptionQueueRecord>> queues() {
        return queues;
    }

    /** What topics retain. */
    public List<Kept<RetainedRecord>> retained() {
        return retained;
    }

    /** Their filters. */
    public List<Kept<FilterRecord>> filters() {
        return filters;
    }
}
