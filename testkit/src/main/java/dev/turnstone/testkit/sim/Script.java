package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.testkit.model.Box;
import dev.turnstone.testkit.model.Holding;
import dev.turnstone.testkit.model.Producer;
import dev.turnstone.testkit.model.Sent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What sessions and their applications may do next, chosen at random. */
final class Script {
    /** How many consumers a session has at most. */
    static final int CONSUMERS_MAX = 4;

    /** One of so many actions is a scene, where there are some. */
    private static final int SCENES_OF = 30;

    private static final int TRANSACTIONS_MAX = 2;

    private final World world;
    private final Universe universe;
    private final Scenes scenes;
    /** How many transactions have begun; every other one is a branch of a global one. */
    private int begun;

    Script(World world, Universe universe) {
        this.world = world;
        this.universe = universe;
        this.scenes = new Scenes(world, universe, this);
    }

    /** One action of some session, or nothing if the one chosen does not fit. */
    void act(RandomGenerator random) {
        if (universe.later().scenes() && random.nextInt(SCENES_OF) == 0) {
            scenes.play(random);
            return;
        }
        List<SimSession> sessions = world.sessions();
        if (sessions.isEmpty() || random.nextInt(30) == 0) {
            open(random);
            return;
        }
        SimSession session = sessions.get(random.nextInt(sessions.size()));
        int choice = random.nextInt(100);
        if (choice < 22) {
            send(session, random);
        } else if (choice < 28) {
            subscribe(session, random);
        } else if (choice < 40) {
            consume(session, random);
        } else if (choice < 60) {
            settle(session, random);
        } else if (choice < 70) {
            transact(session, random);
        } else if (choice < 74) {
            end(session, random);
        } else if (choice < 76) {
            session.sync();
        } else {
            session.flush();
        }
    }

    private void open(RandomGenerator random) {
        List<SimConnection> connections = world.connections();
        if (connections.size() < universe.crowd() && (connections.isEmpty() || random.nextInt(3) == 0)) {
            String clientId = random.nextInt(3) == 0 ? null : "client" + random.nextInt(2);
            if (clientId == null || world.clientIdFree(clientId)) {
                world.connect(clientId);
            }
            return;
        }
        SimConnection connection = connections.get(random.nextInt(connections.size()));
        Connection port = connection.port();
        long open = connection.sessions.stream().filter(SimSession::open).count();
        if (port != null && open < universe.crowd()) {
            world.openSession(connection, port);
        }
    }

    private void send(SimSession session, RandomGenerator random) {
        if (!session.writable()) {
            return;
        }
        sendAgain(session, random);
        for (int count = random.nextInt(4); count >= 0; count--) {
            long drawn = transaction(session, random);
            Address address = universe.anyAddress(random);
            if (address.equals(Features.BLOCKED) && random.nextBoolean()) {
                // Else nearly all sessions would wait nearly all the time.
                address = Features.FIRST;
            }
            long transaction = mayBeTransacted(address) ? drawn : Session.NO_TRANSACTION;
            Sent.Content content = content(address, random);
            Message message = message(content, random);
            if (transaction == Session.NO_TRANSACTION && mayBeRetained(content, message) && random.nextInt(3) == 0) {
                message = message.toBuilder().retain(true).build();
            }
            if (transaction != Session.NO_TRANSACTION
                    && session.units.sendCount(transaction) == world.broker.transactionSendsMax()) {
                if (!session.branches.has(transaction)) {
                    session.sendTooMany(message, transaction);
                }
            } else {
                session.send(message, content, transaction, random.nextInt(4) == 0, random.nextInt(4) == 0);
            }
        }
    }

    /** The model does not know commits that a full queue, or full memory, refuses. */
    private boolean mayBeTransacted(Address address) {
        return !address.equals(Features.TIGHT)
                && !address.equals(Features.BLOCKED)
                && !universe.later().fullMemory();
    }

    /** The model knows what is retained of messages that stay, and that come one after the other. */
    boolean mayBeRetained(Sent.Content content, Message message) {
        return universe.later().retains()
                && content.address().kind() == AddressKind.TOPIC
                && content.persistent()
                && content.expiryMs() == 0
                && content.dueMs() == 0
                && message.bodyBytes() > 0
                && world.ledger.retained().mayAdd(content.address());
    }

    /** What is sent to an address. */
    Sent.Content content(Address address, RandomGenerator random) {
        boolean expires = address.equals(Features.EXPIRING) || universe.expiry();
        long expiry = expires && random.nextInt(5) == 0 ? world.broker.nowMs() + random.nextInt(50) : 0;
        return new Sent.Content(
                "m" + world.nextMessage(),
                address,
                Universe.KINDS.get(random.nextInt(2)),
                random.nextInt(10) < universe.persistentShare(),
                universe.priorities() ? random.nextInt(10) : 4,
                expiry,
                universe.features().groups() && random.nextInt(3) > 0 ? "g" + random.nextInt(3) : null,
                address.equals(Features.LAST_VALUES) ? "k" + random.nextInt(3) : null,
                universe.features().delays() && random.nextInt(5) == 0 ? world.broker.nowMs() + random.nextInt(50) : 0);
    }

