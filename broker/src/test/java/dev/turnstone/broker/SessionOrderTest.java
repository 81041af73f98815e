package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SessionOrderTest {
    private TestBroker broker = new TestBroker();

    private static Completion noting(List<String> heard, String name) {
        return new Completion() {
            @Override
            public void done() {
                heard.add(name);
            }

            @Override
            public void failed(BrokerException cause) {
                heard.add(name + " " + cause.code());
            }
        };
    }

    private static Message volatileText(String queue) {
        return TestSession.text(queue, "v").persistent(false).build();
    }

    @Test
    void aLaterConfirmationNeverOvertakesAnEarlierOneNotEvenARefusal() {
        TestSession session = broker.session();
        broker.settle();
        List<String> heard = new ArrayList<>();
        session.port.send(Send.of(TestSession.text("q", "a").build()), noting(heard, "persistent"));
        session.port.send(Send.of(volatileText("q")), noting(heard, "volatile"));
        session.port.commit(9, noting(heard, "commit"));
        session.port.sync(noting(heard, "sync"));
        session.flushed(new TestSession.Result());
        assertThat(heard).isEmpty();
        session.receive();
        assertThat(heard).containsExactly("persistent", "volatile", "commit NO_SUCH_TRANSACTION", "sync");
    }

    @Test
    void aSyncWaitsForSendsThatNobodyWantsConfirmed() {
        TestSession session = broker.session();
        broker.settle();
        List<String> heard = new ArrayList<>();
        session.port.send(Send.of(TestSession.text("q", "a").build()), Completion.onFailure(cause -> heard.add("no")));
        session.port.sync(noting(heard, "sync"));
        session.flushed(new TestSession.Result());
        assertThat(heard).isEmpty();
        session.receive();
        assertThat(heard).containsExactly("sync");
    }

    @Test
    void theWakeupIsCalledOnceUntilADrainHasFoundNothing() {
        TestSession session = broker.session();
        session.subscribe(1, "q", 100);
        session.receive();
        session.wakeups = 0;
        TestSession sender = broker.session();
        sender.send(volatileText("q"));
        sender.send(volatileText("q"));
        assertThat(session.wakeups).isEqualTo(1);
        assertThat(session.port.drain(session, 1)).isEqualTo(1);
        sender.send(volatileText("q"));
        assertThat(session.wakeups).as("not all was taken").isEqualTo(1);
        session.drain();
        sender.send(volatileText("q"));
        assertThat(session.wakeups).isEqualTo(2);
    }

    @Test
    void sendsWaitWhileTheJournalIsBehindAndSettlesGoOn() {
        TestSession consumer = broker.session();
        TestSession producer = broker.session();
        producer.send("q", "a");
        consumer.subscribe(1, "q", 10);
        var delivery = consumer.receive().get(0);
        broker.journal.accepting(false);
        TestSession.Result sent = producer.send("q", "b");
        TestSession.Result settled = consumer.settle(delivery, Outcome.ACCEPTED);
        broker.settle();
        producer.drain();
        consumer.drain();
        assertThat(settled.done).isTrue();
        assertThat(sent.done).isFalse();
        broker.journal.accepting(true);
        broker.journal.sync();
        producer.receive();
        assertThat(sent.done).isTrue();
    }

    @Test
    void aSessionThatHasPostedTooMuchIsNotWritableUntilTheEngineHasTakenIt() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.SESSION_POSTED_MAX, 3));
        TestSession session = broker.session();
        broker.settle();
        List<String> heard = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            session.port.send(Send.of(volatileText("q")), noting(heard, "s" + i));
            session.port.flush();
        }
        assertThat(session.port.writable()).isFalse();
        session.wakeups = 0;
        broker.run();
        assertThat(session.wakeups).isEqualTo(1);
        session.drain();
        broker.run();
        session.drain();
        assertThat(session.port.writable()).isTrue();
        assertThat(heard).containsExactly("s0", "s1", "s2", "s3", "s4");
    }

    @Test
    void aFullMailboxRefusesSendsButNeverSettlesOrClosing() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.MAILBOX_BYTES_MAX, 1 << 20));
        TestSession session = broker.session();
        TestSession other = broker.session();
        broker.settle();
        Message large =
                TestSession.text("q", "x".repeat(1 << 20)).persistent(false).build();
        List<String> heard = new ArrayList<>();
        session.port.send(Send.of(large), noting(heard, "first"));
        session.port.flush();
        other.port.send(Send.of(large), noting(heard, "second"));
        other.port.flush();
        assertThat(other.port.writable()).isFalse();
        TestSession third = broker.session();
        third.port.sync(noting(heard, "control"));
        third.port.flush();
        broker.run();
        session.drain();
        third.drain();
        assertThat(heard).containsExactly("first", "control");
        assertThat(other.wakeups).isEqualTo(1);
        other.drain();
        broker.run();
        other.drain();
        assertThat(other.port.writable()).isTrue();
        assertThat(heard).containsExactly("first", "control", "second");
    }

    @Test
    void producersPauseWhenMemoryIsFullAndGoOnWhenConsumersHaveFreedIt() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.MEMORY_MAX, 1 << 20));
        broker.settle();
        TestSession producer = broker.session();
        List<String> heard = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Message message =
                    TestSession.text("q", "x".repeat(100_000)).persistent(false).build();
            producer.port.send(Send.of(message), noting(heard, "s" + i));
            producer.port.flush();
            broker.run();
            producer.drain();
        }
        assertThat(heard.size()).isBetween(10, 12);
        assertThat(broker.engine.memoryUsed()).isLessThan(1_300_000);
        TestSession consumer = broker.session();
        int received = 0;
        consumer.subscribe(1, "q", 1);
        while (received < 30) {
            for (var delivery : consumer.receive()) {
                received++;
                consumer.settle(delivery, Outcome.ACCEPTED);
                consumer.port.credit(1, 1);
                consumer.flushed(new TestSession.Result());
            }
            producer.drain();
        }
        producer.receive();
        assertThat(heard).hasSize(30);
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void aMessageLargerThanTheLimitIsRefusedByName() {
        broker = new TestBroker(
                Limits.DEFAULTS.with(Limit.MESSAGE_BYTES_MAX, 10).with(Limit.MESSAGE_LARGE_BYTES_MAX, 0));
        TestSession session = broker.session();
        TestSession.Result sent = session.send("q", "x".repeat(11));
        session.receive();
        assertThat(sent.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(sent.cause).hasMessageContaining("message.bytesMax");
    }

    @Test
    void commandsAfterTheConnectionHasEndedFail() {
        TestSession session = broker.session();
        session.connection.close();
        TestSession.Result sent = session.send("q", "a");
        assertThat(sent.code()).isEqualTo(ErrorCode.CLOSED);
    }

    @Test
    void aClientIdentifierBelongsToOneConnectionAtATime() {
        Connection first = broker.connect("me");
        var second = broker.engine
                .broker()
                .connect(new Login(null, null, "me", "test", "test"), cause -> {})
                .toCompletableFuture();
        broker.run();
        assertThat(second).isCompletedExceptionally();
        first.close();
        broker.run();
        assertThat(broker.connect("me").id()).isNotEqualTo(first.id());
    }

    @Test
    void anOrderlyStopStillConfirmsWhatItMadeDurableAndTellsEveryConnection() {
        List<String> heard = new ArrayList<>();
        var connecting = broker.engine
                .broker()
                .connect(new Login(null, null, null, "test", "test"), cause -> heard.add("closed " + cause.code()))
                .toCompletableFuture();
        broker.settle();
        Session session = connecting.join().openSession(() -> {});
        session.send(Send.of(TestSession.text("q", "a").build()), noting(heard, "sent"));
        session.flush();
        broker.stop();
        session.drain(new NoEvents(), 10);
        assertThat(heard).containsExactly("closed STOPPED", "sent");
        assertThat(broker.engine.failed()).isFalse();
    }

    @Test
    void aFailedJournalEndsEverythingAndConfirmsNothing() {
        List<String> heard = new ArrayList<>();
        var connecting = broker.engine
                .broker()
                .connect(new Login(null, null, null, "test", "test"), cause -> heard.add("closed " + cause.code()))
                .toCompletableFuture();
        broker.settle();
        Session session = connecting.join().openSession(() -> {});
        session.send(Send.of(TestSession.text("q", "a").build()), noting(heard, "sent"));
        session.flush();
        broker.run();
        broker.journal.fail();
        broker.run();
        session.drain(new NoEvents(), 10);
        assertThat(heard).containsExactly("closed STOPPED");
        assertThat(broker.engine.failed()).isTrue();
        var late = broker.engine
                .broker()
                .connect(new Login(null, null, null, "test", "test"), cause -> {})
                .toCompletableFuture();
        assertThat(late).isCompletedExceptionally();
    }

    private static final class NoEvents implements SessionListener {
        @Override
        public void delivery(Delivery delivery) {
            throw new AssertionError("not expected: " + delivery);
        }

        @Override
        public void consumerClosed(int consumer, BrokerException cause) {
            throw new AssertionError("not expected", cause);
        }
    }
}
