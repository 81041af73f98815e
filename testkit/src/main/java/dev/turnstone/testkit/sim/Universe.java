package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What one seed plays with.
 *
 * @param queues the queues
 * @param topics the topics
 * @param durables the durable subscriptions that there may be; each always has the same filter
 * @param persistentShare how many of ten messages are persistent
 * @param priorities true if messages have different ones
 * @param expiry true if some messages expire
 * @param selectors true if some consumers select
 * @param transactedShare how many of ten sends and settles go into a transaction that is open
 * @param crowd how many connections there are at most, and sessions on each
 * @param crashes how many of a thousand steps are crashes
 * @param features what is set for addresses
 * @param later what only some seeds have
 */
record Universe(
        List<Address> queues,
        List<Address> topics,
        List<Durable> durables,
        int persistentShare,
        boolean priorities,
        boolean expiry,
        boolean selectors,
        int transactedShare,
        int crowd,
        int crashes,
        Features features,
        Later later) {
    /** All topics. */
    static final Address PATTERN = Address.pattern(AddressKind.TOPIC, "t.*");

    /** The kinds that selectors look at. */
    static final List<String> KINDS = List.of("a", "b");

    /** A durable subscription that may be made; shared if several may consume from it at a time. */
    record Durable(
            SubscriptionName name,
            Address topic,
            @Nullable String kind,
            boolean noLocal,
            boolean shared,
            boolean retained) {
        /** What a consumer of it asks with. */
        Subscribe.Mode mode() {
            return shared ? Subscribe.Mode.SHARED_DURABLE : Subscribe.Mode.DURABLE;
        }
    }

    /**
     * Draws one.
     *
     * @param more for what only some seeds have; null for the others
     * @param scenes true if scenes are played as well
     */
    static Universe random(RandomGenerator random, @Nullable RandomGenerator more, boolean scenes) {
        Features features = Features.random(random, more);
        List<Address> queues = addresses(random.nextInt(1, 4), "q", true);
        queues.addAll(features.queues());
        List<Address> topics = addresses(random.nextInt(0, 3), "t.", false);
        List<Durable> durables = new ArrayList<>();
        boolean selectors = random.nextInt(3) == 0;
        for (int i = 0; i < 4 && !topics.isEmpty(); i++) {
            boolean shared = more != null && more.nextInt(3) == 0;
            boolean retained = more != null && more.nextBoolean();
            durables.add(new Durable(
                    new SubscriptionName("client" + i % 2, "durable" + i),
                    features.patterns() && random.nextInt(3) == 0 ? PATTERN : topics.get(random.nextInt(topics.size())),
                    selectors && random.nextInt(3) == 0 ? KINDS.get(0) : null,
                    random.nextInt(4) == 0 && !shared && !retained,
                    shared,
                    retained));
        }
        return new Universe(
                queues,
                topics,
                durables,
                random.nextInt(4) == 0 ? random.nextInt(11) : 9,
                random.nextInt(4) == 0,
                random.nextInt(5) == 0,
                selectors,
                random.nextInt(3, 11),
                random.nextInt(1, 4),
                random.nextInt(1, 15),
                features,
                more == null ? Later.NONE : Later.random(more, scenes));
    }

    private static List<Address> addresses(int count, String prefix, boolean queue) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(queue ? Address.queue(prefix + i) : Address.topic(prefix + i));
        }
        return addresses;
    }

    /** What somebody may consume from. */
    Address anySource(RandomGenerator random) {
        if (features.virtual() && random.nextInt(6) == 0) {
            return Features.VIRTUAL;
        }
        if (random.nextInt(8) == 0) {
            if (features.bound() && random.nextBoolean()) {
                return Features.COPY;
            } else if (features.failing()) {
                return Features.DEAD;
            } else if (features.expiring()) {
                return Features.EXPIRED;
            } else if (features.patterns() && !topics.isEmpty()) {
                return PATTERN;
            }
        }
        return anyAddress(random);
    }

    /** Where something may be sent: often where there is something to be seen. */
    Address anyAddress(RandomGenerator random) {
        if (features.ranks() && random.nextInt(4) == 0) {
            return Features.FIRST;
        }
        if (later.retains() && !topics.isEmpty() && random.nextInt(3) == 0) {
            return topics.get(random.nextInt(topics.size()));
        }
        if (!features.queues().isEmpty() && random.nextBoolean()) {
            return features.queues().get(0);
        }
        boolean queue = topics.isEmpty() || random.nextInt(5) < 3;
        List<Address> some = queue ? queues : topics;
        return some.get(random.nextInt(some.size()));
    }
}
