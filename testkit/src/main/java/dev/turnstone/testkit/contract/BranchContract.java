package dev.turnstone.testkit.contract;

import static dev.turnstone.testkit.contract.BranchVerbs.ONE;
import static dev.turnstone.testkit.contract.BranchVerbs.TWO;
import static dev.turnstone.testkit.contract.BranchVerbs.assertCommitted;
import static dev.turnstone.testkit.contract.BranchVerbs.branch;
import static dev.turnstone.testkit.contract.BranchVerbs.commit;
import static dev.turnstone.testkit.contract.BranchVerbs.end;
import static dev.turnstone.testkit.contract.BranchVerbs.forget;
import static dev.turnstone.testkit.contract.BranchVerbs.join;
import static dev.turnstone.testkit.contract.BranchVerbs.prepare;
import static dev.turnstone.testkit.contract.BranchVerbs.prepared;
import static dev.turnstone.testkit.contract.BranchVerbs.recover;
import static dev.turnstone.testkit.contract.BranchVerbs.rollback;
import static dev.turnstone.testkit.contract.BranchVerbs.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchStart.Mode;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.PrepareVote;
import dev.turnstone.port.Send;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Branches of global transactions: what takes effect, and what survives. */
public abstract class BranchContract extends BrokerContract {
    private static final SubscriptionName SUB = new SubscriptionName("client", "sub");

    @Override
    Map<String, String> limits() {
        return Map.of("tx.maxSends", "50");
    }

