package dev.turnstone.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Identities: a second copy of a message is confirmed and not stored, a commit's lost answer can be asked for. */
public abstract class OnceContract extends BrokerContract {
    private static final int HORIZON_MS = 60_000;

    @Override
    Map<String, String> limits() {
        return Map.of("dedup.horizonMs", Integer.toString(HORIZON_MS));
    }

    private static Reply send(Peer peer, dev.turnstone.port.Message message, DedupId id, long transaction) {
        return peer.send(new Send(message, transaction).with(id));
    }

    private static Reply send(Peer peer, dev.turnstone.port.Message message, DedupId id) {
        return send(peer, message, id, Session.NO_TRANSACTION);
    }

    private static DedupId number(long sequence) {
        return new DedupId.Sequence("producer", sequence);
    }

    @Test
    void aSecondCopyIsConfirmedAndNotStored() {
        Peer peer = peer();
        peer.awaitDone(send(peer, text(ORDERS, "a"), DedupId.of("1")));
        Peer other = peer();
        other.awaitDone(send(other, text(ORDERS, "a again"), DedupId.of("1")));
        peer.awaitDone(send(peer, text(ORDERS, "b"), DedupId.of("2")));
        peer.awaitDone(send(peer, text(BILLS, "c"), DedupId.of("1")));

        peer.consume(1, ORDERS, 10);
        peer.consume(2, BILLS, 10);

        assertThat(peer.settledTexts(1)).containsExactly("a", "b");
        assertThat(peer.settledTexts(2)).as("an address of its own").containsExactly("c");
    }

    @Test
    void aProducersNumbersCountUpwards() {
        Peer peer = peer();
        for (long sequence : new long[] {0, 3, 3, 1, 4, 0}) {
            peer.awaitDone(send(peer, text(ORDERS, "n" + sequence), number(sequence)));
        }
        send(peer, text(ORDERS, "other"), new DedupId.Sequence("other", 3));
        peer.awaitDone(send(peer, text(BILLS, "bill"), number(3)));

        peer.consume(1, ORDERS, 10);
        peer.consume(2, BILLS, 10);

        assertThat(peer.settledTexts(1)).containsExactly("n0", "n3", "n4", "other");
        assertThat(peer.settledTexts(2)).containsExactly("bill");
    }

    @Test
    void aSecondCopyIsRecognisedAfterTheFirstWasConsumedAndTheBrokerStartedAnew() {
        Peer peer = peer();
        peer.awaitDone(send(peer, text(ORDERS, "a"), DedupId.of("1")));
        peer.awaitDone(send(peer, text(ORDERS, "b"), number(7)));
        peer.awaitDone(send(peer, text(PRICES, "to nobody"), DedupId.of("2")));
        peer.consume(1, ORDERS, 2);
        for (Delivery delivery : peer.awaitDeliveries(1, 2)) {
            peer.awaitDone(peer.settle(delivery, Outcome.ACCEPTED));
        }

        host().restart();

        Peer again = peer();
        again.consume(1, ORDERS, 10);
        again.consume(2, PRICES, 10);
        again.awaitDone(send(again, text(ORDERS, "a"), DedupId.of("1")));
        again.awaitDone(send(again, text(ORDERS, "b"), number(7)));
        again.awaitDone(send(again, text(PRICES, "to nobody"), DedupId.of("2")));
        again.awaitDone(send(again, text(ORDERS, "c"), number(8)));
        assertThat(again.settledTexts(1)).containsExactly("c");
        assertThat(again.settledTexts(2)).isEmpty();
    }

    @Test
    void aSecondCopysProtocolStateChangesAllTheSame() {
        Peer peer = peer();
        peer.awaitDone(send(peer, text(ORDERS, "a"), DedupId.of("1")));
        peer.awaitDone(peer.send(Send.of(text(ORDERS, "a"))
                .with(DedupId.of("1"))
                .with(List.of(StateChange.put("contract", "k", new byte[1])))));

        List<StatePage> pages = new ArrayList<>();
        Reply listed = peer.reply("list");
        peer.session().listState(StateQuery.of("contract", ""), pages::add, listed);
        peer.awaitDone(listed);
        assertThat(pages.get(0).entries()).hasSize(1);
        peer.consume(1, ORDERS, 10);
        assertThat(peer.settledTexts(1)).containsExactly("a");
    }

