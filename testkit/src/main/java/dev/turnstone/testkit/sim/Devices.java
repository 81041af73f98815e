package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionFilter.Retained;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import dev.turnstone.testkit.model.Box;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Queues of clients that subscribe by filters, which come and go, as those of MQTT sessions do. One thread. */
final class Devices {
    private final World world;
    private final List<Address> topics;
    /** Who has asked for the last change of a filter. */
    private final Map<String, SimSession> changes = new HashMap<>();

    Devices(World world, List<Address> topics) {
        this.world = world;
        this.topics = new ArrayList<>(topics);
        this.topics.add(Universe.PATTERN);
    }

    /** The queue of a client. */
    static SubscriptionName name(String clientId) {
        return new SubscriptionName(clientId, "device");
    }

    /** The session's client makes its queue, changes a filter of it, or consumes from it. */
    void act(SimSession session, String clientId, RandomGenerator random) {
        SubscriptionName name = name(clientId);
        Box box = world.ledger.durable(name);
        if (box == null || !box.isLive()) {
            session.declare(
                    new SubscriptionQueue(name, true, SubscriptionQueue.FOREVER, 0),
                    box == null ? world.ledger.subscriptionQueue(name, session.producer()) : box);
        } else if (random.nextInt(3) == 0) {
            if (world.isFree(name)) {
                world.subscribeDevice(session, name, box);
            }
        } else {
            change(session, name, box, random);
        }
    }

    private void change(SimSession session, SubscriptionName name, Box box, RandomGenerator random) {
        Address topic = topics.get(random.nextInt(topics.size()));
        SimSession last = changes.get(name + " " + topic);
        if (last != null && !last.over() && last.waits()) {
            // Which one comes first would not be known.
            return;
        }
        changes.put(name + " " + topic, session);
        session.changeFilter(
                random.nextInt(3) == 0
                        ? new QueueChange.RemoveFilter(name, topic)
                        : new QueueChange.AddFilter(
                                name, new SubscriptionFilter(topic, null, false, 0, Retained.NEVER)),
                box,
                topic);
    }
}
