package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Consumers with a selector that are made anew for each message. */
final class SelectorConsumersTest {
    private static final int SCAN = 100;
    private static final Address QUEUE = Address.queue("q");

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.TURN_SCAN, SCAN));
    private final TestSession session = broker.session();
    private int consumer;

    private void send(int many, String type) {
        for (int i = 0; i < many; i++) {
            session.send(MessageBuilder.to(QUEUE)
                    .type(type)
                    .text(type + i)
                    .persistent(false)
                    .build());
        }
        session.receive();
    }

    /** Subscribes, takes what there is with this credit, and leaves. */
    private List<String> takeAnew(@Nullable String selector, int credit) {
        session.subscribe(new Subscribe(++consumer, QUEUE, null, selector, false), credit);
        List<Delivery> received = session.receive();
        if (!received.isEmpty()) {
            session.settle(new Settle(consumer, 1, credit, Outcome.ACCEPTED, Session.NO_TRANSACTION));
        }
        session.port.unsubscribe(consumer, credit, new TestSession.Result());
        session.port.flush();
        session.receive();
        return received.stream().map(d -> String.valueOf(d.message().text())).toList();
    }

    @Test
    void lookAtWhatDoesNotMatchOnceAltogether() {
        send(20_000, "other");
        send(10, "mine");
        assertThat(takeAnew("JMSType = 'mine'", 1)).containsExactly("mine0");
        int turns = broker.turns;
        for (int i = 1; i < 10; i++) {
            assertThat(takeAnew("JMSType = 'mine'", 1)).containsExactly("mine" + i);
        }
        assertThat(broker.turns - turns).isLessThan(20_000 / SCAN);
    }

    @Test
    void getWhatCameBackAfterTheConsumerBeforeThemHadLeft() {
        send(5, "other");
        send(3, "mine");
        TestSession first = broker.session();
        first.subscribe(new Subscribe(1, QUEUE, null, "JMSType = 'mine'", false), 2);
        assertThat(first.texts()).containsExactly("mine0", "mine1");
        first.port.unsubscribe(1, 2, new TestSession.Result());
        first.flushed(new TestSession.Result());
        assertThat(takeAnew("JMSType = 'mine'", 1)).containsExactly("mine2");
        first.port.close(new TestSession.Result());
        broker.settle();
        assertThat(takeAnew("JMSType = 'mine'", 5)).containsExactly("mine0", "mine1");
    }

    @Test
    void ofAnotherSelectorLookForThemselves() {
        send(3, "other");
        send(1, "mine");
        assertThat(takeAnew("JMSType = 'mine'", 1)).containsExactly("mine0");
        assertThat(takeAnew("JMSType = 'other'", 1)).containsExactly("other0");
        assertThat(takeAnew("JMSType <> 'mine'", 1)).containsExactly("other1");
        assertThat(takeAnew(null, 5)).containsExactly("other2");
        send(1, "mine");
        assertThat(takeAnew("JMSType = 'mine'", 1)).containsExactly("mine0");
    }

    @Test
    void areServedThoughManyOthersWithOtherSelectorsCameBetween() {
        send(3, "mine");
        assertThat(takeAnew("JMSType = 'mine'", 1)).containsExactly("mine0");
        for (int i = 0; i < 20; i++) {
            assertThat(takeAnew("JMSType = 'none" + i + "'", 1)).isEmpty();
        }
        assertThat(takeAnew("JMSType = 'mine'", 1)).containsExactly("mine1");
    }
}
