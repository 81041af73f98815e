package dev.turnstone.testkit.contract;

import static dev.turnstone.testkit.contract.BranchVerbs.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchStart.Mode;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transactions whose messages are more than may be in memory. */
class LargeTransactionTest {
    private static final Address DEEP = Address.queue("deep");
    private static final Address OTHER = Address.queue("other");
    private static final Address NEWS = Address.topic("news");
    private static final int SENDS = 60;
    private static final Limits SMALL =
            Limits.DEFAULTS.with(Limit.TX_MEMORY, 20_000).with(Limit.PAGE_BYTES, 20_000);

    private static void sendAll(Peer peer, long transaction, String name) {
        for (int i = 0; i < SENDS; i++) {
            peer.send(
                    MessageBuilder.to(i % 3 == 0 ? OTHER : DEEP)
                            .persistent(i % 5 != 4)
                            .text(text(name, i))
                            .build(),
                    transaction);
        }
        peer.sync();
    }

    private static String text(String name, int number) {
        return name + number + "x".repeat(2_000);
    }

    private static List<String> texts(String name, Address address, boolean persistentOnly) {
        return IntStream.range(0, SENDS)
                .filter(i -> (i % 3 == 0) == address.equals(OTHER))
                .filter(i -> !persistentOnly || i % 5 != 4)
                .mapToObj(i -> text(name, i))
                .toList();
    }

    private static void assertHolds(SimulatedHost host, List<String> deep, List<String> other) {
        Peer reader = Peer.connect(host, null);
        reader.consume(1, DEEP, 1_000);
        reader.consume(2, OTHER, 1_000);
        assertThat(reader.settledTexts(1)).isEqualTo(deep);
        assertThat(reader.settledTexts(2)).isEqualTo(other);
        for (Delivery delivery : reader.received(1)) {
            reader.settle(delivery, Outcome.ACCEPTED);
        }
        for (Delivery delivery : reader.received(2)) {
            reader.settle(delivery, Outcome.ACCEPTED);
        }
        reader.sync();
        reader.lose();
        host.pump();
        assertThat(host.chunks()).as("files that are left").isZero();
    }

    private static void assertHoldsAll(SimulatedHost host, boolean persistentOnly) {
        assertHolds(host, texts("m", DEEP, persistentOnly), texts("m", OTHER, persistentOnly));
    }

    @Test
    void aCommitGivesAllMessagesInOrderThoughTheirBodiesWereNotInMemory() {
        try (SimulatedHost host = new SimulatedHost(SMALL)) {
            Peer sender = Peer.connect(host, null);
            sender.begin(1);
            sendAll(sender, 1, "m");
            assertThat(host.chunks()).as("pages before the commit").isGreaterThan(3);
            sender.awaitDone(sender.commit(1));

            assertHoldsAll(host, false);
        }
    }

    @Test
    void whatWasCommittedIsThereAfterARestart() {
        try (SimulatedHost host = new SimulatedHost(SMALL)) {
            Peer sender = Peer.connect(host, null);
            sender.begin(1);
            sendAll(sender, 1, "m");
            sender.awaitDone(sender.commit(1));
            host.restart();
            host.restart();

            assertHoldsAll(host, true);
        }
    }

    @Test
    void whatComesAfterTheCommitComesBehindIt() {
        try (SimulatedHost host = new SimulatedHost(SMALL)) {
            Peer sender = Peer.connect(host, null);
            sender.begin(1);
            sendAll(sender, 1, "m");
            sender.sendTexts(DEEP, "before");
            sender.awaitDone(sender.commit(1));
            sender.sendTexts(DEEP, "after");

            Peer reader = Peer.connect(host, null);
            reader.consume(1, DEEP, 1_000);
            assertThat(reader.settledTexts(1))
                    .startsWith("before", text("m", 1))
                    .endsWith("after")
                    .hasSize(SENDS * 2 / 3 + 2);
        }
    }

    @Test
    void aRollbackFreesThePagesAndSoDoesTheEndOfTheSession() {
        try (SimulatedHost host = new SimulatedHost(SMALL)) {
            Peer sender = Peer.connect(host, null);
            sender.begin(1);
            sendAll(sender, 1, "m");
            sender.awaitDone(sender.rollback(1));
            sender.sync();
            assertThat(host.chunks()).isZero();

            sender.begin(2);
            sendAll(sender, 2, "m");
            assertThat(host.chunks()).isPositive();
            sender.lose();
            host.pump();
            assertHolds(host, List.of(), List.of());
        }
    }

