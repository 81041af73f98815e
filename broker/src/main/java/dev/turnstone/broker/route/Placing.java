package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives messages to what stands behind their addresses: queues, the subscribers of topics, and where bindings lead.
 * Owned by the engine thread.
 */
final class Placing {
    private final Addresses addresses;
    private final Topics topics;
    private final Temporaries temporaries;
    private final BoundRoutes bound;
    private final MessageStore store;

    Placing(Addresses addresses, Topics topics, Temporaries temporaries, BoundRoutes bound) {
        this.addresses = addresses;
        this.topics = topics;
        this.temporaries = temporaries;
        this.bound = bound;
        this.store = addresses.store();
    }

    /**
     * Gives a message to whatever stands behind its address. Never refuses: a commit must not stop half-way. See
     * {@link Addresses#check}.
     *
     * @return the LSN that must be durable before it is confirmed; 0 for none
     */
    long route(Message message, Origin from) {
        Address address = message.address();
        if (bound.concern(address) && !store.isEarly(message)) {
            return deliver(message, bound.destinations(message, from));
        }
        return place(message, from);
    }

    /** The broker itself moves a message to another address, whose bindings it does not follow. */
    void move(Message message) {
        if (message.address().isComposite()) {
            deliver(message, bound.members(message, Origin.BROKER));
        } else {
            place(message, Origin.BROKER);
        }
    }

    /** Gives a message to the queue at its address, or to the subscribers of that. */
    private long place(Message message, Origin from) {
        Address address = message.address();
        if (address.kind() == AddressKind.TOPIC) {
            return message.retain() && !address.isTemporary()
                    ? publishRetained(message, from)
                    : topics.publish(message, from);
        }
        if (address.isTemporary() && !temporaries.declared(address)) {
            // It has ended since a transaction has sent here: nobody can come for the message.
            return 0;
        }
        QueueHome home = addresses.home(address);
        QueueState queue = home.queue();
        StoredMessage stored = store.keep(message, 1);
        if (message.persistent() && queue.durable()) {
            home.ensureRecorded(store.log());
            store.record(stored, queue.id());
        }
        queue.enqueue(stored);
        return stored.lsn();
    }

    /** Whoever sees the message after a crash also finds it retained, and the other way round. */
    private long publishRetained(Message message, Origin from) {
        boolean alone = !store.inUnit();
        int mark = store.log().mark();
        if (alone) {
            store.beginUnit();
        }
        topics.publish(message, from);
        addresses.retained().put(message);
        if (alone) {
            store.endUnit();
        }
        return store.log().lsnSince(mark);
    }

    /** All places get the message, or none. */
    private long deliver(Message message, Destinations destinations) {
        boolean alone = !store.inUnit();
        int mark = store.log().mark();
        if (alone) {
            store.beginUnit();
        }
        List<Subscriber> direct = new ArrayList<>(destinations.direct());
        for (Address queue : destinations.queues()) {
            QueueHome home = addresses.home(queue);
            // The queue of a virtual topic may be found over that, too.
            if (!destinations.subscribers().contains(home)) {
                direct.add(home);
            }
        }
        BoundRoutes.deliver(message, direct, store);
        destinations
                .overOtherTopics()
                .forEach((topic, takers) ->
                        BoundRoutes.deliver(message.toBuilder(topic).build(), takers, store));
        destinations
                .own()
                .forEach((topic, takers) ->
                        BoundRoutes.deliver(message.toBuilder(topic).build().asOwn(), takers, store));
        Address address = message.address();
        if (message.retain() && address.kind() == AddressKind.TOPIC && !address.isComposite()) {
            addresses.retained().put(message);
        }
        if (alone) {
            store.endUnit();
        }
        return store.log().lsnSince(mark);
    }
}
