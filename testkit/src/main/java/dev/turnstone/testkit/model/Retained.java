package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What topics retain: the last message that was sent so, of those in doubt any. A subscription that asks for it gets a
 * copy, once. One thread.
 */
public final class Retained {
    /** The first one that may come, and whether it was certain that the topic had it. */
    private record First(int at, boolean certain) {
        static final First ANY = new First(0, false);

        /** The last one that took effect for certain; the first one if there is none. */
        static First of(List<Sent> all) {
            int at = all.size() - 1;
            while (at > 0 && all.get(at).state != Sent.State.DONE) {
                at--;
            }
            return new First(at, all.get(at).state == Sent.State.DONE);
        }
    }

    private final Tally tally;
    private final Map<Address, List<Sent>> byTopic = new HashMap<>();
    /** From which one on those of each topic may have come to a subscription that has asked. */
    private final Map<Box, Map<Address, First>> from = new HashMap<>();

    private final Map<Box, Map<Sent, Sent>> copies = new HashMap<>();
    private int count;

    Retained(Tally tally) {
        this.tally = tally;
    }

    /** True if one more can be sent to a topic, and be the last one for certain. */
    public boolean mayAdd(Address topic) {
        List<Sent> all = byTopic.getOrDefault(topic, List.of());
        return all.isEmpty() || !all.get(all.size() - 1).pending;
    }

    /** A topic is to retain a message, which is sent alone. */
    public void add(Sent sent) {
        byTopic.computeIfAbsent(sent.content.address(), topic -> new ArrayList<>())
                .add(sent);
    }

    /** A subscription that is asked for is to begin with what is retained. */
    public void asked(Box box) {
        from.computeIfAbsent(box, asking -> {
            Map<Address, First> first = new HashMap<>();
            byTopic.forEach((topic, all) -> first.put(topic, First.of(all)));
            return first;
        });
    }

    /** A subscription was confirmed for the first time: what was retained ever since it was asked for must come. */
    void confirmed(Box box) {
        Map<Address, First> asked = box.state == Box.State.ASKED ? from.getOrDefault(box, Map.of()) : Map.of();
        asked.forEach((topic, first) -> {
            List<Sent> all = byTopic.getOrDefault(topic, List.of());
            if (first.certain() && first.at() == all.size() - 1 && box.takes(all.get(first.at()))) {
                copy(all.get(first.at()), box);
            }
        });
    }

    /** What a message is that shows itself in a box: a copy of its own if it comes since it was retained. */
    Sent shown(Sent sent, Delivery delivery, Box box) {
        if (!delivery.message().retained()) {
            return sent;
        }
        Address topic = sent.content.address();
        Map<Address, First> asked = from.get(box);
        int at = byTopic.getOrDefault(topic, List.of()).indexOf(sent);
        Violation.check(
                asked != null && at >= asked.getOrDefault(topic, First.ANY).at() && box.takes(sent),
                Violation.Promise.ROUTING,
                sent + " comes to " + box + " as retained, and is not, or was not asked for");
        sent.state = Sent.State.DONE;
        tally.saw(Sight.RETAINED_DELIVERY);
        return copy(sent, box);
    }

    private Sent copy(Sent retained, Box box) {
        return copies.computeIfAbsent(box, to -> new HashMap<>()).computeIfAbsent(retained, original -> {
            // No order with anything else.
            Sent copy = new Sent(original.content, new Producer(0, - ++count, null), null);
            copy.order = 0;
            copy.state = Sent.State.DONE;
            copy.pending = false;
            Entry entry = box.add(copy, true);
            // It comes before what is sent later, and may come after what came meanwhile.
            entry.returned = true;
            // It may have been there before it shows itself, when a crash took what was on its way.
            box.unshown.shows(entry);
            return copy;
        });
    }
}
