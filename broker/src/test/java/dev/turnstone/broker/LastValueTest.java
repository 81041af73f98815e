package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LastValueTest {
    private static final AddressRules RULES = AddressRules.DEFAULTS.with("q", AddressSetting.LAST_VALUE_KEY, "key");

    private TestBroker broker = new TestBroker(RULES);
    private TestSession session = broker.session();

    private void put(String key, String value) {
        session.send(TestSession.text("q", value).property("key", key).build());
    }

    private List<String> all() {
        TestSession reader = broker.session();
        reader.subscribe(1, "q", 1_000_000);
        List<String> texts = new ArrayList<>();
        for (List<Delivery> some = reader.receive(); !some.isEmpty(); some = reader.receive()) {
            some.forEach(delivery -> {
                texts.add(delivery.message().text());
                reader.settle(delivery, Outcome.ACCEPTED);
            });
        }
        return texts;
    }

    @Test
    void anUpdateReplacesWhatNobodyHasBeenGiven() {
        put("a", "a1");
        put("b", "b1");
        put("a", "a2");
        session.send("q", "without key");
        session.send("q", "without key too");
        assertThat(all()).containsExactly("b1", "a2", "without key", "without key too");
        assertThat(broker.report().flow().dropped()).isEqualTo(1);
    }

    @Test
    void whatIsDeliveredStaysAndLeavesWhenItComesBackBehindANewerOne() {
        put("a", "a1");
        session.subscribe(1, "q", 1);
        Delivery first = session.receive().get(0);
        put("a", "a2");
        session.settle(first, Outcome.MODIFIED);
        assertThat(all()).containsExactly("a2");
    }

    @Test
    void whatComesBackAndIsTheLastStays() {
        put("a", "a1");
        session.subscribe(1, "q", 1);
        Delivery first = session.receive().get(0);
        session.settle(first, Outcome.RELEASED);
        put("b", "b1");
        session.connection.close();
        assertThat(all()).containsExactly("a1", "b1");
    }

    @Test
    void theLastOfATransactionCountsAndARollbackNothing() {
        put("a", "a1");
        session.begin(1);
        session.send(TestSession.text("q", "a2").property("key", "a").build(), 1);
        session.send(TestSession.text("q", "a3").property("key", "a").build(), 1);
        session.commit(1);
        session.begin(2);
        session.send(TestSession.text("q", "a4").property("key", "a").build(), 2);
        session.rollback(2);
        assertThat(all()).containsExactly("a3");
    }

    @Test
    void aRestartKeepsTheLastValuesAndGoesOnReplacingThem() {
        put("a", "a1");
        put("b", "b1");
        put("a", "a2");
        broker.settle();
        broker.crash();
        session = broker.session();
        put("b", "b2");
        assertThat(all()).containsExactly("a2", "b2");
    }

    @Test
    void numbersAndTextsAreTheSameKey() {
        session.send(TestSession.text("q", "1").property("key", 7).build());
        session.send(TestSession.text("q", "2").property("key", "7").build());
        assertThat(all()).containsExactly("2");
    }

    @Test
    void valuesInPagesAreReplacedToo() {
        broker = new TestBroker(tight(), Security.OPEN, RULES);
        session = broker.session();
        for (int round = 1; round <= 3; round++) {
            for (int key = 0; key < 200; key++) {
                put("k" + key, "k" + key + "=" + round);
            }
            broker.settle();
        }
        assertThat(broker.pageDisk).isNotEmpty();
        broker.crash();
        session = broker.session();
        for (int key = 0; key < 200; key += 2) {
            put("k" + key, "k" + key + "=4");
        }
        broker.settle();
        broker.crash();
        List<String> texts = all();
        assertThat(texts).hasSize(200).doesNotHaveDuplicates();
        assertThat(texts).filteredOn(text -> text.endsWith("=4")).hasSize(100);
        assertThat(texts).filteredOn(text -> text.endsWith("=3")).hasSize(100);
        broker.settle();
        broker.settle();
        assertThat(broker.pageDisk).isEmpty();
    }

    static Limits tight() {
        return Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 8_000).with(Limit.PAGE_BYTES, 2_000);
    }

    @Test
    void aPreparedCopyIsNotReplaced() {
        put("a", "a1");
        session.subscribe(1, "q", 1);
        Delivery first = session.receive().get(0);
        session.begin(1);
        session.accept(first, 1);
        put("a", "a2");
        session.commit(1);
        assertThat(first.message().text()).isEqualTo("a1");
        session.port.close(new TestSession.Result());
        session.flushed(new TestSession.Result());
        assertThat(all()).containsExactly("a2");
        assertThat(Session.NO_TRANSACTION).isZero();
    }
}
