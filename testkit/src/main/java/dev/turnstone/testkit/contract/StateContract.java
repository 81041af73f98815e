package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protocol state: put and removed in one unit with sends and settles, listed by prefix, kept over restarts. */
public abstract class StateContract extends BrokerContract {
    private static final String NAMESPACE = "contract";

    @Override
    Map<String, String> limits() {
        return Map.of(
                "state.keyBytesMax", "32",
                "state.valueBytesMax", "8",
                "state.keysMax", "100",
                "state.changesMax", "60",
                "state.pageMax", "7");
    }

    private static StateChange put(String key, String value) {
        return StateChange.put(NAMESPACE, key, value.getBytes(StandardCharsets.UTF_8));
    }

    private static StateChange remove(String key) {
        return StateChange.remove(NAMESPACE, key);
    }

    private static Reply change(Peer peer, long transaction, StateChange... changes) {
        Reply reply = peer.reply("change " + List.of(changes));
        peer.session().changeState(List.of(changes), transaction, reply);
        return reply;
    }

    private static Reply change(Peer peer, StateChange... changes) {
        return change(peer, Session.NO_TRANSACTION, changes);
    }

    private static List<StatePage> pages(Peer peer, StateQuery first) {
        List<StatePage> pages = new ArrayList<>();
        StateQuery query = first;
        do {
            int before = pages.size();
            Reply reply = peer.reply("list " + query);
            peer.session().listState(query, pages::add, reply);
            peer.awaitDone(reply);
            assertThat(pages).as("one page a query").hasSize(before + 1);
            query = first.next(
                    pages.get(before).more()
                            ? pages.get(before)
                            : new StatePage(List.of(new StateEntry("", new byte[0])), false));
        } while (pages.get(pages.size() - 1).more());
        return pages;
    }

    private static Map<String, String> list(Peer peer, String prefix) {
        Map<String, String> all = new LinkedHashMap<>();
        for (StatePage page : pages(peer, StateQuery.of(NAMESPACE, prefix))) {
            for (StateEntry entry : page.entries()) {
                String before = all.put(entry.key(), new String(entry.value(), StandardCharsets.UTF_8));
                assertThat(before).as(entry.key() + " comes once").isNull();
            }
        }
        return all;
    }

    @Test
    void whatIsPutIsListedByPrefixInTheOrderOfKeys() {
        Peer peer = peer();
        peer.awaitDone(change(peer, put("b/2", "x"), put("a/1", "y"), put("b/10", "z"), put("b", "w"), put("ü", "v")));
        peer.awaitDone(change(
                peer,
                StateChange.put("contracts", "b/3", new byte[1]),
                StateChange.put("contrac", "b/3", new byte[1])));

        assertThat(list(peer, "b/")).containsExactly(Map.entry("b/10", "z"), Map.entry("b/2", "x"));
        assertThat(list(peer, "").keySet()).containsExactly("a/1", "b", "b/10", "b/2", "ü");
        assertThat(list(peer, "c")).isEmpty();
    }

    @Test
    void aLongListingComesInPages() {
        Peer peer = peer();
        StateChange[] changes = new StateChange[50];
        for (int i = 0; i < changes.length; i++) {
            changes[i] = put("k" + (100 + i), "v" + i);
        }
        peer.awaitDone(change(peer, changes));

        List<StatePage> pages = pages(peer, StateQuery.of(NAMESPACE, "k"));

        assertThat(pages).hasSize(8);
        assertThat(pages.get(0).entries()).hasSize(7);
        assertThat(pages.get(7).entries()).hasSize(1);
        assertThat(list(peer, "k")).hasSize(50).containsEntry("k149", "v49");
    }

    @Test
    void aPutReplacesAndARemoveForgets() {
        Peer peer = peer();
        peer.awaitDone(change(peer, put("a", "1"), put("b", "1"), put("a", "2"), remove("b"), remove("never")));
        assertThat(list(peer, "")).containsExactly(Map.entry("a", "2"));

        peer.awaitDone(change(peer, remove("a"), put("a", ""), put("b", "3")));

        assertThat(list(peer, "")).containsExactly(Map.entry("a", ""), Map.entry("b", "3"));
    }

    @Test
    void stateSurvivesARestart() {
        Peer peer = peer();
        peer.awaitDone(change(peer, put("a", "1"), put("b", "1"), put("c", "1")));
        peer.awaitDone(change(peer, put("a", "2"), remove("b")));

        host().restart();

        assertThat(list(peer(), "")).containsExactly(Map.entry("a", "2"), Map.entry("c", "1"));
    }

