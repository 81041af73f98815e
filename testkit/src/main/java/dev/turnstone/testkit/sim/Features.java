package dev.turnstone.testkit.sim;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.broker.binding.Binding.Mode;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.binding.VirtualTopics;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.testkit.model.Rules;
import dev.turnstone.testkit.model.Traits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What is set for addresses in one seed, for the broker and for the model. Immutable.
 *
 * @param queues the queues that have settings, beside those that have none; the first is used often
 * @param groups true if messages may have groups
 * @param delays true if messages may have a time of delivery
 * @param patterns true if consumers may subscribe to a pattern of topics
 * @param bound true if the first queue's messages are copied to another one
 * @param virtual true if a queue subscribes to the first topic by its name
 * @param ranks true if consumers of queues have different priorities
 */
record Features(
        List<Address> queues,
        boolean groups,
        boolean delays,
        boolean patterns,
        boolean bound,
        boolean virtual,
        boolean ranks) {
    static final Address LAST_VALUES = Address.queue("values");
    static final Address RING = Address.queue("ring");
    static final Address EXCLUSIVE = Address.queue("only");
    static final Address FAILING = Address.queue("failing");
    static final Address FULL = Address.queue("full");
    static final Address TIGHT = Address.queue("tight");
    static final Address EXPIRING = Address.queue("expiring");
    static final Address EXPIRED = Address.queue("expired");
    static final Address BLOCKED = Address.queue("blocked");
    static final Address PAGED = Address.queue("paged");
    static final Address NOTICES = Address.queue("notices");
    static final Address DEAD = Address.queue("dead");
    static final Address COPY = Address.queue("copy");
    static final Address FIRST = Address.queue("q0");
    static final Address TOPIC = Address.topic("t.0");
    static final Address VIRTUAL = Address.queue("Consumer.a.t.0");
    static final int RING_SIZE = 4;
    static final int MOST = 5;
    static final int ATTEMPTS_MAX = 2;
    static final long RETRY_MS = 8;
    private static final List<Address> ALL = List.of(LAST_VALUES, RING, EXCLUSIVE, FAILING);

    /**
     * Draws one.
     *
     * @param more for what only some seeds have: the others are as they always were; null for those
     */
    static Features random(RandomGenerator random, @Nullable RandomGenerator more) {
        List<Address> queues = new ArrayList<>();
        for (Address queue : ALL) {
            if (random.nextInt(3) == 0) {
                queues.add(queue);
            }
        }
        Collections.rotate(queues, random.nextInt(ALL.size()));
        Features drawn = new Features(
                queues,
                random.nextInt(3) == 0,
                random.nextInt(4) == 0,
                random.nextInt(4) == 0,
                random.nextInt(6) == 0,
                more != null && more.nextInt(3) == 0,
                more != null && more.nextInt(4) > 0);
        for (Address queue : List.of(FULL, TIGHT, NOTICES, BLOCKED, PAGED, EXPIRING)) {
            if (more != null && more.nextInt(3) == 0) {
                queues.add(more.nextInt(queues.size() + 1), queue);
            }
        }
        return drawn;
    }

    /** True if consumers fail often, and time passes in between. */
    boolean failing() {
        return queues.contains(FAILING);
    }

    /** True if what expires in some queue is moved. */
    boolean expiring() {
        return queues.contains(EXPIRING);
    }

    /** True if others than senders put messages there. */
    static boolean isForMoved(Address queue) {
        return queue.equals(DEAD) || queue.equals(EXPIRED);
    }

    /** For the broker. Elsewhere whoever fails may try for ever, since the model does not look into the queue DLQ. */
    AddressRules rules() {
        return AddressRules.DEFAULTS
                .with(">", AddressSetting.MAX_ATTEMPTS, 0)
                .with(LAST_VALUES.toString(), AddressSetting.LAST_VALUE_KEY, "key")
                .with(RING.toString(), AddressSetting.RING_SIZE, RING_SIZE)
                .with(EXCLUSIVE.toString(), AddressSetting.EXCLUSIVE, true)
                .with(FULL.toString(), AddressSetting.MAX_MESSAGES, MOST)
                .with(FULL.toString(), AddressSetting.WHEN_FULL, "drop-oldest")
                .with(TIGHT.toString(), AddressSetting.MAX_MESSAGES, MOST)
                .with(EXPIRING.toString(), AddressSetting.EXPIRY, EXPIRED)
                .with(BLOCKED.toString(), AddressSetting.MAX_MESSAGES, MOST)
                .with(BLOCKED.toString(), AddressSetting.WHEN_FULL, "block")
                .with(PAGED.toString(), AddressSetting.MAX_MESSAGES, 2)
                .with(PAGED.toString(), AddressSetting.WHEN_FULL, "page")
                .with(NOTICES.toString(), AddressSetting.NON_DESTRUCTIVE, true)
                .with(FAILING.toString(), AddressSetting.MAX_ATTEMPTS, ATTEMPTS_MAX)
                .with(FAILING.toString(), AddressSetting.DEAD_LETTER, DEAD)
                .with(FAILING.toString(), AddressSetting.REDELIVERY_DELAY_MS, RETRY_MS);
    }

    /** For the broker. */
    Bindings bindings() {
        return new Bindings(
                bound ? List.of(new Binding(FIRST, null, COPY, Mode.COPY)) : List.of(),
                virtual ? List.of(new VirtualTopics("Consumer.*", TOPIC)) : List.of());
    }

    /** For the model. */
    Rules model() {
        Map<Address, Traits> traits = new HashMap<>();
        traits.put(LAST_VALUES, new Traits(true, 0, false, 0, 0, 0, false, false));
        traits.put(RING, new Traits(false, RING_SIZE, false, 0, 0, 0, false, false));
        traits.put(EXCLUSIVE, new Traits(false, 0, true, 0, 0, 0, false, false));
        traits.put(FAILING, new Traits(false, 0, false, ATTEMPTS_MAX, RETRY_MS, 0, false, false));
        traits.put(FULL, new Traits(false, 0, false, 0, 0, MOST, false, false));
        traits.put(TIGHT, new Traits(false, 0, false, 0, 0, MOST, true, false));
        traits.put(EXPIRING, new Traits(false, 0, false, 0, 0, 0, false, true));
        traits.put(BLOCKED, new Traits(false, 0, false, 0, 0, MOST, true, false));
        Map<Address, List<Address>> copies = new HashMap<>();
        if (bound) {
            copies.put(FIRST, List.of(COPY));
        }
        if (virtual) {
            copies.put(TOPIC, List.of(VIRTUAL));
        }
        return new Rules(traits, copies, DEAD, EXPIRED);
    }
}
