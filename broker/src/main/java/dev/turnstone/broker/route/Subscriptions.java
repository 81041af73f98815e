package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.Home;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueIdentity;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.FilterRecord;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.SubscriptionRecord;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All subscriptions to topics, and their queues. Owned by the engine thread. */
public final class Subscriptions {
    private final Addresses addresses;
    private final MessageStore store;
    private final QueueContext context;
    private final Topics topics;
    private final RetainedFeeds feeds;
    private final FilteredQueues filtered;
    private final Map<SubscriptionName, Subscription> durable = new HashMap<>();
    /** Those that are shared and end with their last consumer. */
    private final Map<SubscriptionName, Subscription> shared = new HashMap<>();

    private final Set<Subscription> all = new LinkedHashSet<>();

    Subscriptions(Addresses addresses, QueueContext context, Topics topics, RetainedFeeds feeds, Limits limits) {
        this.addresses = addresses;
        this.store = addresses.store();
        this.context = context;
        this.topics = topics;
        this.feeds = feeds;
        this.filtered = new FilteredQueues(this, topics, store.log(), feeds, limits.intOf(Limit.FILTERS_MAX));
    }

    /** What topics retain, for those who come. */
    RetainedFeeds feeds() {
        return feeds;
    }

    /** Those with a queue that subscribes by filters. */
    public FilteredQueues filtered() {
        return filtered;
    }

    /** How many addresses they take of those that there may be. */
    int size() {
        return durable.size() + filtered.size();
    }

    /** From now on other settings hold. */
    void configure() {
        all.forEach(subscription -> configure(subscription.queue()));
        filtered.all().forEach(queue -> configure(queue.queue()));
    }

    private void configure(QueueState queue) {
        queue.configure(addresses.settings(queue.address()));
    }

    /** The durable or shared subscription of that name, or null if there is none. */
    public @Nullable Subscription find(SubscriptionName name) {
        Subscription known = durable.get(name);
        return known == null ? shared.get(name) : known;
    }

    /** Refuses a name that is taken, or one more than there may be. */
    void checkNew(SubscriptionName name) {
        if (find(name) != null || filtered.find(name) != null) {
            throw inUse(name, "exists already");
        }
        addresses.checkRoom();
    }

    void checkCrowd() {
        addresses.checkCrowd();
    }

    private void checkNotFiltered(SubscriptionName name) {
        if (filtered.find(name) != null) {
            throw inUse(name, "is one of filters that come and go");
        }
    }

    /** A subscription that ends with its consumer. */
    public Subscription subscribe(Subscribe subscribe, @Nullable Selector selector, Origin from) {
        addresses.checkRoom();
        Subscription made = add(subscribe.address(), selector, subscribe.noLocal() ? from : null, null);
        begin(made, subscribe);
        return made;
    }

    /** Whoever asks for it begins with what is retained. */
    private void begin(Subscription made, Subscribe subscribe) {
        if (subscribe.options().retained()) {
            feeds.ask(made);
            feeds.feed(made);
        }
    }

    /**
     * The shared subscription of that name, which ends with its last consumer; created if there is none.
     *
     * @throws BrokerException SUBSCRIPTION_IN_USE if it is another topic's or has another selector (Jakarta Messaging
     *     3.1 §8.3.2)
     */
    public Subscription subscribeShared(SubscriptionName name, Subscribe subscribe, @Nullable Selector selector) {
        Subscription known = shared.get(name);
        if (known != null) {
            if (!known.sameAs(subscribe, selector)) {
                throw inUse(name, "is another topic's or has another selector, and has consumers");
            }
            return known;
        }
        checkNotFiltered(name);
        addresses.checkRoom();
        Subscription subscription = add(subscribe.address(), selector, null, name);
        shared.put(name, subscription);
        begin(subscription, subscribe);
        return subscription;
    }

    private Subscription add(
            Address topic,
            @Nullable Selector selector,
            @Nullable Origin notFrom,
            @Nullable SubscriptionName sharedName) {
        String name = sharedName == null ? null : sharedName.name();
        RetainedFeeds.QueueHome home = feeds.new QueueHome();
        QueueState queue = subscriptionQueue(new QueueIdentity(0, topic, name, false), home);
        Subscription subscription = new Subscription(store.log().nextId(), queue, topic, selector, notFrom, sharedName);
        home.of(subscription);
        topics.add(subscription.filter());
        all.add(subscription);
        return subscription;
    }

