package dev.turnstone.testkit.contract;

import static dev.turnstone.testkit.contract.BranchVerbs.ONE;
import static dev.turnstone.testkit.contract.BranchVerbs.TWO;
import static dev.turnstone.testkit.contract.BranchVerbs.assertCommitted;
import static dev.turnstone.testkit.contract.BranchVerbs.assertRolledBack;
import static dev.turnstone.testkit.contract.BranchVerbs.branch;
import static dev.turnstone.testkit.contract.BranchVerbs.commit;
import static dev.turnstone.testkit.contract.BranchVerbs.end;
import static dev.turnstone.testkit.contract.BranchVerbs.forget;
import static dev.turnstone.testkit.contract.BranchVerbs.join;
import static dev.turnstone.testkit.contract.BranchVerbs.prepare;
import static dev.turnstone.testkit.contract.BranchVerbs.prepared;
import static dev.turnstone.testkit.contract.BranchVerbs.rollback;
import static dev.turnstone.testkit.contract.BranchVerbs.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.BranchStart.Mode;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Branches of global transactions: the states of X/Open XA, wrong calls, failures and limits. */
public abstract class BranchStateContract extends BrokerContract {
    private static final long AGE_MS = 5_000;

    @Override
    Map<String, String> limits() {
        return Map.of("tx.branchesMax", "5", "tx.maxAgeMs", Long.toString(AGE_MS));
    }

    @Test
    void wrongCallsGetTheRightCodes() {
        Peer peer = peer();
        for (Reply unknown : List.of(
                join(peer, ONE, Mode.JOIN, 1),
                join(peer, ONE, Mode.RESUME, 1),
                end(peer, ONE, BranchEnd.SUCCESS),
                prepare(peer, ONE, vote -> {}),
                commit(peer, ONE, false),
                commit(peer, ONE, true),
                rollback(peer, ONE),
                forget(peer, ONE))) {
            assertThat(peer.awaitRefusal(unknown)).as(unknown.toString()).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
        }
        work(peer, ONE, 1);
        assertThat(peer.awaitRefusal(join(peer, ONE, Mode.NEW, 2))).isEqualTo(ErrorCode.DUPLICATE_BRANCH);
        assertThat(peer.awaitRefusal(commit(peer, ONE, false))).isEqualTo(ErrorCode.BRANCH_STATE);
        assertThat(peer.awaitRefusal(end(peer, ONE, BranchEnd.SUCCESS))).isEqualTo(ErrorCode.BRANCH_STATE);
        prepared(peer, ONE);
        for (Reply wrong : List.of(
                join(peer, ONE, Mode.JOIN, 3),
                prepare(peer, ONE, vote -> {}),
                commit(peer, ONE, true),
                end(peer, ONE, BranchEnd.FAIL))) {
            assertThat(peer.awaitRefusal(wrong)).as(wrong.toString()).isEqualTo(ErrorCode.BRANCH_STATE);
        }
        assertThat(peer.awaitRefusal(join(peer, ONE, Mode.NEW, 4))).isEqualTo(ErrorCode.DUPLICATE_BRANCH);
        assertThat(peer.awaitRefusal(forget(peer, ONE))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
        peer.awaitDone(join(peer, TWO, Mode.NEW, 5));
        assertThat(peer.awaitRefusal(peer.commit(5))).isEqualTo(ErrorCode.BRANCH_STATE);
        assertThat(peer.awaitRefusal(peer.rollback(5))).isEqualTo(ErrorCode.BRANCH_STATE);
        peer.awaitDone(commit(peer, ONE, false));
    }

    @Test
    void workThatFailedCanOnlyRollBack() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "order");
        peer.consume(1, ORDERS, 1);
        Delivery order = peer.awaitDeliveries(1, 1).get(0);
        for (int i = 1; i <= 3; i++) {
            peer.awaitDone(join(peer, branch(i), Mode.NEW, i));
            peer.awaitDone(peer.send(text(BILLS, "bill"), i));
        }
        peer.awaitDone(peer.settle(order, Outcome.ACCEPTED, 1));
        for (int i = 1; i <= 3; i++) {
            peer.awaitDone(end(peer, branch(i), BranchEnd.FAIL));
        }
        assertThat(peer.awaitRefusal(join(peer, branch(1), Mode.JOIN, 7))).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertThat(peer.awaitRefusal(prepare(peer, branch(1), vote -> {}))).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertThat(peer.awaitRefusal(commit(peer, branch(2), true))).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        peer.awaitDone(rollback(peer, branch(3)));
        for (int i = 1; i <= 3; i++) {
            assertThat(peer.awaitRefusal(rollback(peer, branch(i)))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
        }
        assertRolledBack(peer());
    }

