package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.SubscriptionRecord;
import dev.turnstone.port.Message;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One subscription of a topic and its queue. Owned by the engine thread. */
public final class Subscription {
    private final Topic topic;
    private final QueueState queue;
    private final @Nullable Selector selector;
    private final @Nullable Origin notFrom;
    private final @Nullable SubscriptionRecord record;
    private final @Nullable SubscriptionName sharedName;

    /**
     * One that ends with its last consumer.
     *
     * @param sharedName what it is shared by, or null if it is one consumer's own
     */
    Subscription(
            Topic topic,
            QueueState queue,
            @Nullable Selector selector,
            @Nullable Origin notFrom,
            @Nullable SubscriptionName sharedName) {
        this.sharedName = sharedName;
        this.topic = topic;
        this.queue = queue;
        this.selector = selector;
        this.notFrom = notFrom;
        this.record = null;
    }

    /** A durable one. */
    Subscription(Topic topic, QueueState queue, SubscriptionRecord record) {
        this.topic = topic;
        this.queue = queue;
        this.selector = Selector.compile(record.selector());
        this.notFrom = record.noLocal() ? new Origin("", record.name().clientId()) : null;
        this.record = record;
        this.sharedName = null;
    }

    /** Its queue. */
    public QueueState queue() {
        return queue;
    }

    Topic topic() {
        return topic;
    }

    /** What a durable one is recorded as; null for others. */
    @Nullable
    SubscriptionRecord record() {
        return record;
    }

    /** What a shared one that is not durable is shared by; null for others. */
    @Nullable
    SubscriptionName sharedName() {
        return sharedName;
    }

    /** True if it is what somebody else asks for, too. */
    boolean sameAs(Subscribe other, @Nullable Selector otherSelector) {
        String mine = selector == null ? null : selector.text();
        String theirs = otherSelector == null ? null : otherSelector.text();
        return topic.address().equals(other.address()) && Objects.equals(mine, theirs);
    }

    boolean durable() {
        return record != null;
    }

    /** True if the message is one that it subscribes to. */
    boolean takes(Message message, Origin from) {
        return !excludes(from) && (selector == null || selector.matches(message));
    }

    private boolean excludes(Origin from) {
        if (notFrom == null) {
            return false;
        }
        return record == null
                ? notFrom.connection().equals(from.connection())
                : notFrom.clientId() != null && Objects.equals(notFrom.clientId(), from.clientId());
    }
}
