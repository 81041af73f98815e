package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.testkit.model.Holding;
import dev.turnstone.testkit.model.Sent;
import dev.turnstone.testkit.model.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Short plays of what chance alone seldom brings about, each within one step. One thread. */
final class Scenes {
    private static final int EVENTS_MAX = 50;
    private static final int LARGE_BYTES = 60_000;

    private interface Scene {
        void play(SimSession one, SimSession other, RandomGenerator random);
    }

    private final World world;
    private final Universe universe;
    private final Script script;
    private final List<Scene> scenes = new ArrayList<>();

    Scenes(World world, Universe universe, Script script) {
        this.world = world;
        this.universe = universe;
        this.script = script;
        Later later = universe.later();
        if (universe.features().failing()) {
            scenes.add(this::fail);
        }
        if (universe.features().ranks() && !later.fullMemory()) {
            scenes.add(this::rank);
        }
        if (later.retains() && !universe.topics().isEmpty()) {
            scenes.add(this::retain);
        }
        if (later.fullMemory()) {
            scenes.add(this::fill);
        }
        if (universe.queues().contains(Features.BLOCKED)) {
            scenes.add(this::block);
        }
    }

    /** One of them, if there are sessions for it. */
    void play(RandomGenerator random) {
        List<SimSession> sessions = world.sessions();
        if (!sessions.isEmpty() && !scenes.isEmpty()) {
            scenes.get(random.nextInt(scenes.size())).play(any(sessions, random), any(sessions, random), random);
        }
    }

    private static SimSession any(List<SimSession> sessions, RandomGenerator random) {
        return sessions.get(random.nextInt(sessions.size()));
    }

    /** A consumer fails again and again, or rejects what it gets. */
    private void fail(SimSession one, SimSession other, RandomGenerator random) {
        SimConsumer consumer = consumer(one, Features.FAILING, 0);
        if (consumer == null) {
            return;
        }
        send(other, Features.FAILING, random.nextInt(1, 3), random);
        for (int rounds = random.nextInt(1, 4); rounds > 0; rounds--) {
            one.credit(consumer, 2);
            goOn(one, random);
            one.see(consumer, 3);
            List<Holding> seen = consumer.settleable();
            if (!seen.isEmpty()) {
                Outcome outcome = random.nextInt(5) == 0 ? Outcome.REJECTED : Outcome.MODIFIED;
                one.settle(consumer, seen, outcome, Session.NO_TRANSACTION);
            }
            goOn(one, random);
            world.broker.pass(random.nextLong(2 * Features.RETRY_MS));
        }
    }

    /** Consumers of different priorities wait at one queue for what comes next. */
    private void rank(SimSession one, SimSession other, RandomGenerator random) {
        for (int rank = -1; rank <= 1; rank++) {
            SimSession session = random.nextBoolean() ? one : other;
            SimConsumer consumer = consumer(session, Features.FIRST, rank);
            if (consumer != null) {
                session.credit(consumer, random.nextInt(1, 6));
            }
        }
        world.rest(Violation.Promise.PROGRESS);
        send(one, Features.FIRST, random.nextInt(1, 4), random);
        goOn(other, random);
        if (random.nextBoolean()) {
            world.rest(Violation.Promise.PROGRESS);
        }
    }

    /** Somebody subscribes to a topic that retains something, perhaps since a moment ago. */
    private void retain(SimSession one, SimSession other, RandomGenerator random) {
        List<Address> topics = universe.topics();
        Address topic = topics.get(random.nextInt(topics.size()));
        if (one.writable()) {
            Sent.Content content = script.content(topic, random);
            Message message = script.message(content, random);
            boolean retained = script.mayBeRetained(content, message);
            one.send(message.toBuilder().retain(retained).build(), content, Session.NO_TRANSACTION, false, false);
        }
        goOn(one, random);
        if (mayConsume(other)) {
            boolean pattern = universe.features().patterns() && random.nextInt(3) == 0;
            SimConsumer consumer = world.subscribeTopic(other, pattern ? Universe.PATTERN : topic, null, false, true);
            other.credit(consumer, random.nextInt(1, 5));
            goOn(other, random);
        }
    }

    /** Memory becomes full, or nearly so. */
    private void fill(SimSession one, SimSession other, RandomGenerator random) {
        for (int count = random.nextInt(8, 24); count > 0 && one.writable(); count--) {
            Sent.Content content = script.content(universe.anyAddress(random), random);
            one.send(Script.message(content, LARGE_BYTES), content, Session.NO_TRANSACTION, false, false);
        }
        goOn(one, random);
        if (random.nextInt(3) == 0) {
            world.rest(Violation.Promise.PROGRESS);
        }
        goOn(other, random);
    }

    /** More is sent to a queue than it takes; sooner or later somebody makes room. */
    private void block(SimSession one, SimSession other, RandomGenerator random) {
        send(one, Features.BLOCKED, random.nextInt(3, 9), random);
        goOn(one, random);
        if (random.nextBoolean()) {
            world.rest(Violation.Promise.PROGRESS);
        }
        SimConsumer consumer = other == one ? null : consumer(other, Features.BLOCKED, 0);
        for (int rounds = random.nextInt(4); rounds > 0 && consumer != null; rounds--) {
            other.credit(consumer, random.nextInt(1, 6));
            goOn(other, random);
            other.see(consumer, random.nextInt(1, 6));
            List<Holding> seen = consumer.settleable();
            if (!seen.isEmpty()) {
                other.settle(consumer, seen, Outcome.ACCEPTED, Session.NO_TRANSACTION);
            }
            goOn(other, random);
        }
    }

    private void send(SimSession session, Address queue, int count, RandomGenerator random) {
        for (int left = count; left > 0 && session.writable(); left--) {
            Sent.Content content = script.content(queue, random);
            Message message = script.message(content, random);
            session.send(message, content, Session.NO_TRANSACTION, random.nextInt(4) == 0, false);
        }
        session.flush();
    }

    private static boolean mayConsume(SimSession session) {
        return session.consumers().stream().filter(consumer -> !consumer.ended).count() < Script.CONSUMERS_MAX;
    }

    /** A consumer of everything in the queue that the session has, or a new one; null if it has too many others. */
    private @Nullable SimConsumer consumer(SimSession session, Address queue, int rank) {
        for (SimConsumer consumer : session.consumers()) {
            if (!consumer.ended && consumer.address.equals(queue) && consumer.isOf(rank)) {
                return consumer;
            }
        }
        return mayConsume(session) ? world.subscribeQueue(session, queue, null, rank) : null;
    }

    /** The broker does what a session has asked for, or some of it, and the session hears of it. */
    private void goOn(SimSession session, RandomGenerator random) {
        session.flush();
        if (random.nextBoolean()) {
            world.broker.runAndSync();
        } else {
            for (int turns = random.nextInt(1, 10); turns > 0; turns--) {
                world.turn();
            }
            world.broker.syncSome(random);
        }
        session.drain(EVENTS_MAX);
    }
}
