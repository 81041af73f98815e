package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.port.Address;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import org.junit.jupiter.api.Test;

/** What queues take in memory beside their messages. */
final class StandingMemoryTest {
    private static final int QUEUES = 50;

    private TestBroker broker = new TestBroker();

    private long used() {
        return broker.report().room().memoryBytes();
    }

    @Test
    void queuesCountAsLongAsTheyAreThere() {
        TestSession session = broker.session();
        for (int i = 1; i <= QUEUES; i++) {
            session.subscribe(i, "q" + i, 1);
        }
        assertThat(used()).isEqualTo((long) QUEUES * Memory.QUEUE_OVERHEAD);
        session.connection.close();
        broker.nowMs += 3_600_000;
        broker.settle();
        assertThat(used()).isZero();
    }

    @Test
    void subscriptionsCountAlsoAfterAStartAndUntilTheyAreDeleted() {
        TestSession session = broker.session(broker.connect("c"));
        for (int i = 1; i <= QUEUES; i++) {
            SubscriptionName name = new SubscriptionName("c", "s" + i);
            session.subscribe(new Subscribe(i, Address.topic("t"), name, null, false), 0);
        }
        long each = (long) Memory.QUEUE_OVERHEAD + Memory.FILTER_OVERHEAD;
        assertThat(used()).isEqualTo(QUEUES * each);
        broker.crash();
        assertThat(used()).isEqualTo(QUEUES * each);
        TestSession again = broker.session(broker.connect("c"));
        for (int i = 1; i <= QUEUES; i++) {
            again.port.deleteSubscription(new SubscriptionName("c", "s" + i), new TestSession.Result());
        }
        again.flushed(new TestSession.Result());
        broker.settle();
        assertThat(used()).isZero();
    }

    /** Rather than pause producers for ever, or fill the heap. */
    @Test
    void noMoreQueuesAreMadeThanLeaveRoomForMessages() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.MEMORY_MAX, 1 << 20));
        TestSession session = broker.session();
        int made = 0;
        TestSession.Result refused = session.subscribe(1, "q1", 1);
        while (refused.code() == null && made < 2_000) {
            made++;
            refused = session.subscribe(made + 1, "q" + (made + 1), 1);
            session.receive();
        }
        assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(made).isBetween(500, 700);
        assertThat(session.send("other", "m").code()).as("a queue more").isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        TestSession.Result sent = session.send("q1", "m");
        assertThat(session.receive()).hasSize(1);
        assertThat(sent.done).isTrue();
    }

    @Test
    void allEntriesOfAMessageCount() {
        TestSession session = broker.session();
        for (int i = 1; i <= QUEUES; i++) {
            session.subscribe(Subscribe.to(i, Address.topic("t")), 0);
        }
        long before = used();
        session.send(MessageBuilder.to(Address.topic("t")).text("m").build());
        session.receive();
        assertThat(used() - before).isBetween(QUEUES * 104L, QUEUES * 104L + 400);
    }
}
