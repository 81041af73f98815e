package dev.turnstone.broker.session;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.queue.Consumer;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Receiver;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.FilteredQueue;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.route.Subscription;
import dev.turnstone.broker.route.Subscriptions;
import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.store.Log;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Principal;
import java.util.List;
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
    /** Null before the first. */
    private @Nullable Watches watches;

    Subscribing(Origin origin, Access access, Addresses addresses, Receiver receiver) {
        this.origin = origin;
        this.access = access;
        this.addresses = addresses;
        this.subscriptions = addresses.subscriptions();
        this.receiver = receiver;
    }

    /** What is told of queues that come. */
    Watches watches() {
        Watches made = watches;
        if (made == null) {
            made = new Watches(addresses);
            watches = made;
        }
        return made;
    }

    /** Nothing is told any more. */
    void endWatches() {
        if (watches != null) {
            watches.endAll();
        }
    }

    /** The consumer that is asked for, and what it consumes from; it is not attached there yet. */
    Attached consumer(Subscribe subscribe) {
        Address address = subscribe.address();
        Selector selector = Selector.compile(subscribe.selector());
        checkName(subscribe.subscription());
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

    /** What must be durable before anybody hears that he consumes, for which this was recorded since the mark. */
    long knownLsn(Subscribe subscribe, QueueState queue, int mark) {
        Log log = addresses.store().log();
        // What was there already may have been made by another session just now.
        long known = queue.durable() ? log.latestLsn() : log.lsnSince(mark);
        return subscribe.options().retained() ? Math.max(known, addresses.retainedLsn()) : known;
    }

    private Subscription subscription(Subscribe subscribe, @Nullable Selector selector) {
        SubscriptionName name = subscribe.subscription();
        if (name == null) {
            return subscriptions.subscribe(subscribe, selector, origin);
        }
        return subscribe.mode() == Mode.SHARED
                ? subscriptions.subscribeShared(name, subscribe, selector)
                : subscriptions.subscribeDurably(name, subscribe, origin);
    }

    private void checkAccess(Subscribe subscribe) {
        Address address = subscribe.address();
        if (!address.isPattern()) {
            for (Asked asked : asked(subscribe.mode() == Mode.BROWSE, address)) {
                access.check(asked.action(), asked.address());
            }
        }
        SubscriptionName name = subscribe.subscription();
        if (name == null || subscribe.mode() == Mode.SHARED) {
            return;
        }
        Subscription known = subscriptions.find(name);
        if (known != null && !subscriptions.makes(name, subscribe)) {
            checkTaker(known);
        } else {
            Address replaced = subscriptions.topicOf(name);
            if (replaced != null) {
                access.check(Action.DELETE, replaced);
            }
            access.check(Action.CREATE, address);
        }
    }

    /** Something that must be allowed. */
    private record Asked(Action action, Address address) {}

    /** What must be allowed to use an address so; whoever has a queue of a virtual topic has the topic's messages. */
    private List<Asked> asked(boolean browses, Address address) {
        Asked own = new Asked(browses ? Action.BROWSE : Action.CONSUME, address);
        Address topic = addresses.bindings().topicOf(address);
        return topic == null ? List.of(own) : List.of(own, new Asked(Action.CONSUME, topic));
    }

    /** True if the connection may consume from the queue. */
    boolean mayConsume(Address queue) {
        return asked(false, queue).stream().allMatch(asked -> access.permits(asked.action(), asked.address()));
    }

    /**
     * Of a pattern's messages that were kept, those that a consumer may not have leave when their turn comes: so only
     * the subscription's owner may leave some out, all others must be allowed to have the whole pattern.
     */
    private void checkTaker(Subscription known) {
        if (!isOwnPattern(known)) {
            access.check(Action.CONSUME, known.topic());
        }
    }

    private boolean isOwnPattern(Subscription known) {
        return known.topic().isPattern() && known.isOf(origin.user());
    }

    /** A consumer of the queue of a subscription that exists, named by {@link Address#isSubscription}. */
    private Attached ofSubscription(Subscribe subscribe, @Nullable Selector selector) {
        Address address = subscribe.address();
        SubscriptionName name = address.subscriptionName();
        boolean browses = subscribe.mode() == Mode.BROWSE;
        FilteredQueue filtered = subscriptions.filtered().find(name);
        if (filtered != null && address.subscriptionTopic().isEmpty()) {
            return ofFilters(subscribe, selector, filtered);
        }
        Subscription known = subscriptions.find(name);
        String topic = address.subscriptionTopic();
        if (known == null || !(topic.isEmpty() || topic.equals(known.topic().name()))) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_SUBSCRIPTION, "there is no subscription '" + address.name() + "'");
        }
        if (browses) {
            access.check(Action.BROWSE, known.topic());
        } else {
            checkTaker(known);
        }
        if (!browses && !known.shared() && known.queue().hasTakers()) {
            throw inUse(name);
        }
        Consumer consumer = browses
                ? Consumer.browser(subscribe.consumer(), receiver, selector)
                : Consumer.ofMany(subscribe.consumer(), receiver, selector, null);
        return new Attached(address, consumer.with(subscribe.options()), known.queue(), known);
    }

    /** One of a queue with filters, which holds also what its owner may not have. */
    private Attached ofFilters(Subscribe subscribe, @Nullable Selector selector, FilteredQueue filtered) {
        checkOwner(filtered.name(), filtered);
        // The same as the one that was asked for, which need not be kept.
        Address address = filtered.queue().address();
        if (subscribe.mode() == Mode.BROWSE) {
            Consumer browser = Consumer.browserOfMany(subscribe.consumer(), receiver, selector);
            return new Attached(address, browser, filtered.queue(), null);
        }
        subscriptions.filtered().attached(filtered);
        Consumer consumer = Consumer.ofMany(subscribe.consumer(), receiver, selector, filtered);
        return new Attached(address, consumer.with(subscribe.options()), filtered.queue(), filtered);
    }

    private static BrokerException inUse(SubscriptionName name) {
        return new BrokerException(
                ErrorCode.SUBSCRIPTION_IN_USE, "the subscription '" + name.name() + "' has an active consumer");
    }

    /** A queue with filters is its client's, and its user's: a client identifier is nothing that others do not know. */
    private void checkOwner(SubscriptionName name, @Nullable FilteredQueue known) {
        if (name.clientId() != null && !name.clientId().equals(origin.clientId())) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN,
                    "only a connection with the client identifier '" + name.clientId() + "' may use the subscription '"
                            + name.name() + "'");
        }
        if (known != null && !known.isOf(origin.user()) && !access.principal().equals(Principal.BROKER)) {
            throw new BrokerException(
                    ErrorCode.FORBIDDEN,
                    "the subscription '" + name.name() + "' belongs to another user than '" + origin.user() + "'");
        }
    }

    private static void checkName(@Nullable SubscriptionName name) {
        if (name != null) {
            SizeCheck.checkName("a subscription's name", name.name());
            SizeCheck.checkName("a client identifier", name.clientId());
        }
    }

    void change(QueueChange change) {
        checkName(change.name());
        checkOwner(change.name(), subscriptions.filtered().find(change.name()));
        if (change instanceof QueueChange.AddFilter add && !add.filter().topic().isPattern()) {
            access.check(Action.CONSUME, add.filter().topic());
        }
        if (change instanceof QueueChange.AddFilter add) {
            addresses.checkConsumer(add.filter().topic(), origin);
        }
        subscriptions.filtered().change(change, origin);
    }

    void delete(SubscriptionName name) {
        FilteredQueue filtered = subscriptions.filtered().find(name);
        if (filtered != null) {
            checkOwner(name, filtered);
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

    /**
     * Why a consumer may not go on; null if it may. One of a pattern may if it has come for itself, since each message
     * is looked at.
     */
    @Nullable
    BrokerException refusal(Attached attached) {
        boolean browses = attached.consumer().browses();
        Address address = attached.address();
        if (attached.subscriber() instanceof Subscription known) {
            boolean own = isOwnPattern(known) || (address.isPattern() && !known.durable());
            if (own && !browses) {
                return null;
            }
            address = known.topic();
        } else if (address.isSubscription()) {
            // A queue with filters, whose owner does not change.
            return null;
        }
        for (Asked asked : asked(browses, address)) {
            if (!access.permits(asked.action(), asked.address())) {
                return access.refusal(asked.action(), asked.address());
            }
        }
        return null;
    }
}
