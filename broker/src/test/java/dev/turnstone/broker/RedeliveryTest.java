package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RedeliveryTest {
    private final TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.DISPATCH_BLOCK, 4));
    private final TestSession session = broker.session();

    private void send(int count) {
        for (int i = 1; i <= count; i++) {
            session.send("q", "m" + i);
        }
        broker.settle();
    }

    private List<Delivery> all() {
        TestSession next = broker.session();
        next.subscribe(1, "q", 1000);
        return next.receive();
    }

    @Test
    void aNackReturnsAnEntryToItsPlaceFlaggedAndCountedAlsoOverACrash() {
        send(3);
        session.subscribe(1, "q", 2);
        List<Delivery> received = session.receive();
        session.settle(received.get(0), Outcome.MODIFIED);
        broker.settle();
        session.port.credit(1, 1);
        session.flushed(new TestSession.Result());
        Delivery again = session.receive().get(0);
        assertThat(again.message().text()).isEqualTo("m1");
        session.settle(again, Outcome.MODIFIED);
        broker.settle();
        broker.crash();
        List<Delivery> all = all();
        assertThat(all).extracting(d -> d.message().text()).containsExactly("m1", "m2", "m3");
        assertThat(all.get(0).deliveryCount()).isEqualTo(3);
        assertThat(all.get(0).redelivered()).isTrue();
    }

    @Test
    void aLostConnectionReturnsWhatWasSentFlaggedAndUncounted() {
        send(3);
        session.subscribe(1, "q", 2);
        session.receive();
        session.connection.close();
        broker.settle();
        List<Delivery> all = all();
        assertThat(all).extracting(Delivery::redelivered).containsExactly(true, true, false);
        assertThat(all).extracting(Delivery::deliveryCount).containsExactly(2, 2, 1);
        assertThat(all).extracting(Delivery::position).isSorted();
    }

    @Test
    void aCrashFlagsWhatMayHaveBeenSeenAndAtMostOneBlockMore() {
        send(20);
        session.subscribe(1, "q", 3);
        session.receive();
        broker.crash();
        List<Delivery> all = all();
        assertThat(all).hasSize(20);
        assertThat(all.subList(0, 3)).allMatch(Delivery::redelivered);
        assertThat(all.subList(3 + 4, 20)).noneMatch(Delivery::redelivered);
    }

    @Test
    void anOrderlyStopFlagsExactlyWhatWasSeen() {
        send(20);
        session.subscribe(1, "q", 5);
        session.receive();
        TestSession.Result ended = new TestSession.Result();
        session.port.unsubscribe(1, 2, ended);
        session.flushed(ended);
        broker.stop();
        broker.crash();
        List<Delivery> all = all();
        assertThat(all).extracting(Delivery::redelivered).startsWith(true, true, false, false, false, false);
        assertThat(all).hasSize(20);
        assertThat(all.subList(2, 20)).noneMatch(Delivery::redelivered);
    }

    @Test
    void aDispatchFromBehindTheFrontIsRecordedAloneBeforeItLeaves() {
        send(20);
        session.send(TestSession.text("q", "special").type("x").build());
        broker.settle();
        session.subscribe(new Subscribe(1, Address.queue("q"), null, "JMSType = 'x'", false), 1);
        assertThat(session.deliveries).as("the record is not durable").isEmpty();
        assertThat(session.texts()).containsExactly("special");
        broker.crash();
        List<Delivery> all = all();
        assertThat(all).hasSize(21);
        assertThat(all.subList(0, 20)).noneMatch(Delivery::redelivered);
        assertThat(all.get(20).redelivered()).isTrue();
    }

    @Test
    void aHigherPriorityIsDispatchedFirstAndDoesNotFlagTheBacklog() {
        send(10);
        session.send(TestSession.text("q", "urgent").priority(9).build());
        broker.settle();
        session.subscribe(1, "q", 1);
        assertThat(session.texts()).containsExactly("urgent");
        broker.crash();
        List<Delivery> all = all();
        assertThat(all.get(0).message().text()).isEqualTo("urgent");
        assertThat(all.get(0).redelivered()).isTrue();
        assertThat(all.subList(1, 11)).noneMatch(Delivery::redelivered);
    }

    @Test
    void theMarkCostsOneRecordForABlockOfDispatches() {
        session.subscribe(1, "q", 1000);
        broker.settle();
        int marks = 0;
        long last = 0;
        for (int i = 0; i < 40; i++) {
            session.send("q", "m");
            session.settle(session.receive().get(0), Outcome.ACCEPTED);
            broker.settle();
            long mark = broker.disk.entrySet().stream()
                    .filter(e -> e.getValue().type() == 7)
                    .mapToLong(e -> e.getKey())
                    .sum();
            if (mark != last) {
                marks++;
                last = mark;
            }
        }
        assertThat(marks).isBetween(2, 14);
    }

    @Test
    void aRecallReturnsWhatWasNotSeenAndTakesTheCreditAway() {
        send(6);
        session.subscribe(1, "q", 5);
        List<Delivery> received = session.receive();
        TestSession.Result recalled = new TestSession.Result();
        session.port.recall(1, 2, recalled);
        session.flushed(recalled);
        assertThat(recalled.done).isTrue();
        List<Delivery> others = all();
        assertThat(others).extracting(d -> d.message().text()).containsExactly("m3", "m4", "m5", "m6");
        assertThat(others).noneMatch(Delivery::redelivered);
        assertThat(session.settle(received.get(1), Outcome.ACCEPTED).cause).isNull();
        TestSession.Result late = session.settle(received.get(2), Outcome.ACCEPTED);
        session.receive();
        assertThat(late.code()).isEqualTo(ErrorCode.NO_SUCH_DELIVERY);
    }

    @Test
    void deliveriesOutliveTheirConsumerUntilTheyAreSettled() {
        send(4);
        session.subscribe(1, "q", 4);
        session.receive();
        TestSession.Result ended = new TestSession.Result();
        session.port.unsubscribe(1, 3, ended);
        session.flushed(ended);
        assertThat(session.settle(new Settle(1, 1, 3, Outcome.ACCEPTED, Session.NO_TRANSACTION)).cause)
                .isNull();
        broker.settle();
        assertThat(all()).extracting(d -> d.message().text()).containsExactly("m4");
    }

    @Test
    void anExpiredMessageIsNeverDeliveredAndItsRecordGoes() {
        session.send(TestSession.text("q", "old").expiryMs(broker.nowMs + 10).build());
        session.send("q", "new");
        broker.settle();
        broker.nowMs += 10;
        session.subscribe(1, "q", 10);
        assertThat(session.texts()).containsExactly("new");
        broker.crash();
        assertThat(all()).hasSize(1);
    }
}
