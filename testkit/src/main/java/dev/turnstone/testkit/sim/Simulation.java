package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.testkit.model.Box;
import dev.turnstone.testkit.model.Holding;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Sight;
import dev.turnstone.testkit.model.Tally;
import dev.turnstone.testkit.model.Violation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One seed: a broker's life under random sessions and faults, checked at every event, and audited at the end after one
 * more restart. A step's choices depend on the seed and its number alone, so steps can be left out. One thread.
 */
public final class Simulation {
    /** How many steps a seed has. */
    public static final int STEPS = 400;

    /** Such seeds have features that came later; the others stay what they are, those that once failed too. */
    private static final int MORE_OF = 5;

    private static final int MORE_AT = 3;
    /** And these play scenes besides. */
    private static final int SCENES_AT = 1;

    private static final List<String> CLIENTS = List.of("client0", "client1");
    private static final int ALL = 1_000_000;
    private static final long AFTER_ALL_MS = 10_000;
    private static final int EVENTS_MAX = 20;

    private final long seed;
    private final Universe universe;
    private final Trace trace = new Trace();
    private final World world;
    private final Script script;

    /** A run of a seed, with a fault in it or none. */
    public Simulation(long seed, Tampering tampering) {
        this.seed = seed;
        RandomGenerator random = random(-1);
        boolean scenes = seed % MORE_OF == SCENES_AT;
        this.universe = Universe.random(random, scenes || seed % MORE_OF == MORE_AT ? random(-2) : null, scenes);
        SimulatedBroker broker = new SimulatedBroker(
                seed,
                universe.later().limits(SimulatedBroker.tightLimits(random)),
                SimulatedBroker.tightJournal(random),
                universe.features(),
                tampering);
        Ledger ledger = new Ledger(broker.dispatchBlock(), universe.features().model(), broker::nowMs);
        this.world = new World(broker, ledger, universe, trace, tampering);
        this.script = new Script(world, universe);
    }

    /** All steps. */
    public static BitSet allSteps() {
        BitSet all = new BitSet(STEPS);
        all.set(0, STEPS);
        return all;
    }

    /** The last lines of what happened. */
    public List<String> trace() {
        return trace.lines();
    }

    /** What was seen so far. */
    public Tally tally() {
        Tally all = new Tally();
        all.add(world.ledger.tally());
        all.saw(Sight.PAGE_WRITTEN, world.broker.pages().written());
        all.saw(Sight.DISK_FULL, world.broker.fullCount());
        all.saw(Sight.PAGE_READ, world.broker.pages().read());
        return all;
    }

    /**
     * Takes the steps.
     *
     * @throws Violation if a promise was broken
     */
    public void run(BitSet steps) {
        world.broker.start();
        for (int step = steps.nextSetBit(0); step >= 0; step = steps.nextSetBit(step + 1)) {
            trace.step(step);
            step(random(step));
        }
        trace.step(STEPS);
        audit(random(STEPS));
    }

    private RandomGenerator random(int step) {
        // Mixed, since neighbouring seeds of a generator give related first numbers.
        return new SplittableRandom(new SplittableRandom(seed * 31 + step).nextLong());
    }

    private void step(RandomGenerator random) {
        int choice = random.nextInt(1000);
        if (choice < 600) {
            script.act(random);
        } else if (choice < 760) {
            world.turn();
        } else if (choice < 800 && universe.features().failing()) {
            world.broker.pass(random.nextInt(15));
        } else if (choice < 830) {
            world.broker.syncSome(random);
        } else if (choice < 970) {
            List<SimSession> sessions = world.sessions();
            if (!sessions.isEmpty()) {
                sessions.get(random.nextInt(sessions.size())).drain(random.nextInt(1, EVENTS_MAX));
            }
        } else if (choice < 978) {
            world.broker.pass(random.nextInt(30));
        } else if (choice < 978 + universe.crashes()) {
            world.crash(random);
        } else {
            fault(random);
        }
    }

    private void fault(RandomGenerator random) {
        int choice = random.nextInt(12);
        if (choice < 5) {
            trace.add("rest");
            world.rest(Violation.Promise.PROGRESS);
        } else if (choice < 6) {
            world.stop();
        } else if (choice < 7) {
            failJournal(random);
        } else if (choice < 8) {
            trace.add("the disk is " + (world.broker.full() == 0 ? "full" : "no longer full"));
            world.broker.room(world.broker.full() != 0);
        } else {
            lose(random);
        }
    }

