package dev.turnstone.broker.route;

import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Message;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All topics, which exist only as names: who subscribes to which, and the routes that follow from that, remembered for
 * the topics that were sent to last. Owned by the engine thread.
 */
final class Topics {
    private final MessageStore store;
    private final int routesMax;
    private final FilterIndex index = new FilterIndex();
    /** In the order of their last use; all of them hold for the filters that there are now. */
    private final Map<Address, Route> routes = new LinkedHashMap<>(16, 0.75f, true);

    Topics(MessageStore store, int routesMax) {
        this.store = store;
        this.routesMax = routesMax;
    }

    /** How many topics and patterns are subscribed to. */
    int size() {
        return index.size();
    }

    /** True if somebody subscribes to this topic by its name. */
    boolean subscribed(Address topic) {
        return index.knows(topic);
    }

    void add(Filter filter) {
        index.add(filter);
        store.memory().standing(Memory.FILTER_OVERHEAD);
        forget(filter);
    }

    void remove(Filter filter) {
        index.remove(filter);
        store.memory().standing(-Memory.FILTER_OVERHEAD);
        forget(filter);
    }

    /**
     * Forgets the routes that the filter may have to do with; for a pattern these are all, which costs no more than the
     * messages that made them.
     */
    private void forget(Filter filter) {
        Address topic = filter.topic();
        if (topic.isPattern()) {
            routes.values().forEach(route -> route.retire(store));
            routes.clear();
            return;
        }
        Route route = routes.remove(topic);
        if (route != null) {
            route.retire(store);
        }
    }

    /** Gives a message to the subscriptions of its topic; returns what must be durable before it is confirmed. */
    long publish(Message message, Origin from) {
        Route route = route(message.address());
        return route == null ? 0 : route.publish(message, from, store);
    }

    /** Adds those who would take a message that is sent to this topic; true if there are any. */
    boolean takers(Address topic, Message message, Origin from, Destinations found) {
        Route route = route(topic);
        return route != null && route.takers(topic, message, from, found);
    }

    /** How many may take what is sent to a topic at most. */
    int takersMost(Address topic) {
        Route route = route(topic);
        return route == null ? 0 : route.takersMost();
    }

    /** True if somebody may take what is sent from there to this address though some of his filters leave it out. */
    boolean marksOwn(Address address, Origin from) {
        Route route = address.kind() == AddressKind.TOPIC ? route(address) : null;
        return route != null && route.marksOwn(from);
    }

    /** True if somebody would take the message. */
    boolean taken(Message message, Origin from) {
        Route route = route(message.address());
        return route != null && route.taken(message, from);
    }

    private @Nullable Route route(Address topic) {
        Route known = routes.get(topic);
        if (known != null) {
            return known;
        }
        List<Filter> found = new ArrayList<>(4);
        index.match(topic, found);
        if (found.isEmpty()) {
            return null;
        }
        Route route = new Route(found);
        if (routes.size() >= routesMax) {
            Iterator<Route> oldest = routes.values().iterator();
            oldest.next().retire(store);
            oldest.remove();
        }
        routes.put(topic, route);
        return route;
    }
}
