package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NonDestructiveTest {
    private static final AddressRules RULES = AddressRules.DEFAULTS
            .with("q", AddressSetting.NON_DESTRUCTIVE, true)
            .with("q", AddressSetting.MAX_ATTEMPTS, 2);

    private TestBroker broker = new TestBroker(RULES);
    private TestSession sender = broker.session();

    private TestSession reader(int credit) {
        TestSession session = broker.session();
        session.subscribe(1, "q", credit);
        return session;
    }

    private static List<String> take(TestSession session) {
        List<String> texts = new ArrayList<>();
        for (List<Delivery> some = session.receive(); !some.isEmpty(); some = session.receive()) {
            some.forEach(delivery -> {
                texts.add(delivery.message().text());
                session.settle(delivery, Outcome.ACCEPTED);
            });
        }
        return texts;
    }

    private void send(String... texts) {
        for (String text : texts) {
            sender.send("q", text);
        }
    }

    @Test
    void eachConsumerReadsEverythingAndNothingIsConsumed() {
        send("a", "b");
        TestSession first = reader(10);
        assertThat(take(first)).containsExactly("a", "b");
        TestSession second = reader(10);
        assertThat(take(second)).containsExactly("a", "b");
        send("c");
        assertThat(take(first)).containsExactly("c");
        assertThat(take(second)).containsExactly("c");
        broker.crash();
        assertThat(take(reader(10))).containsExactly("a", "b", "c");
    }

    @Test
    void whatFailsIsReadAgainByTheSameConsumerOnly() {
        send("a", "b");
        TestSession first = reader(1);
        TestSession second = reader(10);
        assertThat(take(second)).containsExactly("a", "b");
        for (int i = 1; i <= 4; i++) {
            Delivery delivery = first.receive().get(0);
            assertThat(delivery.message().text()).isEqualTo("a");
            assertThat(delivery.deliveryCount()).isEqualTo(i);
            first.settle(delivery, Outcome.MODIFIED);
            first.port.credit(1, 1);
            first.flushed(new TestSession.Result());
        }
        assertThat(second.receive()).isEmpty();
    }

    @Test
    void aRollbackReadsAgain() {
        send("a", "b");
        TestSession reader = reader(2);
        List<Delivery> both = reader.receive();
        reader.begin(1);
        both.forEach(delivery -> reader.accept(delivery, 1));
        reader.rollback(1);
        reader.port.credit(1, 2);
        reader.flushed(new TestSession.Result());
        List<Delivery> again = reader.receive();
        assertThat(again).extracting(d -> d.message().text()).containsExactly("a", "b");
        assertThat(again).allMatch(Delivery::redelivered);
        reader.begin(2);
        again.forEach(delivery -> reader.accept(delivery, 2));
        assertThat(reader.commit(2).cause).isNull();
        assertThat(take(reader(10))).containsExactly("a", "b");
    }

    @Test
    void withLastValuesItIsATableOfWhichReadersSeeEveryChange() {
        broker = new TestBroker(
                LastValueTest.tight(), Security.OPEN, RULES.with("q", AddressSetting.LAST_VALUE_KEY, "key"));
        sender = broker.session();
        for (int i = 0; i < 300; i++) {
            sender.send(TestSession.text("q", "v" + i).property("key", i % 100).build());
        }
        broker.settle();
        TestSession reader = reader(20);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 20 && texts.size() < 100; i++) {
            texts.addAll(take(reader));
            reader.port.credit(1, 20);
            reader.flushed(new TestSession.Result());
        }
        assertThat(texts).hasSize(100).startsWith("v200").endsWith("v299");
        sender.send(TestSession.text("q", "new").property("key", 50).build());
        assertThat(take(reader)).containsExactly("new");
        reader.connection.close();
        broker.settle();
        assertThat(take(reader(1000))).hasSize(100).doesNotContain("v250").contains("new");
    }

    @Test
    void aRingIsAWindow() {
        broker = new TestBroker(Limits.DEFAULTS, Security.OPEN, RULES.with("q", AddressSetting.RING_SIZE, 2));
        sender = broker.session();
        send("a", "b", "c");
        TestSession reader = reader(10);
        assertThat(take(reader)).containsExactly("b", "c");
        send("d");
        assertThat(take(reader)).containsExactly("d");
        assertThat(take(reader(10))).containsExactly("c", "d");
    }

    @Test
    void selectorsAndTimeHoldForReaders() {
        sender.send(TestSession.text("q", "old").expiryMs(broker.nowMs + 100).build());
        sender.send(TestSession.text("q", "low").priority(1).build());
        sender.send(TestSession.text("q", "high").priority(8).build());
        sender.send(TestSession.text("q", "later")
                .deliveryTimeMs(broker.nowMs + 500)
                .build());
        TestSession low = broker.session();
        low.subscribe(new Subscribe(1, Address.queue("q"), null, "JMSPriority < 5", false), 10);
        assertThat(take(low)).containsExactly("old", "low");
        broker.nowMs += 200;
        TestSession all = reader(10);
        assertThat(take(all)).containsExactly("high", "low");
        broker.nowMs += 1_000;
        assertThat(take(all)).containsExactly("later");
    }

    @Test
    void aReaderThatLeavesLeavesNothingBehind() {
        send("a", "b", "c");
        TestSession reader = reader(10);
        reader.receive();
        reader.connection.close();
        broker.settle();
        assertThat(broker.report().details())
                .singleElement()
                .satisfies(report -> assertThat(report.depth()).isEqualTo(3));
        broker.configure(AddressRules.DEFAULTS);
        assertThat(take(reader(10))).containsExactly("a", "b", "c");
        assertThat(broker.report().details())
                .singleElement()
                .satisfies(report -> assertThat(report.depth()).isZero());
    }
}