    @Test
    void aSendCarriesStateAlsoIfNoQueueGetsIt() {
        Peer peer = peer();
        peer.awaitDone(peer.send(Send.of(text(ORDERS, "order")).with(List.of(put("id/1", "o")))));
        peer.awaitDone(peer.send(Send.of(text(PRICES, "to nobody")).with(List.of(put("id/2", "p"), remove("id/0")))));
        peer.awaitDone(peer.send(Send.of(fleeting(ORDERS, "fleeting")).with(List.of(put("id/3", "f")))));

        host().restart();

        Peer again = peer();
        assertThat(list(again, "id/")).containsOnlyKeys("id/1", "id/2", "id/3");
        again.consume(1, ORDERS, 10);
        assertThat(again.settledTexts(1)).containsExactly("order");
    }

    @Test
    void aSettleCarriesState() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "a", "b");
        peer.consume(1, ORDERS, 2);
        Delivery first = peer.awaitDeliveries(1, 2).get(0);
        peer.awaitDone(peer.settle(Settle.one(first, Outcome.ACCEPTED).with(List.of(put("seen", "a")))));

        assertThat(peer.awaitRefusal(
                        peer.settle(Settle.one(first, Outcome.ACCEPTED).with(List.of(put("seen", "again"))))))
                .isEqualTo(ErrorCode.NO_SUCH_DELIVERY);

        assertThat(list(peer, "")).containsExactly(Map.entry("seen", "a"));
        host().restart();
        assertThat(list(peer(), "")).containsExactly(Map.entry("seen", "a"));
    }

    @Test
    void inATransactionStateChangesAtCommit() {
        Peer peer = peer();
        Peer other = peer();
        peer.awaitDone(change(peer, put("old", "1")));
        peer.sendTexts(ORDERS, "a");
        peer.consume(1, ORDERS, 1);
        Delivery delivery = peer.awaitDeliveries(1, 1).get(0);
        peer.begin(1);
        peer.awaitDone(peer.send(new Send(text(BILLS, "bill"), 1).with(List.of(put("sent", "1")))));
        peer.awaitDone(peer.settle(new Settle(1, 1, 1, Outcome.ACCEPTED, 1).with(List.of(put("settled", "1")))));
        peer.awaitDone(change(peer, 1, remove("old"), put("alone", "1")));
        assertThat(delivery.redelivered()).isFalse();
        assertThat(list(peer, "")).containsOnlyKeys("old");
        assertThat(list(other, "")).containsOnlyKeys("old");

        peer.awaitDone(peer.commit(1));

        assertThat(list(other, "")).containsOnlyKeys("alone", "sent", "settled");
    }

    @Test
    void aRollbackForgetsStateChanges() {
        Peer peer = peer();
        peer.awaitDone(change(peer, put("old", "1")));
        peer.begin(1);
        peer.send(new Send(text(BILLS, "bill"), 1).with(List.of(put("sent", "1"))));
        change(peer, 1, remove("old"));
        peer.awaitDone(peer.rollback(1));
        peer.begin(2);
        change(peer, 2, put("lost", "1"));
        peer.sync();
        peer.lose();

        assertThat(list(peer(), "")).containsExactly(Map.entry("old", "1"));
    }

    @Test
    void limitsOfStateRefuseTheWholeCommand() {
        Peer peer = peer();
        peer.consume(1, ORDERS, 1);
        Reply longKey = peer.send(Send.of(text(ORDERS, "a")).with(List.of(put("k".repeat(24), "v"))));
        assertThat(peer.awaitRefusal(longKey)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(longKey.refusalText()).contains("state.keyBytesMax=32");
        Reply longValue = change(peer, put("fits", "1"), put("k", "123456789"));
        assertThat(peer.awaitRefusal(longValue)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(longValue.refusalText()).contains("state.valueBytesMax=8");
        StateChange[] many = new StateChange[61];
        java.util.Arrays.fill(many, remove("x"));
        assertThat(peer.awaitRefusal(change(peer, many))).isEqualTo(ErrorCode.LIMIT_EXCEEDED);

        assertThat(peer.settledTexts(1)).isEmpty();
        assertThat(list(peer, "")).isEmpty();
        for (int i = 0; i < 100; i++) {
            change(peer, put("k" + i, "v"));
        }
        Reply oneMore = change(peer, put("k100", "v"));
        assertThat(peer.awaitRefusal(oneMore)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(oneMore.refusalText()).contains("state.keysMax=100");
        peer.awaitDone(change(peer, put("k99", "w")));
        peer.awaitDone(change(peer, remove("k0")));
        peer.awaitDone(change(peer, put("k100", "v")));
    }
}
