package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults that the simulation has found, each cut down to its core. */
class FoundBySimulationTest {
    private static final Address ORDERS = Address.queue("orders");
    private static final Address BILLS = Address.queue("bills");
    private static final Address PRICES = Address.topic("prices");

    private static Message text(Address address, int priority, String text) {
        return MessageBuilder.to(address).priority(priority).text(text).build();
    }

    /** The record of attempts was deleted before the message, and a crash came between. */
    @Test
    void aSettledMessageIsGoneOrComesFlaggedWhereverACrashCuts() {
        Limits limits = Limits.DEFAULTS.with(Limit.DISPATCH_BLOCK, 1);
        int units = 1;
        for (int kept = 0; kept <= units; kept++) {
            try (SimulatedHost host = new SimulatedHost(limits)) {
                Peer peer = Peer.connect(host, null);
                for (int i = 0; i < 4; i++) {
                    peer.send(text(ORDERS, 1, "low"));
                }
                peer.send(text(ORDERS, 9, "high"));
                peer.sync();
                peer.consume(1, ORDERS, 2);
                Delivery high = peer.awaitDeliveries(1, 2).get(0);
                host.hold();
                peer.settle(high, Outcome.ACCEPTED);
                peer.session().flush();
                host.pump();
                units = host.pendingUnits();

                host.crashKeeping(kept);
                host.restart();

                Peer next = Peer.connect(host, null);
                next.consume(1, ORDERS, 10);
                next.settledTexts(1);
                assertThat(next.received(1))
                        .hasSizeGreaterThanOrEqualTo(4)
                        .filteredOn(delivery -> "high".equals(delivery.message().text()))
                        .allMatch(Delivery::redelivered);
            }
        }
    }

    /** A fold of settles that came out of order forgot the higher ones of the fold before. */
    @Test
    void settlesOutOfOrderStaySettledWhenTheyAreFolded() {
        try (SimulatedHost host = new SimulatedHost(Limits.DEFAULTS.with(Limit.SETTLE_FOLD, 1))) {
            Peer reader = Peer.connect(host, "reader");
            SubscriptionName one = new SubscriptionName("reader", "one");
            reader.consume(new Subscribe(1, PRICES, one, null, false), 10);
            reader.awaitDone(
                    reader.subscribe(new Subscribe(2, PRICES, new SubscriptionName("reader", "two"), null, false)));
            reader.sendTexts(PRICES, "a", "b", "c");
            List<Delivery> received = reader.awaitDeliveries(1, 3);
            for (int i = 2; i >= 0; i--) {
                reader.awaitDone(reader.settle(received.get(i), Outcome.ACCEPTED));
            }

            host.restart();

            Peer again = Peer.connect(host, "reader");
            again.consume(new Subscribe(1, PRICES, one, null, false), 10);
            assertThat(again.settledTexts(1)).isEmpty();
        }
    }

    /** A message that is not persistent left before the commit that it belongs to was durable. */
    @Test
    void nothingOfATransactionIsSeenBeforeItsCommitIsDurable() {
        try (SimulatedHost host = new SimulatedHost(Limits.DEFAULTS)) {
            Peer receiver = Peer.connect(host, null);
            receiver.consume(1, BILLS, 10);
            receiver.sync();
            Peer sender = Peer.connect(host, null);
            sender.begin(1);
            sender.send(text(ORDERS, 4, "durable"), 1);
            sender.send(
                    MessageBuilder.to(BILLS).persistent(false).text("fleeting").build(), 1);
            sender.sync();
            host.hold();
            sender.commit(1);
            sender.session().flush();
            host.pump();
            receiver.drain();
            assertThat(receiver.received(1)).isEmpty();

            host.release();
            assertThat(Peer.texts(receiver.awaitDeliveries(1, 1))).containsExactly("fleeting");
        }
    }