    private void sendAgain(SimSession session, RandomGenerator random) {
        List<Message> repeatable = world.carried.repeatable;
        if (!repeatable.isEmpty() && random.nextInt(4) == 0) {
            session.sendAgain(repeatable.get(random.nextInt(repeatable.size())));
        }
    }

    Message message(Sent.Content content, RandomGenerator random) {
        int bytes = random.nextInt(40) == 0 ? 20_000 : random.nextInt(100);
        if (universe.later().fullMemory() && random.nextInt(3) == 0) {
            bytes = 60_000;
        }
        return message(content, bytes);
    }

    /** A message with a body of so many bytes. */
    static Message message(Sent.Content content, int bytes) {
        return MessageBuilder.to(content.address())
                .id(content.id())
                .persistent(content.persistent())
                .priority(content.priority())
                .expiryMs(content.expiryMs())
                .group(content.group(), 0)
                .deliveryTimeMs(content.dueMs())
                .property("key", content.key())
                .property("kind", content.kind())
                .bytes(Contents.body(content.id(), bytes))
                .build();
    }

    private long transaction(SimSession session, RandomGenerator random) {
        List<Long> open = session.units.open();
        return open.isEmpty() || random.nextInt(10) >= universe.transactedShare()
                ? Session.NO_TRANSACTION
                : open.get(random.nextInt(open.size()));
    }

    private void settleWrongly(SimSession session, SimConsumer consumer, RandomGenerator random) {
        long drawn = transaction(session, random);
        boolean own = !session.branches.has(drawn) || (universe.later().joins() && !session.branches.helped());
        session.settleWrongly(consumer.number, Long.MAX_VALUE, own ? drawn : Session.NO_TRANSACTION);
    }

    private void subscribe(SimSession session, RandomGenerator random) {
        long active =
                session.consumers().stream().filter(consumer -> !consumer.ended).count();
        if (active >= CONSUMERS_MAX) {
            return;
        }
        String clientId = session.producer().clientId();
        if (universe.later().devices() && clientId != null && random.nextBoolean()) {
            world.devices.act(session, clientId, random);
        } else {
            subscribe(session, clientId, random);
        }
    }

    private void subscribe(SimSession session, @Nullable String clientId, RandomGenerator random) {
        String kind = universe.selectors() && random.nextInt(3) == 0 ? Universe.KINDS.get(random.nextInt(2)) : null;
        Address address = universe.anySource(random);
        if (universe.features().ranks() && random.nextBoolean()) {
            // Only consumers of one queue can be compared.
            address = Features.FIRST;
        }
        if (address.equals(Features.NOTICES)) {
            look(session, kind, random);
        } else if (address.kind() == AddressKind.QUEUE) {
            if (universe.later().browses() && !Features.isForMoved(address) && random.nextInt(3) == 0) {
                world.look(session, address, kind, true);
                return;
            }
            // An exclusive queue goes over to whoever comes with a higher one, which the model does not know.
            boolean ranked = universe.features().ranks() && !address.equals(Features.EXCLUSIVE);
            int rank = ranked ? random.nextInt(3) - 1 : 0;
            // Where memory is short, who has not taken what it was given gets no more, whatever its priority.
            world.subscribeQueue(session, address, kind, universe.later().fullMemory() ? 0 : rank);
        } else if (clientId == null || random.nextInt(2) == 0) {
            boolean noLocal = random.nextInt(4) == 0;
            world.subscribeTopic(
                    session, address, kind, noLocal, universe.later().retains() && !noLocal && random.nextBoolean());
        } else {
            subscribeDurable(session, random);
        }
    }

    /** Nobody consumes from it, so one look at it is enough for a session. */
    private void look(SimSession session, @Nullable String kind, RandomGenerator random) {
        if (!session.looks()) {
            world.look(session, Features.NOTICES, kind, universe.later().browses() && random.nextBoolean());
        }
    }

    private void subscribeDurable(SimSession session, RandomGenerator random) {
        Universe.Durable durable =
                universe.durables().get(random.nextInt(universe.durables().size()));
        if (!session.producer().clientId().equals(durable.name().clientId()) || !world.durableFree(durable)) {
            return;
        }
        Box box = world.ledger.durable(durable.name());
        if (box != null && !durable.shared() && box.deletable() && random.nextInt(4) == 0) {
            session.deleteSubscription(durable.name(), box);
        } else {
            world.subscribeDurable(session, durable);
        }
    }

    private static @Nullable SimConsumer any(SimSession session, RandomGenerator random) {
        List<SimConsumer> consumers = session.consumers();
        return consumers.isEmpty() ? null : consumers.get(random.nextInt(consumers.size()));
    }

    private static void consume(SimSession session, RandomGenerator random) {
        SimConsumer consumer = any(session, random);
        if (consumer == null) {
            return;
        }
        if (random.nextBoolean()) {
            session.see(consumer, random.nextInt(1, 4));
        } else if (!consumer.ended) {
            session.credit(consumer, random.nextInt(1, 12));
        }
    }

