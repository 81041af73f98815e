package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

final class QueueingTest {
    private final TestBroker broker = new TestBroker();

    @Test
    void aPersistentSendIsConfirmedWhenItIsDurableAndNotBefore() {
        TestSession session = broker.session();
        broker.settle();
        TestSession.Result sent = session.send("q", "a");
        assertThat(sent.done).isFalse();
        session.receive();
        assertThat(sent.done).isTrue();
    }

    @Test
    void aPersistentMessageLeavesOnlyWhenItIsDurable() {
        TestSession session = broker.session();
        session.subscribe(1, "q", 10);
        session.receive();
        session.send("q", "a");
        assertThat(session.deliveries).isEmpty();
        assertThat(session.texts()).containsExactly("a");
    }

    @Test
    void nonPersistentMessagesDoNotWaitForTheDisk() {
        TestSession session = broker.session();
        session.subscribe(1, "q", 10);
        session.receive();
        TestSession.Result sent =
                session.send(TestSession.text("q", "a").persistent(false).build());
        assertThat(sent.done).isTrue();
        assertThat(session.deliveries).hasSize(1);
        assertThat(broker.journal.undurable()).isZero();
    }

    @Test
    void whatWasConfirmedComesBackAfterACrashAndWhatWasAcceptedDoesNot() {
        TestSession session = broker.session();
        session.send("q", "a");
        session.send("q", "b");
        session.send("q", "c");
        session.subscribe(1, "q", 10);
        List<Delivery> received = session.receive();
        session.settle(received.get(1), Outcome.ACCEPTED);
        broker.settle();
        broker.crash();
        TestSession next = broker.session();
        next.subscribe(1, "q", 10);
        List<Delivery> again = next.receive();
        assertThat(again).extracting(d -> d.message().text()).containsExactly("a", "c");
        assertThat(again).allMatch(Delivery::redelivered).allMatch(d -> d.deliveryCount() == 2);
    }

    @Test
    void consumersTakeTurns() {
        TestSession session = broker.session();
        session.subscribe(1, "q", 10);
        session.subscribe(2, "q", 10);
        for (String text : List.of("a", "b", "c", "d")) {
            session.send("q", text);
        }
        assertThat(session.receive()).extracting(Delivery::consumer).containsExactlyInAnyOrder(1, 2, 1, 2);
    }

    @Test
    void unseenPrefetchedMessagesReturnInTheirPlaceUnflagged() {
        TestSession session = broker.session();
        for (int i = 1; i <= 20; i++) {
            session.send("q", "m" + i);
        }
        session.subscribe(1, "q", 20);
        List<Delivery> prefetched = session.receive();
        assertThat(prefetched).hasSize(20);
        session.settle(prefetched.get(0), Outcome.ACCEPTED);
        session.port.unsubscribe(1, 1, new TestSession.Result());
        session.port.flush();
        session.receive();
        TestSession other = broker.session();
        other.subscribe(1, "q", 100);
        List<Delivery> rest = other.receive();
        assertThat(rest).extracting(Delivery::position).isSorted();
        assertThat(rest).hasSize(19).noneMatch(Delivery::redelivered);
    }

    @Test
    void aTransactionTakesEffectAtCommitAndSurvivesAsAWhole() {
        TestSession session = broker.session();
        session.send("in", "x");
        session.subscribe(1, "in", 1);
        Delivery x = session.receive().get(0);
        session.begin(7);
        session.send(TestSession.text("out", "y").build(), 7);
        session.accept(x, 7);
        TestSession.Result committed = session.commit(7);
        assertThat(committed.done).isFalse();
        session.receive();
        assertThat(committed.done).isTrue();
        broker.crash();
        TestSession next = broker.session();
        next.subscribe(1, "in", 1);
        next.subscribe(2, "out", 1);
        assertThat(next.texts()).containsExactly("y");
    }

    @Test
    void aRollbackReturnsEntriesFlaggedAndCounted() {
        TestSession session = broker.session();
        session.send("q", "x");
        session.subscribe(1, "q", 1);
        Delivery x = session.receive().get(0);
        session.begin(1);
        session.accept(x, 1);
        session.rollback(1);
        session.port.credit(1, 1);
        session.port.flush();
        Delivery again = session.receive().get(0);
        assertThat(again.redelivered()).isTrue();
        assertThat(again.deliveryCount()).isEqualTo(2);
        assertThat(session.commit(1).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    }
}
