package dev.turnstone.broker.route;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.broker.binding.Binding.Mode;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.SubscriberSet;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Follows bindings and composite destinations to where a message goes in the end. Owned by the engine thread. */
final class BoundRoutes {
    private static final int[] NOBODY = {};

    private final Topics topics;
    private final Temporaries temporaries;
    private final int remembered;
    private final Map<Address, List<Rule>> bySource = new HashMap<>();
    private Bindings bindings = Bindings.NONE;
    private long revision;

    /** A binding that is ready to ask. */
    private record Rule(Binding binding, @Nullable Selector selector) {
        boolean takes(Message message) {
            return selector == null || selector.matches(message);
        }
    }

    BoundRoutes(Topics topics, Temporaries temporaries, int remembered) {
        this.topics = topics;
        this.temporaries = temporaries;
        this.remembered = remembered;
    }

    void replace(Bindings other) {
        bindings = other;
        revision++;
        bySource.clear();
    }

    /** How often they were replaced. */
    long revision() {
        return revision;
    }

    Bindings bindings() {
        return bindings;
    }

    /** True if messages that are sent there may go elsewhere. */
    boolean concern(Address address) {
        return address.isComposite()
                || (!bindings.bindings().isEmpty() && !rules(address).isEmpty());
    }

    private List<Rule> rules(Address source) {
        List<Rule> known = bySource.get(source);
        if (known != null) {
            return known;
        }
        List<Rule> found = new ArrayList<>(0);
        for (Binding binding : bindings.bindings()) {
            if (binding.source().matches(source)) {
                found.add(new Rule(binding, Selector.compile(binding.selector())));
            }
        }
        if (bySource.size() >= remembered) {
            bySource.clear();
        }
        bySource.put(source, found);
        return found;
    }

    /** Where the message goes now. */
    Destinations destinations(Message message, Origin from) {
        Destinations found = new Destinations(message.address());
        for (Address member : message.address().members()) {
            follow(member, message, from, found);
        }
        return found;
    }

    /** Where the message goes if no binding is followed: to the members of a composite destination. */
    Destinations members(Message message, Origin from) {
        Destinations found = new Destinations(message.address());
        for (Address member : message.address().members()) {
            own(member, message, from, found);
        }
        return found;
    }

    /** Returns true if somebody gets it there, also if he was found over another way. */
    private boolean follow(Address at, Message message, Origin from, Destinations found) {
        if (!found.visit(at)) {
            return found.isReached(at);
        }
        boolean moved = false;
        boolean reached = false;
        List<Rule> rules = rules(at);
        for (Rule rule : rules) {
            if (rule.binding().mode() != Mode.ALTERNATE && rule.takes(message)) {
                reached |= follow(rule.binding().target(), message, from, found);
                moved |= rule.binding().mode() == Mode.MOVE;
            }
        }
        if (!moved) {
            reached |= own(at, message, from, found);
        }
        for (Rule rule : reached ? List.<Rule>of() : rules) {
            if (rule.binding().mode() == Mode.ALTERNATE && rule.takes(message)) {
                reached |= follow(rule.binding().target(), message, from, found);
            }
        }
        if (reached) {
            found.reach(at);
        }
        return reached;
    }

    private boolean own(Address at, Message message, Origin from, Destinations found) {
        if (at.kind() == AddressKind.TOPIC) {
            return topics.takers(at, message, from, found);
        }
        if (at.isTemporary() && !temporaries.declared(at)) {
            return false;
        }
        found.addQueue(at);
        return true;
    }

    /** Gives all of them the message, which is stored once. */
    static void deliver(Message message, List<Subscriber> takers, MessageStore store) {
        if (takers.isEmpty()) {
            return;
        }
        StoredMessage stored = store.keep(message, takers.size());
        if (message.persistent()) {
            long[] durable = takers.stream()
                    .filter(Subscriber::durable)
                    .mapToLong(taker -> taker.queue().id())
                    .sorted()
                    .toArray();
            for (Subscriber taker : takers) {
                if (taker instanceof QueueHome home && home.durable()) {
                    home.ensureRecorded(store.log());
                }
            }
            if (durable.length == 1) {
                store.record(stored, durable[0]);
            } else if (durable.length > 1) {
                SubscriberSet set = store.setOf(durable);
                store.record(stored, set, NOBODY);
                store.release(set);
            }
        }
        takers.forEach(taker -> taker.queue().enqueue(stored));
    }
}
