package dev.turnstone.transport.stomp.session;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of a connection, by the client's name for them and by their number. Ended ones stay until all that
 * they delivered is settled.
 */
final class Subscriptions {
    private final Map<String, Subscription> byName = new HashMap<>();
    private final Map<Integer, Subscription> byConsumer = new HashMap<>();
    private @Nullable Subscription last;
    private int consumers;

    /** A number for a new subscription. */
    int nextConsumer() {
        return ++consumers;
    }

    void add(String name, Subscription subscription) {
        byName.put(name, subscription);
        byConsumer.put(subscription.consumer(), subscription);
    }

    @Nullable
    Subscription named(String name) {
        return byName.get(name);
    }

    /** Ends a subscription and frees its name. */
    @Nullable
    Subscription end(String name) {
        Subscription ended = byName.remove(name);
        if (ended != null) {
            ended.end();
            forgetIfSettled(ended);
        }
        return ended;
    }

    /** The subscription with this number; ended ones, too. */
    @Nullable
    Subscription numbered(int consumer) {
        Subscription cached = last;
        if (cached != null && cached.consumer() == consumer) {
            return cached;
        }
        Subscription found = byConsumer.get(consumer);
        last = found;
        return found;
    }

    /** Drops an ended subscription that has nothing left to be acknowledged. */
    void forgetIfSettled(Subscription subscription) {
        if (subscription.ended() && subscription.allSettled()) {
            byConsumer.remove(subscription.consumer());
            last = null;
        }
    }

    /** How many there are, ended ones included. */
    int count() {
        return byConsumer.size();
    }
}