    private void settle(SimSession session, RandomGenerator random) {
        SimConsumer consumer = any(session, random);
        if (consumer == null) {
            return;
        }
        if (random.nextInt(25) == 0) {
            settleWrongly(session, consumer, random);
            return;
        }
        if (random.nextInt(10) == 0 && !consumer.unseen().isEmpty()) {
            List<Holding> unseen = consumer.unseen();
            Holding one = unseen.get(random.nextInt(unseen.size()));
            session.settle(consumer, List.of(one), Outcome.RELEASED, Session.NO_TRANSACTION);
            return;
        }
        if (consumer.settleable().isEmpty()) {
            session.see(consumer, random.nextInt(1, 4));
        }
        List<Holding> settleable = consumer.settleable();
        if (settleable.isEmpty()) {
            return;
        }
        int from = random.nextInt(settleable.size());
        int to = random.nextBoolean() ? from : random.nextInt(from, settleable.size());
        long transaction = transaction(session, random);
        session.settle(
                consumer,
                settleable.subList(from, to + 1),
                outcome(consumer.address, transaction != Session.NO_TRANSACTION, random),
                transaction);
        if (consumer.address.equals(Features.FAILING) && !consumer.ended) {
            session.credit(consumer, to - from + 1);
        }
    }

    private static Outcome outcome(Address from, boolean inTransaction, RandomGenerator random) {
        int choice = random.nextInt(10);
        int failures = from.equals(Features.FAILING) ? 9 : 4;
        // What is rejected where it was moved to stays there, and the model knows that of a settle alone.
        if (choice == 0 && !(inTransaction && Features.isForMoved(from))) {
            return Outcome.REJECTED;
        }
        return choice < failures && !inTransaction ? Outcome.MODIFIED : Outcome.ACCEPTED;
    }

    private void transact(SimSession session, RandomGenerator random) {
        List<Long> open = session.units.open();
        if (open.isEmpty() || (open.size() < TRANSACTIONS_MAX && random.nextInt(3) == 0)) {
            session.units.begin(++begun % 2 == 0 ? SimBranches.id(begun) : null);
            return;
        }
        long transaction = open.get(random.nextInt(open.size()));
        int choice = random.nextInt(12);
        if (choice == 0) {
            session.units.commitWrongly();
        } else if (session.branches.has(transaction)) {
            branch(session, transaction, choice, random);
        } else if (choice < 4) {
            session.units.rollback(transaction);
        } else if (choice < 9) {
            session.units.commit(transaction, random.nextInt(3) == 0 ? "commit" + world.nextMessage() : null);
        }
    }

    private void branch(SimSession session, long transaction, int choice, RandomGenerator random) {
        if (session.branches.helped()) {
            return;
        }
        if (!universe.later().joins() || random.nextInt(3) > 0) {
            session.units.endBranch(transaction, ending(choice));
        } else if (choice < 4) {
            session.units.endBranch(transaction, SimBranches.Ending.FAILED);
        } else if (!session.units.isRefused(transaction) && choice < 8) {
            session.units.pause(transaction);
        } else if (!session.units.isRefused(transaction) && session.branches.begun(transaction)) {
            world.besides(session).stream()
                    .filter(SimSession::writable)
                    .findFirst()
                    .ifPresent(helper -> help(session, transaction, helper, random));
        }
    }

    private void help(SimSession session, long transaction, SimSession helper, RandomGenerator random) {
        Map<Message, Sent.Content> sends = new LinkedHashMap<>();
        int room = world.broker.transactionSendsMax() - session.units.sendCount(transaction);
        for (int count = Math.min(room, random.nextInt(3)); count > 0; count--) {
            Address address = universe.anyAddress(random);
            if (mayBeTransacted(address)) {
                Sent.Content content = content(address, random);
                sends.put(message(content, random), content);
            }
        }
        Producer own = helper.producer();
        // In which order branches are committed is not its session's business.
        Producer producer = new Producer(-world.nextMessage(), own.connection(), own.clientId());
        session.units.help(transaction, helper, sends, producer);
    }

    private static SimBranches.Ending ending(int choice) {
        if (choice < 3) {
            return SimBranches.Ending.ROLLBACK;
        } else if (choice < 5) {
            return SimBranches.Ending.ONE_PHASE;
        }
        return choice < 9 ? SimBranches.Ending.TWO_PHASES : SimBranches.Ending.PREPARED;
    }

    private void end(SimSession session, RandomGenerator random) {
        SimConsumer consumer = any(session, random);
        int choice = random.nextInt(10);
        if (choice == 0) {
            // What waits for a full queue would be refused, and all that waits behind.
            if (!universe.queues().contains(Features.BLOCKED)) {
                session.close();
            }
        } else if (consumer != null && !consumer.ended) {
            if (choice < 6) {
                session.recall(consumer);
            } else {
                session.unsubscribe(consumer);
            }
        }
    }
}
