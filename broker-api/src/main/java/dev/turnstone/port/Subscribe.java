package dev.turnstone.port;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a consumer. It starts without credit: nothing is delivered before {@link Session#credit}.
 *
 * @param consumer its number, chosen by the edge, unique within the session
 * @param address the queue or topic, or a pattern of topics: the consumer then gets, from each topic that there is or
 *     will be, what it may read; or a subscription's queue ({@link Address#isSubscription})
 * @param subscription a named topic subscription, created if it does not exist; null for a queue, and for a topic
 *     subscription that ends with its consumer
 * @param selector a Jakarta Messaging selector, or null for every message
 * @param noLocal true to leave out what this connection (or, when durable, this client identifier) sends to the topic
 * @param mode what kind of consumer it is
 * @param options how it stands beside the other consumers
 */
public record Subscribe(
        int consumer,
        Address address,
        @Nullable SubscriptionName subscription,
        @Nullable String selector,
        boolean noLocal,
        Mode mode,
        ConsumerOptions options) {
    /** What a consumer does with what it gets, and with whom it shares its subscription. */
    public enum Mode {
        /** Consumes a queue's messages, or those of a topic subscription of its own that ends with it. */
        CONSUME,
        /**
         * Looks at what waits in a queue when it subscribes: its deliveries need no settling and change nothing, and
         * {@link SessionListener#browseEnded} follows the last one.
         */
        BROWSE,
        /** Consumes a durable subscription, alone (Jakarta Messaging 3.1 §8.3.3). */
        DURABLE,
        /** Shares a subscription that ends with its last consumer (Jakarta Messaging 3.1 §8.3.2). */
        SHARED,
        /** Shares a durable subscription (Jakarta Messaging 3.1 §8.3.4). */
        SHARED_DURABLE
    }

    /** Checks that address, name and mode fit each other. */
    public Subscribe {
        if (address.isComposite()) {
            throw new BrokerException(
                    ErrorCode.UNSUPPORTED,
                    "a consumer has one destination, and '" + address.name()
                            + "' is several; only senders may name them");
        }
        if (address.isPattern() && address.kind() == AddressKind.QUEUE) {
            throw new BrokerException(
                    ErrorCode.UNSUPPORTED,
                    "a consumer has one queue, and '" + address.name()
                            + "' holds a wildcard; wildcards are for topics");
        }
        if (subscription != null && (address.kind() != AddressKind.TOPIC || address.isSubscription())) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "a durable subscription needs a topic, not " + address);
        }
        if (mode == Mode.BROWSE && address.kind() != AddressKind.QUEUE && !address.isSubscription()) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "only a queue can be browsed, not " + address);
        }
        boolean named = mode == Mode.DURABLE || mode == Mode.SHARED || mode == Mode.SHARED_DURABLE;
        if (named != (subscription != null)) {
            throw new IllegalArgumentException(mode + " with the subscription " + subscription);
        }
        if (noLocal && (mode == Mode.SHARED || mode == Mode.SHARED_DURABLE)) {
            throw new IllegalArgumentException("a shared subscription has no local connection");
        }
    }

    /** A consumer that stands beside others like any. */
    public Subscribe(
            int consumer,
            Address address,
            @Nullable SubscriptionName subscription,
            @Nullable String selector,
            boolean noLocal,
            Mode mode) {
        this(consumer, address, subscription, selector, noLocal, mode, ConsumerOptions.DEFAULTS);
    }

    /** The same, with other options. */
    public Subscribe with(ConsumerOptions other) {
        return new Subscribe(consumer, address, subscription, selector, noLocal, mode, other);
    }

    /** A consumer of a queue or topic, or, if a name is given, of a durable subscription alone. */
    public Subscribe(
            int consumer,
            Address address,
            @Nullable SubscriptionName subscription,
            @Nullable String selector,
            boolean noLocal) {
        this(consumer, address, subscription, selector, noLocal, subscription == null ? Mode.CONSUME : Mode.DURABLE);
    }

    /** A consumer of all of a queue's messages, or a non-durable one of a topic's. */
    public static Subscribe to(int consumer, Address address) {
        return new Subscribe(consumer, address, null, null, false);
    }

    /** A look at what waits in a queue. */
    public static Subscribe browse(int consumer, Address queue, @Nullable String selector) {
        return new Subscribe(consumer, queue, null, selector, false, Mode.BROWSE);
    }
}