    /** A record written ahead for a dispatch past the mark outlived the recall of that dispatch. */
    @Test
    void whatWasRecalledUnseenComesUnflaggedAfterAnOrderlyRestart() {
        try (SimulatedHost host = new SimulatedHost(Limits.DEFAULTS.with(Limit.DISPATCH_BLOCK, 1))) {
            Peer peer = Peer.connect(host, null);
            peer.send(text(ORDERS, 1, "low"));
            peer.send(text(ORDERS, 9, "high"));
            peer.sync();
            peer.consume(1, ORDERS, 2);
            peer.awaitDeliveries(1, 2);
            peer.awaitDone(peer.recall(1, 0));

            host.restart();

            Peer next = Peer.connect(host, null);
            next.consume(1, ORDERS, 2);
            assertThat(next.awaitDeliveries(1, 2)).noneMatch(Delivery::redelivered);
        }
    }

    /** The mark passed what it left to a consumer with a selector, since that has the group: any number of messages. */
    @Test
    void whatIsLeftToTheConsumerOfItsGroupIsNotMarkedAsSeen() {
        try (SimulatedHost host = new SimulatedHost(Limits.DEFAULTS.with(Limit.DISPATCH_BLOCK, 1))) {
            Peer selective = Peer.connect(host, null);
            selective.consume(new Subscribe(1, ORDERS, null, "JMSXGroupID = 'g'", false), 1);
            selective.awaitDone(selective.send(grouped("1")));
            selective.awaitDeliveries(1, 1);
            Peer other = Peer.connect(host, null);
            other.consume(1, ORDERS, 10);
            for (String text : List.of("2", "3", "4")) {
                other.send(grouped(text));
            }
            other.sendTexts(ORDERS, "free");
            other.awaitDeliveries(1, 1);

            host.crashKeeping(0);

            Peer next = Peer.connect(host, null);
            next.consume(1, ORDERS, 10);
            assertThat(next.awaitDeliveries(1, 5))
                    .filteredOn(Delivery::redelivered)
                    .extracting(delivery -> delivery.message().text())
                    .containsExactly("1", "free");
        }
    }

