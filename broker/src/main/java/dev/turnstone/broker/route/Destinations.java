package dev.turnstone.broker.route;

import dev.turnstone.port.Address;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where one message goes by bindings: queues, and the subscribers of topics, each once. Owned by the engine thread. */
final class Destinations {
    private final Address sentTo;
    private final Set<Address> visited = new LinkedHashSet<>();
    private final Set<Address> reached = new HashSet<>();
    private final Set<Address> queues = new LinkedHashSet<>();
    private final Set<Subscriber> known = Collections.newSetFromMap(new IdentityHashMap<>());
    /** By the topic over which they get it. */
    private final Map<Address, List<Subscriber>> subscribers = new LinkedHashMap<>();
    /** Those who get what is their own, by the topic over which they do. */
    private final Map<Address, List<Subscriber>> own = new LinkedHashMap<>(0);

    Destinations(Address sentTo) {
        this.sentTo = sentTo;
    }

    /** False if it has been there already. */
    boolean visit(Address at) {
        return visited.add(at);
    }

    /** Somebody gets it there. */
    void reach(Address at) {
        reached.add(at);
    }

    boolean isReached(Address at) {
        return reached.contains(at);
    }

    void addQueue(Address queue) {
        queues.add(queue);
    }

    /** Somebody gets it over a topic; as a message of his own or not. */
    void add(Address topic, Subscriber subscriber, boolean asOwn) {
        if (known.add(subscriber)) {
            (asOwn ? own : subscribers)
                    .computeIfAbsent(topic, t -> new ArrayList<>())
                    .add(subscriber);
        }
    }

    int count() {
        return queues.size() + known.size();
    }

    /** What the sender must be allowed to send to. */
    Set<Address> visited() {
        return visited;
    }

    Set<Address> queues() {
        return queues;
    }

    /** All subscribers of topics. */
    Set<Subscriber> subscribers() {
        return known;
    }

    /** Those who get it as it was sent: over the topic that it was sent to. */
    List<Subscriber> direct() {
        return subscribers.getOrDefault(sentTo, List.of());
    }

    /** The others, by the topic as whose message they get it. */
    Map<Address, List<Subscriber>> overOtherTopics() {
        Map<Address, List<Subscriber>> others = new LinkedHashMap<>(subscribers);
        others.remove(sentTo);
        return others;
    }

    /** Those who get what is their own, by the topic as whose message they get it. */
    Map<Address, List<Subscriber>> own() {
        return own;
    }
}
