package dev.turnstone.broker.route;

import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.SubscriberSet;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of one topic go, as long as no subscription comes or goes that has to do with it: gives each
 * message to every subscriber that takes it, once, and stores it once. Owned by the engine thread.
 */
final class Route {
    /** A message record names at most so many subscriptions that do not get it. */
    private static final int EXCEPTIONS_MAX = 256;

    private static final int[] NONE = {};
    private static final Filter[] NO_FILTERS = {};

    /** In the order of their subscriptions. */
    private final Filter[] filters;
    /** Those that leave out what comes from somewhere. */
    private final Filter[] noLocal;
    /** Those that keep messages over a restart, each once, in the same order. */
    private final Subscriber[] durable;

    private @Nullable SubscriberSet set;
    private Subscriber[] takers = new Subscriber[2];

    /** A route by these filters, which match the topic. */
    Route(List<Filter> matching) {
        matching.sort(Comparator.comparingLong(f -> f.subscriber().order()));
        filters = matching.toArray(NO_FILTERS);
        noLocal = matching.stream().filter(Filter::noLocal).toArray(Filter[]::new);
        List<Subscriber> found = new ArrayList<>(0);
        for (Filter filter : filters) {
            Subscriber subscriber = filter.subscriber();
            boolean known = !found.isEmpty() && found.get(found.size() - 1) == subscriber;
            if (subscriber.durable() && !known) {
                found.add(subscriber);
            }
        }
        durable = found.toArray(Subscriber[]::new);
    }

    /** It is not used any more. */
    void retire(MessageStore store) {
        if (set != null) {
            store.release(set);
            set = null;
        }
    }

    /** Gives the message to its subscriptions; returns what must be durable before it is confirmed, 0 for nothing. */
    long publish(Message message, Origin from, MessageStore store) {
        int count = findTakers(message, from);
        // What a page has already cannot be another message for one of them.
        int others = store.isEarly(message) ? count : ownLast(count, from);
        if (others == count) {
            return give(message, count, store);
        }
        boolean alone = !store.inUnit();
        int mark = store.log().mark();
        if (alone) {
            store.beginUnit();
        }
        List<Subscriber> own = List.of(Arrays.copyOfRange(takers, others, count));
        give(message, others, store);
        BoundRoutes.deliver(message.asOwn(), own, store);
        if (alone) {
            store.endUnit();
        }
        return store.log().lsnSince(mark);
    }

    private long give(Message message, int count, MessageStore store) {
        if (count == 0) {
            return 0;
        }
        StoredMessage stored = store.keep(message, count);
        if (message.persistent() && durable.length > 0) {
            record(stored, count, store);
        }
        for (int i = 0; i < count; i++) {
            takers[i].queue().enqueue(stored);
        }
        return stored.lsn();
    }

    boolean takers(Address topic, Message message, Origin from, Destinations found) {
        int count = findTakers(message, from);
        int others = ownLast(count, from);
        for (int i = 0; i < count; i++) {
            found.add(topic, takers[i], i >= others);
        }
        return count > 0;
    }

    /**
     * Those who have sent the message, and take it though some of their filters leave that out, become the last of the
     * takers; returns how many others there are.
     */
    private int ownLast(int count, Origin from) {
        if (count == 0 || !anyLeavesOut(from)) {
            return count;
        }
        List<Subscriber> own = new ArrayList<>(1);
        int others = 0;
        for (int i = 0; i < count; i++) {
            if (leavesOut(takers[i], from)) {
                own.add(takers[i]);
            } else {
                takers[others++] = takers[i];
            }
        }
        for (int i = 0; i < own.size(); i++) {
            takers[others + i] = own.get(i);
        }
        return others;
    }

    /** True if somebody may take what comes from there though some of his filters leave it out. */
    boolean marksOwn(Origin from) {
        for (Filter filter : noLocal) {
            if (filter.leavesOut(from) && mayTake(filter.subscriber(), from)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayTake(Subscriber subscriber, Origin from) {
        for (Filter filter : filters) {
            if (filter.subscriber() == subscriber && !filter.leavesOut(from)) {
                return true;
            }
        }
        return false;
    }

    private boolean anyLeavesOut(Origin from) {
        for (Filter filter : noLocal) {
            if (filter.leavesOut(from)) {
                return true;
            }
        }
        return false;
    }

    private boolean leavesOut(Subscriber subscriber, Origin from) {
        for (Filter filter : noLocal) {
            if (filter.subscriber() == subscriber && filter.leavesOut(from)) {
                return true;
            }
        }
        return false;
    }

    int takersMost() {
        return filters.length;
    }

    boolean taken(Message message, Origin from) {
        return findTakers(message, from) > 0;
    }

    private int findTakers(Message message, Origin from) {
        if (takers.length < filters.length) {
            takers = new Subscriber[filters.length];
        }
        int count = 0;
        for (Filter filter : filters) {
            Subscriber subscriber = filter.subscriber();
            if ((count == 0 || takers[count - 1] != subscriber) && filter.takes(message, from)) {
                takers[count++] = subscriber;
            }
        }
        return count;
    }

    private void record(StoredMessage stored, int count, MessageStore store) {
        int durableTakers = 0;
        Subscriber only = null;
        for (int i = 0; i < count; i++) {
            if (takers[i].durable()) {
                durableTakers++;
                only = takers[i];
            }
        }
        if (durableTakers == 1 && only != null) {
            store.record(stored, only.queue().id());
        } else if (durableTakers > 1) {
            int exceptions = durable.length - durableTakers;
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
        SubscriberSet exact = store.setOf(queues);
        store.record(stored, exact, NONE);
        store.release(exact);
    }

    private SubscriberSet currentSet(MessageStore store) {
        SubscriberSet current = set;
        if (current == null) {
            long[] queues = new long[durable.length];
            for (int i = 0; i < queues.length; i++) {
                queues[i] = durable[i].queue().id();
            }
            current = store.setOf(queues);
            set = current;
        }
        return current;
    }

    /** The indices of those durable subscriptions that are not among the takers; both lists have the same order. */
    private int[] exceptions(int count, int expected) {
        int[] exceptions = expected == 0 ? NONE : new int[expected];
        int found = 0;
        int taker = 0;
        for (int i = 0; i < durable.length && found < exceptions.length; i++) {
            while (taker < count && !takers[taker].durable()) {
                taker++;
            }
            if (taker < count && takers[taker] == durable[i]) {
                taker++;
            } else {
                exceptions[found++] = i;
            }
        }
        Invariant.check(found == exceptions.length, "takers and subscriptions have one order");
        return exceptions;
    }
}