    @Test
    void aCrashKeepsAllOrNothingWhereverItCutsAndFreesWhatIsNobodys() {
        int units = 1;
        for (int cut = 0; cut <= units; cut++) {
            try (SimulatedHost host = new SimulatedHost(SMALL)) {
                Peer sender = Peer.connect(host, null);
                sender.begin(1);
                sendAll(sender, 1, "m");
                host.hold();
                sender.commit(1);
                sender.session().flush();
                host.pump();
                units = host.pendingUnits();
                host.crashKeeping(cut);

                boolean kept = cut == units;
                assertHolds(
                        host, kept ? texts("m", DEEP, true) : List.of(), kept ? texts("m", OTHER, true) : List.of());
            }
        }
        assertThat(units).isPositive();
    }

    @Test
    void aPreparedBranchKeepsItsPagesOverRestarts() {
        for (boolean commit : new boolean[] {true, false}) {
            try (SimulatedHost host = new SimulatedHost(SMALL)) {
                Peer worker = Peer.connect(host, null);
                worker.awaitDone(BranchVerbs.join(worker, ONE, Mode.NEW, 1));
                sendAll(worker, 1, "m");
                worker.awaitDone(BranchVerbs.end(worker, ONE, BranchEnd.SUCCESS));
                BranchVerbs.prepared(worker, ONE);
                host.restart();
                host.crashKeeping(0);
                assertThat(host.chunks()).isPositive();

                Peer manager = Peer.connect(host, null);
                manager.awaitDone(
                        commit ? BranchVerbs.commit(manager, ONE, false) : BranchVerbs.rollback(manager, ONE));
                host.restart();
                assertHolds(
                        host,
                        commit ? texts("m", DEEP, true) : List.of(),
                        commit ? texts("m", OTHER, true) : List.of());
            }
        }
    }

    @Test
    void aPreparedBranchMayHaveReceivedMoreThanMemoryOverRestarts() {
        for (boolean commit : new boolean[] {true, false}) {
            try (SimulatedHost host = new SimulatedHost(SMALL.with(Limit.ADDRESS_MEMORY_MAX, 20_000))) {
                List<String> all =
                        IntStream.range(0, SENDS).mapToObj(i -> text("m", i)).toList();
                Peer sender = Peer.connect(host, null);
                sender.sendTexts(DEEP, all.toArray(String[]::new));
                Peer worker = Peer.connect(host, null);
                worker.awaitDone(BranchVerbs.join(worker, ONE, Mode.NEW, 1));
                worker.consume(1, DEEP, 1_000);
                for (Delivery delivery : worker.awaitDeliveries(1, SENDS)) {
                    worker.settle(delivery, Outcome.ACCEPTED, 1);
                }
                worker.awaitDone(BranchVerbs.end(worker, ONE, BranchEnd.SUCCESS));
                BranchVerbs.prepared(worker, ONE);
                host.restart();
                host.crashKeeping(0);

                Peer manager = Peer.connect(host, null);
                manager.awaitDone(
                        commit ? BranchVerbs.commit(manager, ONE, false) : BranchVerbs.rollback(manager, ONE));
                assertHolds(host, commit ? List.of() : all, List.of());
            }
        }
    }

    @Test
    void subscribersShareThePagesAndEachReadsThemByItself() {
        try (SimulatedHost host = new SimulatedHost(SMALL)) {
            Peer one = Peer.connect(host, "one");
            one.consume(durable("one", 1, null), 0);
            Peer two = Peer.connect(host, "two");
            two.consume(durable("two", 1, "n >= 30"), 1_000);
            Peer sender = Peer.connect(host, null);
            sender.begin(1);
            for (int i = 0; i < SENDS; i++) {
                sender.send(
                        MessageBuilder.to(NEWS)
                                .property("n", i)
                                .text(text("m", i))
                                .build(),
                        1);
            }
            sender.awaitDone(sender.commit(1));
            assertThat(two.settledTexts(1)).hasSize(30).startsWith(text("m", 30));
            host.restart();

            Peer again = Peer.connect(host, "one");
            again.consume(durable("one", 1, null), 1_000);
            assertThat(again.settledTexts(1)).hasSize(SENDS).startsWith(text("m", 0));
        }
    }

    private static Subscribe durable(String client, int consumer, @Nullable String selector) {
        return new Subscribe(consumer, NEWS, new SubscriptionName(client, "s"), selector, false);
    }
}
