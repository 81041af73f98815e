package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueIdentity;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.SubscriptionRecord;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All queues, topics and subscriptions. Queues and topics exist when they are used and are forgotten when they are
 * empty and nobody consumes. Owned by the engine thread.
 */
public final class Addresses {
    private final MessageStore store;
    private final QueueContext context;
    private final int max;
    private final Map<Address, QueueHome> queues = new HashMap<>();
    private final Topics topics;
    private final Map<SubscriptionName, Subscription> durable = new HashMap<>();
    /** Those that are shared and end with their last consumer. */
    private final Map<SubscriptionName, Subscription> shared = new HashMap<>();

    private final Set<Subscription> subscriptions = new HashSet<>();
    private final Temporaries temporaries = new Temporaries();
    private AddressRules rules;

    /** None yet. */
    public Addresses(MessageStore store, QueueContext context, Limits limits, AddressRules rules) {
        this.rules = rules;
        this.store = store;
        this.context = context;
        this.max = limits.intOf(Limit.ADDRESSES_MAX);
        this.topics = new Topics(store, limits.intOf(Limit.ROUTES_MAX));
    }

    /** What is set for an address. */
    AddressSettings settings(Address address) {
        return rules.of(address);
    }

    /** From now on other settings hold, for what exists too. */
    public void configure(AddressRules other) {
        rules = other;
        queues.values().forEach(home -> configure(home.queue()));
        subscriptions.forEach(subscription -> configure(subscription.queue()));
    }

    private void configure(QueueState queue) {
        queue.configure(settings(queue.address()));
    }

    /** Where messages are kept. */
    public MessageStore store() {
        return store;
    }

    /**
     * Checks that a message can be routed to an address.
     *
     * @throws BrokerException LIMIT_EXCEEDED if the queue would have to be created and there are too many;
     *     INVALID_ADDRESS for a temporary destination that is not declared
     */
    public void check(Address address) {
        if (address.kind() == AddressKind.QUEUE ? queues.containsKey(address) : !address.isTemporary()) {
            return;
        }
        if (address.isTemporary()) {
            temporaries.check(address);
        } else {
            checkRoom();
        }
    }

    /**
     * Checks that a connection may consume from an address.
     *
     * @throws BrokerException for a temporary destination, if it is another connection's (FORBIDDEN, Jakarta Messaging
     *     3.1 §6.2.2) or not declared (INVALID_ADDRESS)
     */
    public void checkConsumer(Address address, Origin from) {
        if (address.isTemporary()) {
            if (address.isPattern()) {
                throw new BrokerException(
                        ErrorCode.INVALID_ADDRESS, "temporary destinations are not found by a pattern: " + address);
            }
            Temporaries.checkOwner(address, from);
            temporaries.check(address);
        }
    }

    /**
     * A temporary destination of this connection exists from now on.
     *
     * @throws BrokerException FORBIDDEN if its name is another connection's; INVALID_ADDRESS if it is not a temporary
     *     one's; LIMIT_EXCEEDED if there are too many addresses
     */
    public void declareTemporary(Address temporary, Origin from) {
        checkRoom();
        temporaries.declare(temporary, from);
    }

    /**
     * Ends a temporary destination of this connection with its messages.
     *
     * @throws BrokerException SUBSCRIPTION_IN_USE while it has a consumer; else as {@link #declareTemporary}
     */
    public void deleteTemporary(Address temporary, Origin from) {
        Temporaries.checkOwner(temporary, from);
        QueueHome home = queues.get(temporary);
        if (topics.subscribed(temporary) || (home != null && home.queue().hasConsumers())) {
            throw new BrokerException(ErrorCode.SUBSCRIPTION_IN_USE, "the temporary " + temporary + " has a consumer");
        }
        temporaries.delete(temporary, from);
        dropQueue(temporary);
    }

    /** A connection may have temporary destinations from now on. */
    public void opened(String connection) {
        temporaries.opened(connection);
    }

    /** Ends a connection's temporary destinations with their messages. */
    public void closed(String connection) {
        temporaries.closed(connection).forEach(this::dropQueue);
    }

    /**
     * Gives a message to whatever stands behind its address. Never refuses: a commit must not stop half-way. See
     * {@link #check}.
     *
     * @return the LSN that must be durable before it is confirmed; 0 for none
     */
    public long route(Message message, Origin from) {
        Address address = message.address();
        if (address.kind() == AddressKind.TOPIC) {
            return topics.publish(message, from);
        }
        if (address.isTemporary() && !temporaries.declared(address)) {
            // It has ended since a transaction has sent here: nobody can come for the message.
            return 0;
        }
        QueueHome home = home(address);
        QueueState queue = home.queue();
        StoredMessage stored = store.keep(message, 1);
        if (message.persistent() && queue.durable()) {
            home.ensureRecorded(store.log());
            store.record(stored, queue.id());
        }
        queue.enqueue(stored);
        return stored.lsn();
    }

    /** The queue at an address, created if there is none. */
    public QueueState queue(Address address) {
        check(address);
        return home(address).queue();
    }

    private QueueHome home(Address address) {
        QueueHome home = queues.get(address);
        if (home == null) {
            home = new QueueHome(identity(store.log().nextId(), address), false, this, context);
            queues.put(address, home);
        }
        return home;
    }

