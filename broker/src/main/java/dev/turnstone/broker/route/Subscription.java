package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.SubscriptionRecord;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One subscription of a topic, or of a pattern of topics, and its queue. Owned by the engine thread. */
public final class Subscription implements Fed {
    private final QueueState queue;
    private final Filter filter;
    private final long order;
    private final @Nullable SubscriptionRecord record;
    private final @Nullable SubscriptionName sharedName;
    private @Nullable RetainedAsked asked;
    private long feedRecord;

    /**
     * One that ends with its last consumer.
     *
     * @param order larger than that of every subscription before
     * @param sharedName what it is shared by, or null if it is one consumer's own
     */
    Subscription(
            long order,
            QueueState queue,
            Address topic,
            @Nullable Selector selector,
            @Nullable Origin notFrom,
            @Nullable SubscriptionName sharedName) {
        this.order = order;
        this.sharedName = sharedName;
        this.queue = queue;
        this.filter = new Filter(this, topic, selector, notFrom);
        this.record = null;
    }

    /** A durable one. */
    Subscription(QueueState queue, SubscriptionRecord record) {
        this.order = queue.id();
        this.queue = queue;
        this.filter = new Filter(
                this,
                record.topic(),
                Selector.compile(record.selector()),
                record.noLocal() ? Origin.ofClient(record.name().clientId()) : null);
        this.record = record;
        this.sharedName = null;
    }

    @Override
    public QueueState queue() {
        return queue;
    }

    /** What it takes. */
    Filter filter() {
        return filter;
    }

    /** The topic, or pattern. */
    public Address topic() {
        return filter.topic();
    }

    @Override
    public long order() {
        return order;
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
        Selector selector = filter.selector();
        String mine = selector == null ? null : selector.text();
        String theirs = otherSelector == null ? null : otherSelector.text();
        return topic().equals(other.address()) && Objects.equals(mine, theirs);
    }

    /** True if this user has made it; only a durable one knows. */
    public boolean isOf(@Nullable String user) {
        return record != null && record.owner() != null && record.owner().equals(user);
    }

    /** True if several consumers may have it at a time. */
    public boolean shared() {
        return record == null ? sharedName != null : record.shared();
    }

    @Override
    public boolean durable() {
        return record != null;
    }

    @Override
    public boolean hasRoomFor(Message message) {
        return true;
    }

    /** It begins with what its topics retain. */
    void ask(RetainedFeed feed) {
        RetainedAsked begun = new RetainedAsked();
        begun.add(feed);
        asked = begun;
    }

    @Override
    public @Nullable RetainedAsked asked() {
        return asked;
    }

    @Override
    public int depthMax() {
        return 0;
    }

    @Override
    public long feedRecord(Filter ofFilter) {
        return feedRecord;
    }

    @Override
    public boolean keepsRecord() {
        return false;
    }

    @Override
    public void recorded(Filter ofFilter, long inRecord) {
        feedRecord = inRecord;
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