    @Test
    void aRefusedCommandDoomsTheBranch() {
        Peer peer = peer();
        peer.awaitDone(join(peer, ONE, Mode.NEW, 1));
        peer.awaitDone(peer.send(text(BILLS, "bill"), 1));
        peer.awaitRefusal(peer.send(
                MessageBuilder.to(BILLS)
                        .property("x", "y".repeat(60_000))
                        .text("")
                        .build(),
                1));
        assertThat(peer.awaitRefusal(end(peer, ONE, BranchEnd.SUCCESS))).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertThat(peer.awaitRefusal(commit(peer, ONE, true))).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        peer.consume(1, BILLS, 10);
        assertThat(peer.settledTexts(1)).isEmpty();
    }

    @Test
    void aConsumersDeathBeforeTheEndReturnsWhatItTook() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "1", "2", "3", "4", "5");
        peer.consume(1, ORDERS, 1);
        Delivery first = peer.awaitDeliveries(1, 1).get(0);
        peer.awaitDone(join(peer, ONE, Mode.NEW, 1));
        peer.awaitDone(peer.settle(first, Outcome.ACCEPTED, 1));

        peer.lose();

        Peer next = peer();
        next.consume(1, ORDERS, 10);
        assertThat(next.settledTexts(1)).containsExactly("1", "2", "3", "4", "5");
        assertThat(next.received(1).get(0).redelivered()).isTrue();
        assertThat(next.awaitRefusal(rollback(next, ONE))).isEqualTo(ErrorCode.NO_SUCH_BRANCH);
    }

    @Test
    void whatOthersWorkedForRollsBackWithALostConnectionAndIsRemembered() {
        Peer peer = peer();
        Peer other = peer();
        work(peer, ONE, 1);
        other.awaitDone(join(other, ONE, Mode.JOIN, 1));

        peer.lose();

        assertThat(other.awaitRefusal(end(other, ONE, BranchEnd.SUCCESS))).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertThat(other.awaitRefusal(prepare(other, ONE, vote -> {}))).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertRolledBack(peer());
    }

    @Test
    void aBranchThatIsOpenForTooLongRollsBack() {
        Peer peer = peer();
        work(peer, ONE, 1);
        Reply started = peer.reply("start");
        peer.session().branches().start(new BranchStart(TWO, Mode.NEW, 2, 100), started);
        peer.awaitDone(started);
        host().pass(Duration.ofMillis(150));
        peer.sync();
        assertThat(peer.awaitRefusal(peer.send(text(BILLS, "late"), 2))).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT);
        assertThat(peer.awaitRefusal(end(peer, TWO, BranchEnd.SUCCESS))).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT);
        assertThat(peer.awaitRefusal(prepare(peer, TWO, vote -> {}))).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT);
        prepared(peer, ONE);
        host().pass(Duration.ofMillis(AGE_MS + 100));
        peer.sync();
        peer.awaitDone(commit(peer, ONE, false));
        assertCommitted(peer());
    }

    @Test
    void aTransactionThatIsOpenForTooLongRollsBack() {
        Peer peer = peer();
        peer.sendTexts(ORDERS, "order");
        peer.consume(1, ORDERS, 1);
        Delivery order = peer.awaitDeliveries(1, 1).get(0);
        peer.begin(1);
        peer.send(text(BILLS, "bill"), 1);
        peer.awaitDone(peer.settle(order, Outcome.ACCEPTED, 1));
        host().pass(Duration.ofMillis(AGE_MS + 100));
        peer.sync();
        assertRolledBack(peer());
        assertThat(peer.awaitRefusal(peer.commit(1))).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT);
    }

    @Test
    void thereIsAMostOfBranches() {
        Peer peer = peer();
        for (int i = 0; i < 5; i++) {
            peer.awaitDone(join(peer, branch(i), Mode.NEW, i + 1));
        }
        Reply oneMore = join(peer, branch(5), Mode.NEW, 6);
        assertThat(peer.awaitRefusal(oneMore)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(oneMore.refusalText()).contains("tx.branchesMax");
    }
}
