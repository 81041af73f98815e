package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.BranchStart.Mode;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.PrepareVote;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The verbs of branches as tests use them. */
final class BranchVerbs {
    static final BranchId ONE = branch(1);
    static final BranchId TWO = branch(2);

    private BranchVerbs() {}

    static BranchId branch(int number) {
        return new BranchId(7, new byte[] {1, 2, (byte) number}, new byte[] {(byte) number});
    }

    static Reply join(Peer peer, BranchId branch, Mode mode, long transaction) {
        Reply reply = peer.reply("start " + branch + " " + mode);
        peer.session().branches().start(new BranchStart(branch, mode, transaction, 0), reply);
        return reply;
    }

    static Reply end(Peer peer, BranchId branch, BranchEnd how) {
        Reply reply = peer.reply("end " + branch + " " + how);
        peer.session().branches().end(branch, how, reply);
        return reply;
    }

    static Reply prepare(Peer peer, BranchId branch, Consumer<PrepareVote> vote) {
        Reply reply = peer.reply("prepare " + branch);
        peer.session().branches().prepare(branch, vote, reply);
        return reply;
    }

    static void prepared(Peer peer, BranchId branch) {
        List<PrepareVote> votes = new ArrayList<>();
        peer.awaitDone(prepare(peer, branch, votes::add));
        assertThat(votes).containsExactly(PrepareVote.PREPARED);
    }

    static Reply commit(Peer peer, BranchId branch, boolean onePhase) {
        Reply reply = peer.reply("commit " + branch);
        peer.session().branches().commit(branch, onePhase, reply);
        return reply;
    }

    static Reply rollback(Peer peer, BranchId branch) {
        Reply reply = peer.reply("rollback " + branch);
        peer.session().branches().rollback(branch, reply);
        return reply;
    }

    static Reply forget(Peer peer, BranchId branch) {
        Reply reply = peer.reply("forget " + branch);
        peer.session().branches().forget(branch, reply);
        return reply;
    }

    static List<BranchId> recover(Peer peer) {
        List<BranchId> found = new ArrayList<>();
        Reply reply = peer.reply("recover");
        peer.session().branches().recover(found::addAll, reply);
        peer.awaitDone(reply);
        return found;
    }

    /** A branch that has settled the one order and sent a bill; its work has ended. */
    static void work(Peer peer, BranchId branch, long number) {
        peer.sendTexts(BrokerContract.ORDERS, "order");
        peer.consume(1, BrokerContract.ORDERS, 1);
        Delivery order = peer.awaitDeliveries(1, 1).get(0);
        peer.awaitDone(join(peer, branch, Mode.NEW, number));
        peer.awaitDone(peer.settle(order, Outcome.ACCEPTED, number));
        peer.awaitDone(peer.send(BrokerContract.text(BrokerContract.BILLS, "bill"), number));
        peer.awaitDone(end(peer, branch, BranchEnd.SUCCESS));
    }

    static void assertCommitted(Peer observer) {
        observer.consume(11, BrokerContract.ORDERS, 10);
        observer.consume(12, BrokerContract.BILLS, 10);
        assertThat(observer.settledTexts(11)).isEmpty();
        assertThat(observer.settledTexts(12)).containsExactly("bill");
    }

    static void assertRolledBack(Peer observer) {
        observer.consume(11, BrokerContract.ORDERS, 10);
        observer.consume(12, BrokerContract.BILLS, 10);
        assertThat(observer.settledTexts(11)).containsExactly("order");
        assertThat(observer.received(11).get(0).redelivered()).isTrue();
        assertThat(observer.settledTexts(12)).isEmpty();
    }
}