    private void checkRoom() {
        if (queues.size() + topics.size() + durable.size() + temporaries.count() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " queues, topics and subscriptions already (" + Limit.ADDRESSES_MAX.setting()
                            + ")");
        }
    }

    /** Forgets a queue that is idle, or whose time has ended. */
    void drop(QueueHome home) {
        queues.remove(home.address());
        home.end(store.log());
    }

    private void dropQueue(Address address) {
        QueueHome home = queues.get(address);
        if (home != null) {
            drop(home);
        }
    }

    /** A subscription that ends with its consumer. */
    public Subscription subscribe(Subscribe subscribe, @Nullable Selector selector, Origin from) {
        checkRoom();
        return add(subscribe.address(), selector, subscribe.noLocal() ? from : null, null);
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
        checkRoom();
        Subscription subscription = add(subscribe.address(), selector, null, name);
        shared.put(name, subscription);
        return subscription;
    }

    private Subscription add(
            Address topic,
            @Nullable Selector selector,
            @Nullable Origin notFrom,
            @Nullable SubscriptionName sharedName) {
        String name = sharedName == null ? null : sharedName.name();
        QueueState queue = subscriptionQueue(new QueueIdentity(0, topic, name, false));
        Subscription subscription = new Subscription(store.log().nextId(), queue, topic, selector, notFrom, sharedName);
        topics.add(subscription.filter());
        subscriptions.add(subscription);
        return subscription;
    }

    /**
     * The durable subscription of that name; created if there is none, replaced if it is another topic's or has another
     * selector (Jakarta Messaging 3.1 §8.3.3).
     *
     * @throws BrokerException SUBSCRIPTION_IN_USE if it has a consumer, or would be replaced while deliveries are
     *     unsettled
     */
    public Subscription subscribeDurably(SubscriptionName name, Subscribe subscribe) {
        SubscriptionRecord wanted = wanted(name, subscribe);
        Subscription known = durable.get(name);
        if (known != null) {
            boolean same = wanted.equals(known.record());
            if (known.queue().hasConsumers() && !(same && wanted.shared())) {
                throw inUse(name, "has an active consumer");
            }
            if (same) {
                return known;
            }
            checkSharing(name, known, wanted);
            delete(name);
        }
        checkRoom();
        if (subscribe.address().isTemporary()) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "a durable subscription outlives the temporary " + subscribe.address());
        }
        long id = store.log().nextId();
        store.log().add(id, RecordType.SUBSCRIPTION, wanted);
        return addDurable(id, wanted);
    }

    /** A shared and an unshared durable subscription cannot have one name (Jakarta Messaging 3.1 §8.3.4). */
    private static void checkSharing(SubscriptionName name, Subscription known, SubscriptionRecord wanted) {
        SubscriptionRecord record = known.record();
        if (record != null && record.shared() != wanted.shared()) {
            throw inUse(name, record.shared() ? "is a shared one" : "is not a shared one");
        }
    }

    private static SubscriptionRecord wanted(SubscriptionName name, Subscribe subscribe) {
        String selector = subscribe.selector() == null || subscribe.selector().isBlank() ? null : subscribe.selector();
        return new SubscriptionRecord(
                name, subscribe.address(), selector, subscribe.noLocal(), subscribe.mode() == Mode.SHARED_DURABLE);
    }

    /** True if subscribing so would create a durable subscription, or replace the one of that name. */
    public boolean makes(SubscriptionName name, Subscribe subscribe) {
        Subscription known = durable.get(name);
        return known == null || !wanted(name, subscribe).equals(known.record());
    }

    /** The topic of the durable subscription of that name, or null if there is none. */
    public @Nullable Address topicOf(SubscriptionName name) {
        Subscription known = durable.get(name);
        return known == null ? null : known.topic();
    }

    Subscription addDurable(long id, SubscriptionRecord record) {
        QueueState queue = subscriptionQueue(
                new QueueIdentity(id, record.topic(), record.name().name(), true));
        Subscription subscription = new Subscription(queue, record);
        topics.add(subscription.filter());
        subscriptions.add(subscription);
        durable.put(record.name(), subscription);
        return subscription;
    }

    QueueState addQueue(long id, Address address) {
        QueueHome home = new QueueHome(identity(id, address), true, this, context);
        queues.put(address, home);
        return home.queue();
    }

    private static QueueIdentity identity(long id, Address queue) {
        return new QueueIdentity(id, queue, null, !queue.isTemporary());
    }

    private QueueState subscriptionQueue(QueueIdentity identity) {
        return new QueueState(identity, settings(identity.address()), Addresses::keep, context);
    }

    private static void keep(QueueState queue) {
        // A subscription's queue lives as long as the subscription, however empty it is.
    }

    /**
     * Deletes a durable subscription with its messages.
     *
     * @throws BrokerException NO_SUCH_SUBSCRIPTION, or SUBSCRIPTION_IN_USE if it has a consumer or an unsettled
     *     delivery
     */
    public void delete(SubscriptionName name) {
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
        end(known);
    }

    /** Ends a subscription that lived with its consumers. */
    public void end(Subscription subscription) {
        if (subscription.sharedName() != null) {
            shared.remove(subscription.sharedName());
        }
        topics.remove(subscription.filter());
        subscriptions.remove(subscription);
        subscription.queue().end();
    }

    /** Before an orderly stop: what may have been seen is recorded exactly, in place of the marks that reach ahead. */
    public void markExactly() {
        queues.values().forEach(home -> home.queue().markExactly());
        durable.values().forEach(subscription -> subscription.queue().markExactly());
    }

    private static BrokerException inUse(SubscriptionName name, String why) {
        return new BrokerException(ErrorCode.SUBSCRIPTION_IN_USE, "the subscription '" + name.name() + "' " + why);
    }
}
