package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueState;
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
import dev.turnstone.port.SubscriptionName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
    private final Map<Address, Topic> topics = new HashMap<>();
    private final Map<SubscriptionName, Subscription> durable = new HashMap<>();
    /** The temporary queues of each connection. */
    private final Map<String, Set<Address>> temporaries = new HashMap<>();

    /** None yet. */
    public Addresses(MessageStore store, QueueContext context, Limits limits) {
        this.store = store;
        this.context = context;
        this.max = limits.intOf(Limit.ADDRESSES_MAX);
    }

    /** Where messages are kept. */
    public MessageStore store() {
        return store;
    }

    /**
     * Checks that a message can be routed to an address.
     *
     * @throws BrokerException LIMIT_EXCEEDED if the queue would have to be created and there are too many;
     *     INVALID_ADDRESS for a temporary destination whose connection has ended
     */
    public void check(Address address) {
        if (address.kind() == AddressKind.QUEUE && !queues.containsKey(address)) {
            checkRoom();
            if (address.isTemporary() && !temporaries.containsKey(owner(address))) {
                throw new BrokerException(
                        ErrorCode.INVALID_ADDRESS, "the connection that made the temporary " + address + " has ended");
            }
        }
    }

    /**
     * Checks that a connection may consume from an address.
     *
     * @throws BrokerException FORBIDDEN for another connection's temporary destination (Jakarta Messaging 3.1 §6.2.2)
     */
    public void checkConsumer(Address address, Origin from) {
        if (address.isTemporary() && !owner(address).equals(from.connection())) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN,
                    "only the connection that made the temporary " + address + " may consume from it");
        }
    }

    private static String owner(Address temporary) {
        List<String> levels = temporary.levels();
        return levels.size() > 1 ? levels.get(1) : "";
    }

    /** A connection may have temporary destinations from now on. */
    public void opened(String connection) {
        temporaries.put(connection, new HashSet<>());
    }

    /** Ends a connection's temporary destinations with their messages. */
    public void closed(String connection) {
        Set<Address> owned = temporaries.remove(connection);
        if (owned != null) {
            owned.forEach(this::dropQueue);
        }
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
            Topic topic = topics.get(address);
            return topic == null ? 0 : topic.publish(message, from, store);
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
            home = new QueueHome(address, store.log().nextId(), false, this, context);
            queues.put(address, home);
            if (address.isTemporary()) {
                // Its connection may have ended since a transaction has sent here: then nobody can come for the
                // message.
                temporaries.getOrDefault(owner(address), new HashSet<>()).add(address);
            }
        }
        return home;
    }

    private void checkRoom() {
        if (queues.size() + topics.size() + durable.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " queues, topics and subscriptions already (" + Limit.ADDRESSES_MAX.setting()
                            + ")");
        }
    }

    /** Forgets a queue that is idle, or whose time has ended. */
    void drop(QueueHome home) {
        Address address = home.address();
        queues.remove(address);
        if (address.isTemporary()) {
            Set<Address> owned = temporaries.get(owner(address));
            if (owned != null) {
                owned.remove(address);
            }
        }
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
        Topic topic = topic(subscribe.address());
        QueueState queue = new QueueState(0, subscribe.address().name(), false, Addresses::keep, context);
        Subscription subscription = new Subscription(topic, queue, selector, subscribe.noLocal() ? from : null);
        topic.add(subscription, store);
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
            if (known.queue().hasConsumers()) {
                throw inUse(name, "has an active consumer");
            }
            if (wanted.equals(known.record())) {
                return known;
            }
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

    private static SubscriptionRecord wanted(SubscriptionName name, Subscribe subscribe) {
        String selector = subscribe.selector() == null || subscribe.selector().isBlank() ? null : subscribe.selector();
        return new SubscriptionRecord(name, subscribe.address(), selector, subscribe.noLocal());
    }

    /** True if subscribing so would create a durable subscription, or replace the one of that name. */
    public boolean makes(SubscriptionName name, Subscribe subscribe) {
        Subscription known = durable.get(name);
        return known == null || !wanted(name, subscribe).equals(known.record());
    }

    /** The topic of the durable subscription of that name, or null if there is none. */
    public @Nullable Address topicOf(SubscriptionName name) {
        Subscription known = durable.get(name);
        return known == null ? null : known.topic().address();
    }

    Subscription addDurable(long id, SubscriptionRecord record) {
        Topic topic = topic(record.topic());
        QueueState queue =
                new QueueState(id, record.topic().name() + "::" + record.name().name(), true, Addresses::keep, context);
        Subscription subscription = new Subscription(topic, queue, record);
        topic.add(subscription, store);
        durable.put(record.name(), subscription);
        return subscription;
    }

    QueueState addQueue(long id, Address address) {
        QueueHome home = new QueueHome(address, id, true, this, context);
        queues.put(address, home);
        return home.queue();
    }

    private static void keep(QueueState queue) {
        // A subscription's queue lives as long as the subscription, however empty it is.
    }

    private Topic topic(Address address) {
        return topics.computeIfAbsent(address, Topic::new);
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

    /** Ends a subscription that lived with its consumer. */
    public void end(Subscription subscription) {
        Topic topic = subscription.topic();
        topic.remove(subscription, store);
        subscription.queue().end();
        if (topic.isEmpty()) {
            topics.remove(topic.address());
        }
    }

    /** Before an orderly stop: what may have been seen is recorded exactly, in place of the marks that reach ahead. */
    public void markExactly() {
        queues.values().forEach(home -> home.queue().markExactly());
        durable.values().forEach(subscription -> subscription.queue().markExactly());
    }

    private static BrokerException inUse(SubscriptionName name, String why) {
        return new BrokerException(
                ErrorCode.SUBSCRIPTION_IN_USE, "the durable subscription '" + name.name() + "' " + why);
    }
}