    @Test
    void inOneTransactionASecondCopyIsDropped() {
        Peer peer = peer();
        peer.awaitDone(send(peer, text(ORDERS, "before"), DedupId.of("0")));
        peer.begin(1);
        for (String id : new String[] {"1", "0", "1", "2"}) {
            peer.awaitDone(send(peer, text(ORDERS, "m" + id), DedupId.of(id), 1));
        }
        for (long sequence : new long[] {5, 5, 4, 6}) {
            peer.awaitDone(send(peer, text(ORDERS, "n" + sequence), number(sequence), 1));
        }
        peer.awaitDone(peer.commit(1));
        peer.awaitDone(send(peer, text(ORDERS, "m2"), DedupId.of("2")));
        peer.awaitDone(send(peer, text(ORDERS, "n6"), number(6)));

        peer.consume(1, ORDERS, 20);
        assertThat(peer.settledTexts(1)).containsExactly("before", "m1", "m2", "n5", "n6");
    }

    @Test
    void ofTwoTransactionsWithTheSameCopyTheFirstToCommitCounts() {
        Peer first = peer();
        Peer second = peer();
        first.begin(1);
        first.awaitDone(send(first, text(ORDERS, "first"), DedupId.of("1"), 1));
        second.begin(1);
        second.awaitDone(send(second, text(ORDERS, "second"), DedupId.of("1"), 1));
        second.awaitDone(second.commit(1));
        first.awaitDone(first.commit(1));

        first.consume(1, ORDERS, 10);
        assertThat(first.settledTexts(1)).containsExactly("second");
    }

    @Test
    void aRollbackOrARefusalForgets() {
        Peer peer = peer();
        peer.begin(1);
        peer.awaitDone(send(peer, text(ORDERS, "a"), DedupId.of("1"), 1));
        peer.awaitDone(send(peer, text(ORDERS, "n"), number(9), 1));
        peer.awaitDone(peer.rollback(1));
        Reply refused = peer.send(Send.of(text(ORDERS, "b"))
                .with(DedupId.of("2"))
                .with(List.of(StateChange.put("contract", "k", new byte[5_000]))));
        assertThat(peer.awaitRefusal(refused)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);

        peer.awaitDone(send(peer, text(ORDERS, "a"), DedupId.of("1")));
        peer.awaitDone(send(peer, text(ORDERS, "n"), number(1)));
        peer.awaitDone(send(peer, text(ORDERS, "b"), DedupId.of("2")));

        peer.consume(1, ORDERS, 10);
        assertThat(peer.settledTexts(1)).containsExactly("a", "n", "b");
    }

    private List<CommitOutcome> ask(Peer peer, String commitId, Peer committed, long ageMs) {
        List<CommitOutcome> answers = new ArrayList<>();
        Reply reply = peer.reply("outcome of " + commitId);
        peer.session().outcome(new OutcomeQuery(commitId, committed.connection().id(), ageMs), answers::add, reply);
        peer.awaitDone(reply);
        return answers;
    }

    private static Reply commit(Peer peer, long transaction, String commitId) {
        Reply reply = peer.reply("commit " + transaction + " as " + commitId);
        peer.session().commit(transaction, commitId, reply);
        return reply;
    }

    @Test
    void j14_whoAsksOnTheConnectionThatCommitsIsAnsweredAndGoesOn() {
        Peer peer = peer();
        assertThat(ask(peer, "commit-1", peer, 0)).containsExactly(CommitOutcome.ROLLED_BACK);
        peer.begin(1);
        peer.send(text(ORDERS, "order"), 1);
        assertThat(peer.awaitRefusal(commit(peer, 1, "commit-1"))).isEqualTo(ErrorCode.COMMIT_FENCED);
        peer.begin(2);
        peer.send(text(ORDERS, "order"), 2);
        peer.awaitDone(commit(peer, 2, "commit-2"));
        assertThat(ask(peer, "commit-2", peer, 0)).containsExactly(CommitOutcome.COMMITTED);
    }