    private void failJournal(RandomGenerator random) {
        trace.add("the journal fails");
        world.broker.failJournal();
        // What anybody hears from now on must be true all the same.
        for (int turns = random.nextInt(5); turns > 0; turns--) {
            world.broker.turn();
            world.sessions().forEach(session -> session.drain(EVENTS_MAX));
        }
        world.crash(random);
    }

    private void lose(RandomGenerator random) {
        List<SimConnection> connections = world.connections();
        if (!connections.isEmpty()) {
            SimConnection connection = connections.get(random.nextInt(connections.size()));
            trace.add("loses " + connection);
            connection.lose();
        }
    }

    /** Whatever survives one more restart must be all that should, and once consumed it must be gone for ever. */
    private void audit(RandomGenerator random) {
        trace.add("audit");
        world.rest(Violation.Promise.PROGRESS);
        restart(random);
        world.decideAll();
        // Whatever waits for its time has waited.
        world.broker.pass(AFTER_ALL_MS);
        List<Box> boxes = new ArrayList<>();
        Map<SimConsumer, SimSession> consumers = consumeAll(boxes);
        world.rest(Violation.Promise.NOT_LOST);
        world.ledger.audit().atTheEnd(boxes, world.broker.nowMs());
        consumers.forEach((consumer, session) -> {
            session.see(consumer, ALL);
            List<Holding> all = consumer.settleable();
            if (!all.isEmpty()) {
                session.settle(consumer, all, Outcome.ACCEPTED, Session.NO_TRANSACTION);
            }
        });
        world.rest(Violation.Promise.NOT_LOST);
        restart(random);
        consumeAll(boxes);
        world.rest(Violation.Promise.NOT_LOST);
        List<SubscriptionName> subscriptions = new ArrayList<>();
        CLIENTS.forEach(clientId -> subscriptions.add(Devices.name(clientId)));
        universe.durables().forEach(durable -> subscriptions.add(durable.name()));
        new Emptying(world).run(subscriptions, universe.topics());
    }

    private void restart(RandomGenerator random) {
        if (random.nextInt(4) == 0) {
            world.stop();
        } else {
            world.crash(random);
        }
    }

    /** A consumer with credit for all on every queue and durable subscription. */
    private Map<SimConsumer, SimSession> consumeAll(List<Box> boxes) {
        Map<SimConsumer, SimSession> consumers = new LinkedHashMap<>();
        boxes.clear();
        for (String clientId : CLIENTS) {
            consumeSubscriptions(clientId, consumers, boxes);
        }
        if (universe.features().failing()) {
            world.ledger.queue(Features.DEAD);
        }
        if (universe.features().expiring()) {
            world.ledger.queue(Features.EXPIRED);
        }
        SimSession session = session(null);
        for (Address queue : world.ledger.queues()) {
            if (queue.equals(Features.NOTICES)) {
                world.look(session, queue, null, false);
            } else {
                consumers.put(world.subscribeQueue(session, queue, null, 0), session);
                boxes.add(world.ledger.queue(queue));
            }
        }
        consumers.forEach((consumer, owner) -> owner.credit(consumer, ALL));
        return consumers;
    }

    private void consumeSubscriptions(String clientId, Map<SimConsumer, SimSession> consumers, List<Box> boxes) {
        SimSession session = session(clientId);
        for (Universe.Durable durable : universe.durables()) {
            Box box = world.ledger.durable(durable.name());
            if (box != null && box.isLive() && clientId.equals(durable.name().clientId())) {
                consumers.put(world.subscribeDurable(session, durable), session);
                boxes.add(box);
            }
        }
        Box device = world.ledger.durable(Devices.name(clientId));
        if (device != null && device.isLive()) {
            consumers.put(world.subscribeDevice(session, Devices.name(clientId), device), session);
            boxes.add(device);
        }
    }

    private SimSession session(@Nullable String clientId) {
        SimConnection connection = world.connect(clientId);
        world.rest(Violation.Promise.PROGRESS);
        Connection port = connection.port();
        if (port == null) {
            throw new Violation(Violation.Promise.PROGRESS, connection + " does not open");
        }
        return world.openSession(connection, port);
    }
}
