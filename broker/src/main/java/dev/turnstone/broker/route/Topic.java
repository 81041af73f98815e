package dev.turnstone.broker.route;

import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.SubscriberSet;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A topic: gives each message to every subscription that takes it, and stores it once. Owned by the engine thread. */
final class Topic {
    /** A message record names at most so many subscriptions that do not get it. */
    private static final int EXCEPTIONS_MAX = 256;

    private static final int[] NONE = {};

    private final Address address;
    private final List<Subscription> subscriptions = new ArrayList<>(1);
    /** The durable ones, as the next message record will name them. */
    private final List<Subscription> durable = new ArrayList<>(0);

    private @Nullable SubscriberSet set;
    private Subscription[] takers = new Subscription[4];

    Topic(Address address) {
        this.address = address;
    }

    Address address() {
        return address;
    }

    boolean isEmpty() {
        return subscriptions.isEmpty();
    }

    void add(Subscription subscription, MessageStore store) {
        subscriptions.add(subscription);
        if (subscription.durable()) {
            durable.add(subscription);
            retireSet(store);
        }
    }

    void remove(Subscription subscription, MessageStore store) {
        subscriptions.remove(subscription);
        if (durable.remove(subscription)) {
            retireSet(store);
        }
    }

    private void retireSet(MessageStore store) {
        if (set != null) {
            store.retire(set);
            set = null;
        }
    }

    /** Gives the message to its subscriptions; returns what must be durable before it is confirmed, 0 for nothing. */
    long publish(Message message, Origin from, MessageStore store) {
        int count = findTakers(message, from);
        if (count == 0) {
            return 0;
        }
        StoredMessage stored = store.keep(message, count);
        if (message.persistent() && !durable.isEmpty()) {
            record(stored, count, store);
        }
        for (int i = 0; i < count; i++) {
            takers[i].queue().enqueue(stored);
        }
        return stored.lsn();
    }

    private int findTakers(Message message, Origin from) {
        if (takers.length < subscriptions.size()) {
            takers = new Subscription[Math.max(subscriptions.size(), 2 * takers.length)];
        }
        int count = 0;
        for (int i = 0; i < subscriptions.size(); i++) {
            Subscription subscription = subscriptions.get(i);
            if (subscription.takes(message, from)) {
                takers[count++] = subscription;
            }
        }
        return count;
    }

    private void record(StoredMessage stored, int count, MessageStore store) {
        int durableTakers = 0;
        Subscription only = null;
        for (int i = 0; i < count; i++) {
            if (takers[i].durable()) {
                durableTakers++;
                only = takers[i];
            }
        }
        if (durableTakers == 1 && only != null) {
            store.record(stored, only.queue().id());
        } else if (durableTakers > 1) {
            int exceptions = durable.size() - durableTakers;
            if (exceptions > EXCEPTIONS_MAX) {
                recordExactly(stored, count, durableTakers, store);
            } else {
                store.record(stored, currentSet(store), exceptions(count, exceptions));
            }
        }
    }

    /** Names those who take it in a set of their own, since the list of those who do not would be too long. */
    private void recordExactly(StoredMessage stored, int count, int durableTakers, MessageStore store) {
        long[] queues = new long[durableTakers];
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (takers[i].durable()) {
                queues[found++] = takers[i].queue().id();
            }
        }
        SubscriberSet exact = store.newSet(queues);
        store.record(stored, exact, NONE);
        store.retire(exact);
    }

    private SubscriberSet currentSet(MessageStore store) {
        SubscriberSet current = set;
        if (current == null) {
            long[] queues = new long[durable.size()];
            for (int i = 0; i < queues.length; i++) {
                queues[i] = durable.get(i).queue().id();
            }
            current = store.newSet(queues);
            set = current;
        }
        return current;
    }

    /** The indices of those durable subscriptions that are not among the takers; both lists have the same order. */
    private int[] exceptions(int count, int expected) {
        int[] exceptions = expected == 0 ? NONE : new int[expected];
        int found = 0;
        int taker = 0;
        for (int i = 0; i < durable.size() && found < exceptions.length; i++) {
            while (taker < count && !takers[taker].durable()) {
                taker++;
            }
            if (taker < count && takers[taker] == durable.get(i)) {
                taker++;
            } else {
                exceptions[found++] = i;
            }
        }
        Invariant.check(found == exceptions.length, "takers and subscriptions have one order");
        return exceptions;
    }

    @Override
    public String toString() {
        return address + "[" + subscriptions.size() + " subscriptions]";
    }
}
