package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.MessageBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions to an address whose messages go to page files. */
class TransactionsInPagesTest {
    private static final Address DEEP = Address.queue("deep");
    private static final int SENDS = 50;
    private static final int CUTS = 40;
    private static final Limits PAGING =
            Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 20_000).with(Limit.PAGE_BYTES, 20_000);

    private static void sendAll(Peer peer, String name) {
        peer.begin(1);
        for (int i = 0; i < SENDS; i++) {
            peer.send(MessageBuilder.to(DEEP).text(name + "x".repeat(5_000)).build(), 1);
        }
    }

    /**
     * Case J17: three clients commit fifty large messages each while earlier ones go to pages; wherever a crash cuts
     * what was written, each transaction is there as a whole or not at all, and what was confirmed is there.
     */
    @Test
    void j17_eachTransactionSurvivesACrashWholeOrNotAtAllWhilePagesAreWritten() {
        int units = 1;
        for (int cut = 0; cut <= CUTS; cut++) {
            try (SimulatedHost host = new SimulatedHost(PAGING)) {
                Peer before = Peer.connect(host, null);
                sendAll(before, "confirmed");
                before.commit(1);
                before.sync();
                List<Peer> peers =
                        List.of(Peer.connect(host, null), Peer.connect(host, null), Peer.connect(host, null));
                for (int i = 0; i < peers.size(); i++) {
                    sendAll(peers.get(i), "tx" + i);
                    peers.get(i).sync();
                }
                host.hold();
                for (Peer peer : peers) {
                    peer.commit(1);
                    peer.session().flush();
                    host.pump();
                    host.pages();
                }
                units = Math.max(units, host.pendingUnits());
                host.crashKeeping(Math.min(host.pendingUnits(), units * cut / CUTS));

                checkAll(host, cut + " of " + CUTS);
            }
        }
        assertThat(units).as("places to cut at").isGreaterThan(3);
    }

    private static void checkAll(SimulatedHost host, String cut) {
        Peer reader = Peer.connect(host, null);
        reader.consume(1, DEEP, 1_000);
        List<String> texts = reader.settledTexts(1);
        assertThat(count(texts, "confirmed")).isEqualTo(SENDS);
        for (String transaction : List.of("tx0", "tx1", "tx2")) {
            assertThat(count(texts, transaction)).as("cut at %s", cut).isIn(0L, (long) SENDS);
        }
    }

    private static long count(List<String> texts, String name) {
        return texts.stream().filter(text -> text.startsWith(name)).count();
    }
}
