package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Subscribe;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConsumerOptionsTest {
    private static final ConsumerOptions EXCLUSIVE = ConsumerOptions.DEFAULTS.exclusive(true);

    private TestBroker broker = new TestBroker();
    private TestSession sender = broker.session();

    private TestSession consumer(ConsumerOptions options, int credit) {
        TestSession session = broker.session();
        session.subscribe(Subscribe.to(1, Address.queue("q")).with(options), credit);
        return session;
    }

    private void send(String... texts) {
        for (String text : texts) {
            sender.send("q", text);
        }
    }

    private static List<String> texts(TestSession session) {
        return session.texts();
    }

    @Test
    void anExclusiveConsumerGetsEverythingAndTheNextOneTakesOver() {
        TestSession any = consumer(ConsumerOptions.DEFAULTS, 100);
        send("a");
        assertThat(texts(any)).containsExactly("a");
        TestSession first = consumer(EXCLUSIVE, 100);
        TestSession second = consumer(EXCLUSIVE, 100);
        send("b", "c");
        assertThat(texts(first)).containsExactly("b", "c");
        assertThat(texts(second)).isEmpty();
        first.connection.close();
        broker.settle();
        send("d");
        assertThat(texts(second)).containsExactly("b", "c", "d");
        second.connection.close();
        broker.settle();
        assertThat(texts(any)).containsExactly("b", "c", "d");
    }

    @Test
    void whoIsOfLowerPriorityWaitsUntilThoseOfHigherHaveLookedAtEverything() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.TURN_SCAN, 8));
        sender = broker.session();
        TestSession low = consumer(ConsumerOptions.DEFAULTS, 100);
        for (int i = 0; i < 40; i++) {
            send("m" + i);
        }
        assertThat(low.receive()).hasSize(40);
        TestSession high = broker.session();
        high.port.subscribe(
                Subscribe.to(1, Address.queue("q")).with(ConsumerOptions.DEFAULTS.priority(1)),
                new TestSession.Result());
        high.port.credit(1, 10);
        high.port.send(
                new Send(TestSession.text("q", "late").build(), Session.NO_TRANSACTION), new TestSession.Result());
        high.flushed(new TestSession.Result());
        assertThat(texts(high)).containsExactly("late");
        assertThat(texts(low)).isEmpty();
    }

    @Test
    void othersStandByAlsoWhileTheExclusiveOneHasNoCredit() {
        TestSession first = consumer(EXCLUSIVE, 1);
        TestSession second = consumer(ConsumerOptions.DEFAULTS, 100);
        send("a", "b");
        assertThat(texts(first)).containsExactly("a");
        assertThat(texts(second)).isEmpty();
    }

    @Test
    void anExclusiveQueueHasOneConsumerAtATimeInTheOrderOfTheirComing() {
        broker = new TestBroker(AddressRules.DEFAULTS.with("q", AddressSetting.EXCLUSIVE, true));
        sender = broker.session();
        TestSession first = consumer(ConsumerOptions.DEFAULTS, 100);
        TestSession second = consumer(ConsumerOptions.DEFAULTS, 100);
        TestSession third = consumer(ConsumerOptions.DEFAULTS, 100);
        send("a", "b");
        assertThat(texts(first)).containsExactly("a", "b");
        first.connection.close();
        broker.settle();
        assertThat(texts(second)).containsExactly("a", "b");
        assertThat(texts(third)).isEmpty();
    }

    @Test
    void aHigherPriorityIsServedFirstWhileItHasCredit() {
        TestSession low = consumer(ConsumerOptions.DEFAULTS, 100);
        TestSession high = consumer(ConsumerOptions.DEFAULTS.priority(5), 2);
        TestSession lowest = consumer(ConsumerOptions.DEFAULTS.priority(-1), 100);
        send("a", "b", "c", "d");
        assertThat(texts(high)).containsExactly("a", "b");
        assertThat(texts(low)).containsExactly("c", "d");
        assertThat(texts(lowest)).isEmpty();
    }

    @Test
    void prioritiesHoldAmongSelectorsToo() {
        TestSession low = consumer(ConsumerOptions.DEFAULTS, 100);
        TestSession high = broker.session();
        high.subscribe(
                new Subscribe(1, Address.queue("q"), null, "JMSPriority = 4", false)
                        .with(ConsumerOptions.DEFAULTS.priority(9)),
                100);
        send("a", "b", "c");
        assertThat(texts(high)).containsExactly("a", "b", "c");
        assertThat(texts(low)).isEmpty();
    }

    @Test
    void aPriorityOutOfRangeIsRefused() {
        assertThatThrownBy(() -> ConsumerOptions.DEFAULTS.priority(128))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("128");
    }
}