    /** Pages of three priorities took turns in memory, each in place of another that was needed too, for ever. */
    @Test
    void whatComesInOrderNeedsOnePageAtATimeWhateverItsPriorities() {
        Limits narrow = Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 1).with(Limit.PAGE_BYTES, 1);
        try (SimulatedHost host = new SimulatedHost(narrow)) {
            SubscriptionName name = new SubscriptionName("meter", "queue");
            Peer peer = Peer.connect(host, "meter");
            subscribes(peer, name);
            for (int priority : new int[] {9, 5, 1, 9, 5, 1}) {
                peer.send(text(PRICES, priority, String.valueOf(priority)));
            }
            peer.sync();

            host.restart();

            Peer again = Peer.connect(host, "meter");
            again.consume(1, Address.subscription(name), 10);
            assertThat(again.settledTexts(1)).containsExactly("9", "5", "1", "9", "5", "1");
        }
    }

    private static void subscribes(Peer peer, SubscriptionName queue) {
        SubscriptionFilter filter = new SubscriptionFilter(PRICES, null, false, 0, SubscriptionFilter.Retained.NEVER);
        for (QueueChange change : List.of(
                new QueueChange.Declare(new SubscriptionQueue(queue, true, SubscriptionQueue.FOREVER, 0)),
                new QueueChange.AddFilter(queue, filter))) {
            Reply changed = peer.reply("change");
            peer.session().changeQueue(change, changed);
            peer.awaitDone(changed);
        }
    }

    /** What was handed out once comes again though its time is over: its page was read for it to expire, for ever. */
    @Test
    void whatComesAgainThoughItHasExpiredRestsInItsPage() {
        Limits narrow = Limits.DEFAULTS
                .with(Limit.ADDRESS_MEMORY_MAX, 1)
                .with(Limit.PAGE_BYTES, 1)
                .with(Limit.TURN_DELIVERIES, 1);
        try (SimulatedHost host = new SimulatedHost(narrow)) {
            SubscriptionName name = new SubscriptionName("meter", "queue");
            Peer peer = Peer.connect(host, "meter");
            subscribes(peer, name);
            peer.awaitDone(peer.send(MessageBuilder.to(PRICES)
                    .expiryMs(host.nowMs() + 1_000)
                    .text("late")
                    .build()));
            peer.consume(1, Address.subscription(name), 10);
            peer.awaitDeliveries(1, 1);
            host.crashKeeping(0);

            host.pass(Duration.ofSeconds(2));
            host.pump();

            Peer again = Peer.connect(host, "meter");
            again.consume(1, Address.subscription(name), 10);
            assertThat(again.awaitDeliveries(1, 1)).allMatch(Delivery::redelivered);
        }
    }

    /** What was read of pages stayed in memory until other pages were read, and senders waited for that memory. */
    @Test
    void whatWasReadOfPagesDoesNotStayWhileSendersWait() {
        Limits narrow =
                Limits.DEFAULTS.with(Limit.MEMORY_MAX, Limit.MEMORY_MAX.least()).with(Limit.MEMORY_PAGE_OUT, 100);
        try (SimulatedHost host = new SimulatedHost(narrow)) {
            Peer sender = Peer.connect(host, null);
            for (int i = 0; i < 14; i++) {
                sender.awaitDone(sender.send(
                        MessageBuilder.to(ORDERS).bytes(new byte[100_000]).build()));
            }
            Peer browser = Peer.connect(host, null);
            browser.consume(Subscribe.browse(1, ORDERS, null), 100);
            browser.awaitDeliveries(1, 14);

            browser.lose();

            sender.awaitDone(sender.send(text(ORDERS, 4, "there is room")));
        }
    }

    private static Message grouped(String text) {
        return MessageBuilder.to(ORDERS).group("g", 0).text(text).build();
    }

    /** The first message of a life left before its block of positions was reserved durably. */
    @Test
    void noPositionIsSeenThatACrashCouldGiveToAnotherMessage() {
        try (SimulatedHost host = new SimulatedHost(Limits.DEFAULTS)) {
            host.hold();
            Peer peer = Peer.connect(host, null);
            peer.subscribe(Subscribe.to(1, BILLS));
            peer.credit(1, 1);
            peer.send(
                    MessageBuilder.to(BILLS).persistent(false).text("fleeting").build());
            peer.session().flush();
            host.pump();
            peer.drain();
            assertThat(peer.received(1)).isEmpty();

            host.release();
            assertThat(peer.awaitDeliveries(1, 1)).isNotEmpty();
        }
    }

    /** A refused commit was heard of before the attempt that it counts was durable. */
    @Test
    void anAttemptThatARefusedCommitCountsSurvivesACrashOnceTheRefusalIsHeard() {
        try (SimulatedHost host = new SimulatedHost(Limits.DEFAULTS)) {
            Peer peer = Peer.connect(host, null);
            peer.sendTexts(ORDERS, "order");
            peer.consume(1, ORDERS, 1);
            Delivery order = peer.awaitDeliveries(1, 1).get(0);
            peer.begin(1);
            peer.settle(order, Outcome.ACCEPTED, 1);
            peer.settle(new Settle(1, 9, 9, Outcome.ACCEPTED, 1));
            peer.sync();
            host.hold();
            Reply refused = peer.commit(1);
            peer.session().flush();
            host.pump();
            peer.drain();
            assertThat(refused.isHeard()).isFalse();

            host.release();
            assertThat(peer.awaitRefusal(refused)).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
        }
    }

    /** A broker whose first life left nothing behind names connections as before; the question ended its own. */
    @Test
    void aQuestionAboutAConnectionOfALostLifeIsAnswered() {
        try (SimulatedHost host = new SimulatedHost(Limits.DEFAULTS)) {
            host.hold();
            Peer lost = Peer.connect(host, null);
            lost.begin(1);
            lost.send(text(ORDERS, 4, "never"), 1);
            lost.session().commit(1, "commit-1", lost.reply("commit"));
            lost.session().flush();
            host.pump();
            String connection = lost.connection().id();
            host.crashKeeping(0);

            Peer again = Peer.connect(host, null);
            assertThat(again.connection().id()).isEqualTo(connection);
            List<CommitOutcome> answers = new ArrayList<>();
            Reply reply = again.reply("outcome");
            again.session().outcome(new OutcomeQuery("commit-1", connection, 0), answers::add, reply);
            again.awaitDone(reply);
            assertThat(answers).containsExactly(CommitOutcome.ROLLED_BACK);
            again.sendTexts(ORDERS, "goes on");
        }
    }
}