    @Test
    void aBranchTakesEffectAtItsCommitInTwoPhases() {
        Peer peer = peer();
        Peer observer = peer();
        observer.consume(1, BILLS, 10);
        work(peer, ONE, 1);
        assertThat(recover(peer)).isEmpty();
        prepared(peer, ONE);
        assertThat(observer.settledTexts(1)).isEmpty();
        assertThat(recover(observer)).containsExactly(ONE);

        observer.awaitDone(commit(observer, ONE, false));

        assertThat(observer.settledTexts(1)).containsExactly("bill");
        assertThat(recover(peer)).isEmpty();
        assertThat(peer.awaitRefusal(commit(peer, ONE, false))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
        assertThat(peer.awaitRefusal(rollback(peer, ONE))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
        assertThat(peer.awaitRefusal(forget(peer, ONE))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
    }

    @Test
    void aPreparedBranchSurvivesItsConnectionAndTheBrokerAndCommits() {
        Peer peer = peer();
        work(peer, ONE, 1);
        prepared(peer, ONE);
        peer.lose();
        Peer other = peer();
        other.consume(1, ORDERS, 10);
        other.consume(2, BILLS, 10);
        assertThat(other.settledTexts(1)).as("locked").isEmpty();
        assertThat(other.settledTexts(2)).as("invisible").isEmpty();

        host().restart();

        Peer again = peer();
        assertThat(recover(again)).containsExactly(ONE);
        again.consume(1, ORDERS, 10);
        again.consume(2, BILLS, 10);
        assertThat(again.settledTexts(1)).as("locked after the restart").isEmpty();
        assertThat(again.settledTexts(2)).as("invisible after the restart").isEmpty();
        again.awaitDone(commit(again, ONE, false));
        assertThat(again.settledTexts(1)).isEmpty();
        assertThat(again.settledTexts(2)).containsExactly("bill");

        host().restart();

        Peer last = peer();
        assertThat(recover(last)).isEmpty();
        last.consume(1, ORDERS, 10);
        last.consume(2, BILLS, 10);
        assertThat(last.settledTexts(1)).isEmpty();
        assertThat(last.settledTexts(2)).containsExactly("bill");
        assertThat(last.received(2).get(0).redelivered()).isTrue();
    }

    /** Case J11 at the port: whoever asks after a restart is told of all that is prepared, until that has ended. */
    @Test
    void recoveryNamesWhatIsPreparedUntilItHasEnded() {
        prepareTwo();
        host().restart();

        Peer manager = peer();
        Peer other = peer();
        assertThat(recover(manager)).containsExactlyInAnyOrder(ONE, TWO);
        assertThat(recover(other)).containsExactlyInAnyOrder(ONE, TWO);
        assertThat(recover(manager))
                .as("a scan of one disturbs none of another")
                .hasSize(2);
        Peer reader = peer();
        reader.consume(1, BILLS, 10);
        assertThat(reader.settledTexts(1)).as("prepared, not committed").isEmpty();
        manager.awaitDone(commit(manager, ONE, false));
        assertThat(recover(other)).containsExactly(TWO);
        assertThat(Peer.texts(reader.awaitDeliveries(1, 1))).containsExactly("bill");
        assertThat(other.awaitRefusal(commit(other, ONE, false))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
        assertThat(other.awaitRefusal(rollback(other, ONE))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
        other.awaitDone(rollback(other, TWO));
        assertThat(recover(manager)).isEmpty();
        reader.awaitDone(reader.settle(reader.received(1).get(0), Outcome.ACCEPTED));

        host().restart();

        Peer last = peer();
        assertThat(recover(last)).isEmpty();
        last.consume(1, BILLS, 10);
        assertThat(last.settledTexts(1)).isEmpty();
    }

    private void prepareTwo() {
        Peer first = peer();
        work(first, ONE, 1);
        prepared(first, ONE);
        Peer second = peer();
        second.awaitDone(join(second, TWO, Mode.NEW, 1));
        second.awaitDone(second.send(text(BILLS, "second"), 1));
        second.awaitDone(end(second, TWO, BranchEnd.SUCCESS));
        prepared(second, TWO);
    }

    @Test
    void aPreparedBranchRollsBackAfterARestart() {
        Peer peer = peer();
        work(peer, ONE, 1);
        peer.sendTexts(ORDERS, "later");
        prepared(peer, ONE);

        host().restart();

        Peer again = peer();
        again.awaitDone(rollback(again, ONE));
        again.consume(1, ORDERS, 10);
        again.consume(2, BILLS, 10);
        assertThat(again.settledTexts(1)).as("in its place").containsExactly("order", "later");
        assertThat(again.received(1).get(0).redelivered()).isTrue();
        assertThat(again.settledTexts(2)).isEmpty();
        host().restart();
        assertThat(recover(peer())).isEmpty();
    }

    @Test
    void aBranchOfManyPartsIsRecoveredWhole() {
        Peer peer = peer("client");
        peer.awaitDone(peer.subscribe(new Subscribe(3, PRICES, SUB, null, false)));
        peer.sendTexts(ORDERS, IntStream.range(0, 20).mapToObj(i -> "order" + i).toArray(String[]::new));
        peer.consume(1, ORDERS, 20);
        List<Delivery> orders = peer.awaitDeliveries(1, 20);
        peer.awaitDone(join(peer, ONE, Mode.NEW, 1));
        for (int i = 0; i < 20; i += 2) {
            peer.settle(orders.get(i), Outcome.ACCEPTED, 1);
            peer.send(new Send(text(BILLS, "bill" + i), 1)
                    .with(List.of(StateChange.put("contract", "k" + i, new byte[] {(byte) i}))));
        }
        peer.send(text(PRICES, "price"), 1);
        peer.send(fleeting(BILLS, "fleeting"), 1);
        peer.awaitDone(end(peer, ONE, BranchEnd.SUCCESS));
        prepared(peer, ONE);

        host().restart();

        Peer again = peer("client");
        again.awaitDone(commit(again, ONE, false));
        again.consume(1, ORDERS, 50);
        again.consume(2, BILLS, 50);
        again.consume(new Subscribe(3, PRICES, SUB, null, false), 10);
        assertThat(again.settledTexts(1)).hasSize(10).contains("order1").doesNotContain("order2");
        assertThat(again.settledTexts(2)).hasSize(10).startsWith("bill0", "bill2");
        assertThat(again.settledTexts(3)).containsExactly("price");
        List<StatePage> pages = new ArrayList<>();
        Reply listed = again.reply("list");
        again.session().listState(StateQuery.of("contract", "k"), pages::add, listed);
        again.awaitDone(listed);
        assertThat(pages.get(0).entries()).hasSize(10);
    }

    @Test
    void aBranchWithOnePhaseCommits() {
        Peer peer = peer();
        work(peer, ONE, 1);
        peer.awaitDone(commit(peer, ONE, true));
        assertCommitted(peer());
    }

    @Test
    void anEmptyBranchIsReadOnly() {
        Peer peer = peer();
        peer.awaitDone(join(peer, ONE, Mode.NEW, 1));
        peer.awaitDone(end(peer, ONE, BranchEnd.SUCCESS));
        List<PrepareVote> votes = new ArrayList<>();
        peer.awaitDone(prepare(peer, ONE, votes::add));
        assertThat(votes).containsExactly(PrepareVote.READ_ONLY);
        assertThat(peer.awaitRefusal(commit(peer, ONE, false))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
    }

    @Test
    void severalSessionsOfSeveralConnectionsWorkForOneBranch() {
        Peer first = peer();
        Peer sibling = first.sibling();
        Peer other = peer();
        first.sendTexts(ORDERS, "order");
        other.consume(1, ORDERS, 1);
        Delivery order = other.awaitDeliveries(1, 1).get(0);
        first.awaitDone(join(first, ONE, Mode.NEW, 1));
        sibling.awaitDone(join(sibling, ONE, Mode.JOIN, 5));
        other.awaitDone(join(other, ONE, Mode.JOIN, 9));
        first.awaitDone(first.send(text(BILLS, "bill"), 1));
        other.awaitDone(other.settle(order, Outcome.ACCEPTED, 9));
        assertThat(first.awaitRefusal(join(first, ONE, Mode.JOIN, 2))).isEqualTo(ErrorCode.BRANCH_STATE);
        first.awaitDone(end(first, ONE, BranchEnd.SUCCESS));
        assertThat(first.awaitRefusal(prepare(first, ONE, vote -> {}))).isEqualTo(ErrorCode.BRANCH_STATE);
        assertThat(first.awaitRefusal(rollback(first, ONE))).isEqualTo(ErrorCode.BRANCH_STATE);
        sibling.awaitDone(end(sibling, ONE, BranchEnd.SUCCESS));
        other.awaitDone(end(other, ONE, BranchEnd.SUCCESS));
        prepared(first, ONE);
        first.awaitDone(commit(first, ONE, false));
        assertCommitted(first);
    }

    @Test
    void suspendedWorkGoesOnUnderAnotherNumber() {
        Peer peer = peer();
        peer.awaitDone(join(peer, ONE, Mode.NEW, 1));
        peer.awaitDone(peer.send(text(BILLS, "a"), 1));
        assertThat(peer.awaitRefusal(join(peer, ONE, Mode.RESUME, 2))).isEqualTo(ErrorCode.BRANCH_STATE);
        peer.awaitDone(end(peer, ONE, BranchEnd.SUSPEND));
        assertThat(peer.awaitRefusal(peer.send(text(BILLS, "lost"), 1))).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        peer.awaitDone(peer.send(text(BILLS, "outside")));
        assertThat(peer.awaitRefusal(prepare(peer, ONE, vote -> {}))).isEqualTo(ErrorCode.BRANCH_STATE);
        peer.awaitDone(join(peer, ONE, Mode.RESUME, 2));
        peer.awaitDone(peer.send(text(BILLS, "b"), 2));
        peer.awaitDone(end(peer, ONE, BranchEnd.SUSPEND));
        peer.awaitDone(end(peer, ONE, BranchEnd.SUCCESS));
        peer.awaitDone(commit(peer, ONE, true));
        peer.consume(1, BILLS, 10);
        assertThat(peer.settledTexts(1)).containsExactly("outside", "a", "b");
    }

    @Test
    void aSecondCopyOfWhatAPreparedBranchSendsWaitsForTheOutcome() {
        Peer peer = peer();
        for (int i = 1; i <= 2; i++) {
            peer.awaitDone(join(peer, branch(i), Mode.NEW, i));
            peer.awaitDone(peer.send(new Send(text(BILLS, "branch " + i), i).with(DedupId.of("id" + i))));
            peer.awaitDone(end(peer, branch(i), BranchEnd.SUCCESS));
            prepared(peer, branch(i));
        }
        Peer other = peer();
        Peer third = peer();
        Reply first = other.send(Send.of(text(BILLS, "copy 1")).with(DedupId.of("id1")));
        Reply behind = other.send(text(BILLS, "behind"));
        third.begin(1);
        third.send(new Send(text(BILLS, "copy 2"), 1).with(DedupId.of("id2")));
        Reply committed = third.commit(1);
        other.session().flush();
        third.session().flush();
        peer.sync();
        other.drain();
        third.drain();
        assertThat(first.isHeard()).isFalse();
        assertThat(behind.isHeard()).isFalse();
        assertThat(committed.isHeard()).isFalse();

        peer.awaitDone(commit(peer, ONE, false));
        peer.awaitDone(rollback(peer, TWO));

        other.awaitDone(behind);
        assertThat(first.isDone()).isTrue();
        third.awaitDone(committed);
        peer.consume(1, BILLS, 10);
        assertThat(peer.settledTexts(1)).containsExactlyInAnyOrder("branch 1", "behind", "copy 2");
    }
}
