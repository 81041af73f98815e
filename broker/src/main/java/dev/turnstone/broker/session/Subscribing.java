package dev.turnstone.broker.session;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.queue.Consumer;
import dev.turnstone.broker.queue.Receiver;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.FilteredQueue;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.route.Subscription;
import dev.turnstone.broker.route.Subscriptions;
import dev.turnstone.broker.security.Access;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.spi.Action;
import org.jspecify.annotations.Nullable;

/**
 * How a session comes to consume from queues and subscriptions: what it may, and what is made for it. Owned by the
 * engine thread.
 */
final class Subscribing {
    private final Origin origin;
    private final Access access;
    private final Addresses addresses;
    private final Subscriptions subscriptions;
    private final Receiver receiver;
    private final Watches watches;

    Subscribing(Origin origin, Access access, Addresses addresses, Receiver receiver) {
        this.origin = origin;
        this.access = access;
        this.addresses = addresses;
        this.subscriptions = addresses.subscriptions();
        this.receiver = receiver;
        this.watches = new Watches(addresses);
    }

    /** What is told of queues that come. */
    Watches watches() {
        return watches;
    }

    /** The consumer that is asked for, and what it consumes from; it is not attached there yet. */
    Attached consumer(Subscribe subscribe) {
        Address address = subscribe.address();
        Selector selector = Selector.compile(subscribe.selector());
        if (address.isSubscription()) {
            return ofSubscription(subscribe, selector);
        }
        checkAccess(subscribe);
        addresses.checkConsumer(address, origin);
        int number = subscribe.consumer();
        if (address.kind() == AddressKind.QUEUE) {
            if (subscribe.mode() == Mode.BROWSE) {
                Consumer browser = Consumer.browser(number, receiver, selector);
                return new Attached(address, browser, addresses.queue(address), null);
            }
            Consumer consumer = new Consumer(number, receiver, selector).with(subscribe.options());
            return new Attached(address, consumer, addresses.queueFor(address, consumer), null);
        }
        // A subscription's queue holds only what its selector takes.
        Consumer consumer = address.isPattern()
                ? Consumer.ofMany(number, receiver, null, null)
                : new Consumer(number, receiver, null);
        Subscription subscription = subscription(subscribe, selector);
        return new Attached(address, consumer.with(subscribe.options()), subscription.queue(), subscription);
    }

    private Subscription subscription(Subscribe subscribe, @Nullable Selector selector) {
        SubscriptionName name = subscribe.subscription();
        if (name == null) {
            return subscriptions.subscribe(subscribe, selector, origin);
        }
        return subscribe.mode() == Mode.SHARED
                ? subscriptions.subscribeShared(name, subscribe, selector)
                : subscriptions.subscribeDurably(name, subscribe);
    }

    private void checkAccess(Subscribe subscribe) {
        Address address = subscribe.address();
        if (!address.isPattern()) {
            access.check(subscribe.mode() == Mode.BROWSE ? Action.BROWSE : Action.CONSUME, address);
        }
        SubscriptionName name = subscribe.subscription();
        if (name != null && subscribe.mode() != Mode.SHARED && subscriptions.makes(name, subscribe)) {
            Address replaced = subscriptions.topicOf(name);
            if (replaced != null) {
                access.check(Action.DELETE, replaced);
            }
            access.check(Action.CREATE, address);
        }
    }

    /** A consumer of the queue of a subscription that exists, named by {@link Address#isSubscription}. */
    private Attached ofSubscription(Subscribe subscribe, @Nullable Selector selector) {
        Address address = subscribe.address();
        SubscriptionName name = address.subscriptionName();
        boolean browses = subscribe.mode() == Mode.BROWSE;
        FilteredQueue filtered = subscriptions.filtered().find(name);
        if (filtered != null && address.subscriptionTopic().isEmpty()) {
            checkOwner(name);
            if (browses) {
                Consumer browser = Consumer.browser(subscribe.consumer(), receiver, selector);
                return new Attached(address, browser, filtered.queue(), null);
            }
            subscriptions.filtered().attached(filtered);
            Consumer consumer = Consumer.ofMany(subscribe.consumer(), receiver, selector, filtered);
            return new Attached(address, consumer.with(subscribe.options()), filtered.queue(), filtered);
        }
        Subscription known = subscriptions.find(name);
        String topic = address.subscriptionTopic();
        if (known == null || !(topic.isEmpty() || topic.equals(known.topic().name()))) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_SUBSCRIPTION, "there is no subscription '" + address.name() + "'");
        }
        if (browses || !known.topic().isPattern()) {
            access.check(browses ? Action.BROWSE : Action.CONSUME, known.topic());
        }
        if (!browses && !known.shared() && known.queue().hasTakers()) {
            throw inUse(name);
        }
        Consumer consumer = browses
                ? Consumer.browser(subscribe.consumer(), receiver, selector)
                : Consumer.ofMany(subscribe.consumer(), receiver, selector, null);
        return new Attached(address, consumer.with(subscribe.options()), known.queue(), known);
    }

    private static BrokerException inUse(SubscriptionName name) {
        return new BrokerException(
                ErrorCode.SUBSCRIPTION_IN_USE, "the subscription '" + name.name() + "' has an active consumer");
    }

    /** A queue with filters is its client's. */
    private void checkOwner(SubscriptionName name) {
        if (name.clientId() != null && !name.clientId().equals(origin.clientId())) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN,
                    "only a connection with the client identifier '" + name.clientId() + "' may use the subscription '"
                            + name.name() + "'");
        }
    }

    void change(QueueChange change) {
        checkOwner(change.name());
        if (change instanceof QueueChange.AddFilter add && !add.filter().topic().isPattern()) {
            access.check(Action.CONSUME, add.filter().topic());
        }
        if (change instanceof QueueChange.AddFilter add) {
            addresses.checkConsumer(add.filter().topic(), origin);
        }
        subscriptions.filtered().change(change, origin);
    }

    void delete(SubscriptionName name) {
        if (subscriptions.filtered().find(name) != null) {
            checkOwner(name);
        }
        Address topic = subscriptions.topicOf(name);
        if (topic != null) {
            access.check(Action.DELETE, topic);
        }
        subscriptions.delete(name);
    }

    /** Deletes a queue, which is not a temporary one. */
    void delete(Address queue) {
        if (queue.kind() != AddressKind.QUEUE || queue.isTemporary() || queue.isSubscription()) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, queue + " is not a queue that can be deleted so");
        }
        access.check(Action.DELETE, queue);
        addresses.deleteQueue(queue);
    }

    /** A consumer has left. */
    void left(Attached attached) {
        if (attached.subscriber() != null) {
            subscriptions.left(attached.subscriber());
        }
    }

    /** True if the consumer may go on; one of many addresses always, since each message is looked at. */
    boolean permits(Attached attached) {
        Address address = attached.address();
        return address.isPattern() || address.isSubscription() || access.permits(Action.CONSUME, address);
    }
}