    @Test
    void j14_theOutcomeOfACommitIsRemembered() {
        Peer peer = peer();
        peer.begin(1);
        peer.send(text(ORDERS, "a"), 1);
        peer.awaitDone(commit(peer, 1, "commit-1"));
        assertThat(ask(peer(), "commit-1", peer, 10)).containsExactly(CommitOutcome.COMMITTED);

        host().restart();

        assertThat(ask(peer(), "commit-1", peer, 10)).containsExactly(CommitOutcome.COMMITTED);
    }

    @Test
    void j14_whoAsksFirstEndsTheConnectionAndRollsBackForGood() {
        Peer peer = peer();
        Peer sibling = peer.sibling();
        peer.sendTexts(ORDERS, "order");
        peer.consume(1, ORDERS, 1);
        Delivery order = peer.awaitDeliveries(1, 1).get(0);
        peer.begin(1);
        peer.settle(order, Outcome.ACCEPTED, 1);
        peer.send(text(BILLS, "bill"), 1);
        peer.sync();
        sibling.sync();

        Peer next = peer();
        assertThat(ask(next, "commit-1", peer, 10)).containsExactly(CommitOutcome.ROLLED_BACK);

        assertThat(peer.awaitRefusal(commit(peer, 1, "commit-1"))).isEqualTo(ErrorCode.CLOSED);
        assertThat(sibling.awaitRefusal(sibling.begin(9))).isEqualTo(ErrorCode.CLOSED);
        assertThat(ask(next, "commit-1", peer, 10)).containsExactly(CommitOutcome.ROLLED_BACK);
        next.consume(1, ORDERS, 10);
        next.consume(2, BILLS, 10);
        assertThat(next.settledTexts(1)).containsExactly("order");
        assertThat(next.settledTexts(2)).isEmpty();
    }

    @Test
    void j14_aCommitThatComesAfterTheQuestionIsRefusedAlsoOverARestart() {
        Peer asking = peer();
        Peer committed = peer();
        assertThat(ask(asking, "commit-1", committed, 10)).containsExactly(CommitOutcome.ROLLED_BACK);

        host().restart();

        Peer late = peer();
        late.begin(1);
        late.send(text(ORDERS, "late"), 1);
        assertThat(late.awaitRefusal(commit(late, 1, "commit-1"))).isEqualTo(ErrorCode.COMMIT_FENCED);
        assertThat(late.awaitRefusal(late.commit(1))).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
        late.consume(1, ORDERS, 10);
        assertThat(late.settledTexts(1)).isEmpty();
    }

    @Test
    void anIdentifierOfACommitCountsOnce() {
        Peer peer = peer();
        peer.begin(1);
        peer.send(text(ORDERS, "a"), 1);
        peer.awaitDone(commit(peer, 1, "commit-1"));
        peer.begin(2);
        peer.send(text(ORDERS, "b"), 2);
        assertThat(peer.awaitRefusal(commit(peer, 2, "commit-1"))).isEqualTo(ErrorCode.DUPLICATE_TRANSACTION);

        peer.consume(1, ORDERS, 10);
        assertThat(peer.settledTexts(1)).containsExactly("a");
    }

    @Test
    void whatMayBeForgottenIsNotGuessed() {
        Peer peer = peer();
        Peer committed = peer();
        Reply reply = peer.reply("outcome");
        peer.session()
                .outcome(
                        new OutcomeQuery("commit-1", committed.connection().id(), HORIZON_MS * 10L),
                        answer -> {
                            throw new AssertionError("answered " + answer);
                        },
                        reply);
        assertThat(peer.awaitRefusal(reply)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        host().pass(Duration.ofMillis(1));
    }
}