    /**
     * The durable subscription of that name; created if there is none, replaced if it is another topic's or has another
     * selector (Jakarta Messaging 3.1 §8.3.3).
     *
     * @throws BrokerException SUBSCRIPTION_IN_USE if it has a consumer, or would be replaced while deliveries are
     *     unsettled
     */
    public Subscription subscribeDurably(SubscriptionName name, Subscribe subscribe, Origin from) {
        SubscriptionRecord wanted = wanted(name, subscribe, from.user());
        Subscription known = durable.get(name);
        if (known != null) {
            boolean same = same(known, wanted);
            if (known.queue().hasTakers() && !(same && wanted.shared())) {
                throw inUse(name, "has an active consumer");
            }
            if (same) {
                return known;
            }
            checkSharing(name, known, wanted);
            delete(name);
        }
        checkNotFiltered(name);
        addresses.checkRoom();
        if (subscribe.address().isTemporary()) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "a durable subscription outlives the temporary " + subscribe.address());
        }
        return makeDurable(wanted, subscribe);
    }

    /** In one unit with what it begins with: there is no second time at which it would ask. */
    private Subscription makeDurable(SubscriptionRecord wanted, Subscribe subscribe) {
        long id = store.log().nextId();
        boolean unit = subscribe.options().retained() && !store.inUnit();
        if (unit) {
            store.beginUnit();
        }
        store.log().add(id, RecordType.SUBSCRIPTION, wanted);
        Subscription made = addDurable(id, wanted);
        begin(made, subscribe);
        if (unit) {
            store.endUnit();
        }
        return made;
    }

    /** Recovery: a durable subscription goes on with what it begins with; false if the record says nothing of that. */
    boolean recover(Subscription known, long record, FilterRecord survivor) {
        String to = survivor.retained().to();
        long before = known.feedRecord(known.filter());
        if (to == null || before > record) {
            return false;
        }
        if (before != 0) {
            store.log().delete(before);
        }
        RetainedFeed feed = new RetainedFeed(known.filter(), survivor.retained().asOf(), to);
        feed.recorded = true;
        known.ask(feed);
        known.recorded(known.filter(), record);
        return true;
    }

    /** A shared and an unshared durable subscription cannot have one name (Jakarta Messaging 3.1 §8.3.4). */
    private static void checkSharing(SubscriptionName name, Subscription known, SubscriptionRecord wanted) {
        SubscriptionRecord record = known.record();
        if (record != null && record.shared() != wanted.shared()) {
            throw inUse(name, record.shared() ? "is a shared one" : "is not a shared one");
        }
    }

    private static SubscriptionRecord wanted(SubscriptionName name, Subscribe subscribe, @Nullable String owner) {
        String selector = subscribe.selector() == null || subscribe.selector().isBlank() ? null : subscribe.selector();
        boolean shared = subscribe.mode() == Mode.SHARED_DURABLE;
        return new SubscriptionRecord(name, subscribe.address(), selector, subscribe.noLocal(), shared, owner);
    }

    /** True if subscribing so would create a durable subscription, or replace the one of that name. */
    public boolean makes(SubscriptionName name, Subscribe subscribe) {
        Subscription known = durable.get(name);
        return known == null || !same(known, wanted(name, subscribe, null));
    }

    private static boolean same(Subscription known, SubscriptionRecord wanted) {
        SubscriptionRecord record = known.record();
        return record != null && wanted.sameAs(record);
    }

    /** The topic of the durable subscription of that name, or null if there is none. */
    public @Nullable Address topicOf(SubscriptionName name) {
        Subscription known = durable.get(name);
        return known == null ? null : known.topic();
    }

    Subscription addDurable(long id, SubscriptionRecord record) {
        RetainedFeeds.QueueHome home = feeds.new QueueHome();
        QueueState queue = subscriptionQueue(
                new QueueIdentity(id, record.topic(), record.name().name(), true), home);
        Subscription subscription = new Subscription(queue, record);
        home.of(subscription);
        topics.add(subscription.filter());
        all.add(subscription);
        durable.put(record.name(), subscription);
        return subscription;
    }

    QueueState subscriptionQueue(QueueIdentity identity, Home home) {
        return new QueueState(identity, addresses.settings(identity.address()), home, context);
    }

    /**
     * Deletes a durable subscription, or one with filters, and its messages.
     *
     * @throws BrokerException NO_SUCH_SUBSCRIPTION, or SUBSCRIPTION_IN_USE if it has a consumer or an unsettled
     *     delivery
     */
    public void delete(SubscriptionName name) {
        if (filtered.delete(name)) {
            return;
        }
        Subscription known = durable.get(name);
        if (known == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_SUBSCRIPTION, "there is no durable subscription '" + name.name() + "'");
        }
        if (known.queue().inUse()) {
            throw inUse(name, "has an active consumer or deliveries that are not settled");
        }
        durable.remove(name);
        store.log().delete(known.queue().id());
        if (known.feedRecord(known.filter()) != 0) {
            store.log().delete(known.feedRecord(known.filter()));
        }
        end(known);
    }

    /** A consumer has left: what lives with its consumers ends with the last. */
    public void left(Subscriber subscriber) {
        if (subscriber instanceof FilteredQueue queue) {
            filtered.left(queue);
        } else if (subscriber instanceof Subscription subscription
                && !subscription.durable()
                && !subscription.queue().hasConsumers()) {
            end(subscription);
        }
    }

    private void end(Subscription subscription) {
        if (subscription.sharedName() != null) {
            shared.remove(subscription.sharedName());
        }
        topics.remove(subscription.filter());
        all.remove(subscription);
        subscription.queue().end();
    }

    /** The queues of those with one filter. */
    Iterable<QueueState> queues() {
        return () -> all.stream().map(Subscription::queue).iterator();
    }

    /** Before an orderly stop: as {@link QueueState#markExactly}. */
    void markExactly() {
        durable.values().forEach(subscription -> subscription.queue().markExactly());
        filtered.all().forEach(queue -> queue.queue().markExactly());
    }

    static BrokerException inUse(SubscriptionName name, String why) {
        return new BrokerException(ErrorCode.SUBSCRIPTION_IN_USE, "the subscription '" + name.name() + "' " + why);
    }
}
