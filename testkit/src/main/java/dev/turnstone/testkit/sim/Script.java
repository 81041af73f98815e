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
import dev.turnstone.testkit.model.Sent;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What sessions and their applications may do next, chosen at random. */
final class Script {
    private static final int CONSUMERS_MAX = 4;
    private static final int TRANSACTIONS_MAX = 2;

    private final World world;
    private final Universe universe;

    Script(World world, Universe universe) {
        this.world = world;
        this.universe = universe;
    }

    /** One action of some session, or nothing if the one chosen does not fit. */
    void act(RandomGenerator random) {
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
            // The model does not know commits that a full queue refuses.
            long transaction = address.equals(Features.TIGHT) ? Session.NO_TRANSACTION : drawn;
            long expiry = universe.expiry() && random.nextInt(5) == 0 ? world.broker.nowMs() + random.nextInt(50) : 0;
            Sent.Content content = new Sent.Content(
                    "m" + world.nextMessage(),
                    address,
                    Universe.KINDS.get(random.nextInt(2)),
                    random.nextInt(10) < universe.persistentShare(),
                    universe.priorities() ? random.nextInt(10) : 4,
                    expiry,
                    universe.features().groups() && random.nextInt(3) > 0 ? "g" + random.nextInt(3) : null,
                    address.equals(Features.LAST_VALUES) ? "k" + random.nextInt(3) : null,
                    universe.features().delays() && random.nextInt(5) == 0
                            ? world.broker.nowMs() + random.nextInt(50)
                            : 0);
            Message message = message(content, random.nextInt(40) == 0 ? 20_000 : random.nextInt(100));
            if (transaction != Session.NO_TRANSACTION
                    && session.sendCount(transaction) == world.broker.transactionSendsMax()) {
                if (!session.branches.has(transaction)) {
                    session.sendTooMany(message, transaction);
                }
            } else {
                session.send(message, content, transaction, random.nextInt(4) == 0, random.nextInt(4) == 0);
            }
        }
    }

    private void sendAgain(SimSession session, RandomGenerator random) {
        List<Message> repeatable = world.carried.repeatable;
        if (!repeatable.isEmpty() && random.nextInt(4) == 0) {
            session.sendAgain(repeatable.get(random.nextInt(repeatable.size())));
        }
    }

    private static Message message(Sent.Content content, int bytes) {
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
        List<Long> open = session.transactions();
        return open.isEmpty() || random.nextInt(10) >= universe.transactedShare()
                ? Session.NO_TRANSACTION
                : open.get(random.nextInt(open.size()));
    }

    private long ownTransaction(SimSession session, RandomGenerator random) {
        long some = transaction(session, random);
        return session.branches.has(some) ? Session.NO_TRANSACTION : some;
    }

    private void subscribe(SimSession session, RandomGenerator random) {
        long active =
                session.consumers().stream().filter(consumer -> !consumer.ended).count();
        if (active >= CONSUMERS_MAX) {
            return;
        }
        String kind = universe.selectors() && random.nextInt(3) == 0 ? Universe.KINDS.get(random.nextInt(2)) : null;
        Address address = universe.anySource(random);
        if (universe.features().ranks() && random.nextBoolean()) {
            // Only consumers of one queue can be compared.
            address = Features.FIRST;
        }
        if (address.kind() == AddressKind.QUEUE) {
            // An exclusive queue goes over to whoever comes with a higher one, which the model does not know.
            boolean ranked = universe.features().ranks() && !address.equals(Features.EXCLUSIVE);
            int rank = ranked ? random.nextInt(3) - 1 : 0;
            world.subscribeQueue(session, address, kind, rank);
        } else if (session.producer().clientId() == null || random.nextInt(2) == 0) {
            world.subscribeTopic(session, address, kind, random.nextInt(4) == 0);
        } else {
            subscribeDurable(session, random);
        }
    }

    private void subscribeDurable(SimSession session, RandomGenerator random) {
        Universe.Durable durable =
                universe.durables().get(random.nextInt(universe.durables().size()));
        if (!session.producer().clientId().equals(durable.name().clientId()) || !world.durableFree(durable)) {
            return;
        }
        Box box = world.ledger.durable(durable.name());
        if (box != null && box.deletable() && random.nextInt(4) == 0) {
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
            session.settleWrongly(consumer.number, Long.MAX_VALUE, ownTransaction(session, random));
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
                outcome(
                        transaction != Session.NO_TRANSACTION,
                        consumer.address.equals(Features.FAILING) ? 9 : 4,
                        random),
                transaction);
        if (consumer.address.equals(Features.FAILING) && !consumer.ended) {
            session.credit(consumer, to - from + 1);
        }
    }

    private static Outcome outcome(boolean inTransaction, int failures, RandomGenerator random) {
        int choice = random.nextInt(10);
        if (choice == 0) {
            return Outcome.REJECTED;
        }
        return choice < failures && !inTransaction ? Outcome.MODIFIED : Outcome.ACCEPTED;
    }

    private void transact(SimSession session, RandomGenerator random) {
        List<Long> open = session.transactions();
        if (open.isEmpty() || (open.size() < TRANSACTIONS_MAX && random.nextInt(3) == 0)) {
            session.begin(world.nextBranch());
            return;
        }
        long transaction = open.get(random.nextInt(open.size()));
        int choice = random.nextInt(12);
        if (choice == 0) {
            session.commitWrongly();
        } else if (session.branches.has(transaction)) {
            session.endBranch(transaction, ending(choice));
        } else if (choice < 4) {
            session.rollback(transaction);
        } else if (choice < 9) {
            session.commit(transaction, random.nextInt(3) == 0 ? "commit" + world.nextMessage() : null);
        }
    }

    private static SimBranches.Ending ending(int choice) {
        if (choice < 3) {
            return SimBranches.Ending.ROLLBACK;
        } else if (choice < 5) {
            return SimBranches.Ending.ONE_PHASE;
        }
        return choice < 9 ? SimBranches.Ending.TWO_PHASES : SimBranches.Ending.PREPARED;
    }

    private static void end(SimSession session, RandomGenerator random) {
        SimConsumer consumer = any(session, random);
        int choice = random.nextInt(10);
        if (choice == 0) {
            session.close();
        } else if (consumer != null && !consumer.ended) {
            if (choice < 6) {
                session.recall(consumer);
            } else {
                session.unsubscribe(consumer);
            }
        }
    }
}
