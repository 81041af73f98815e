package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.DeadLetter;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeadLetterTest {
    private static final AddressRules THREE = AddressRules.DEFAULTS
            .with("queue:q", AddressSetting.MAX_ATTEMPTS, 3)
            .with("queue:q", AddressSetting.DEAD_LETTER, "queue:dead")
            .with("queue:q", AddressSetting.EXPIRY, "queue:expired");

    private TestBroker broker = new TestBroker(THREE);
    private TestSession session = broker.session();

    private void with(AddressRules rules) {
        broker = new TestBroker(rules);
        session = broker.session();
    }

    private List<Delivery> all(String queue) {
        TestSession next = broker.session();
        next.subscribe(1, queue, 1000);
        List<Delivery> all = next.receive();
        next.connection.close();
        broker.settle();
        return all;
    }

    private Delivery next() {
        session.port.credit(1, 1);
        session.flushed(new TestSession.Result());
        return session.receive().get(0);
    }

    private void fail(int times) {
        session.subscribe(1, "q", 0);
        for (int i = 0; i < times; i++) {
            session.settle(Settle.one(next(), Outcome.MODIFIED).because("failure " + (i + 1)));
        }
        broker.settle();
    }

    @Test
    void afterItsLastAttemptAMessageGoesToTheDeadLetterAddressAndSaysWhy() {
        Message sent = TestSession.text("q", "m")
                .id("ID:1")
                .property("colour", "red")
                .priority(7)
                .expiryMs(broker.nowMs + 1000)
                .build();
        session.send(sent);
        fail(3);
        assertThat(all("q")).isEmpty();
        broker.crash();
        Delivery dead = all("dead").get(0);
        assertThat(dead.message().id()).isEqualTo("ID:1");
        assertThat(dead.message().text()).isEqualTo("m");
        assertThat(dead.message().priority()).isEqualTo(7);
        assertThat(dead.message().expiryMs()).isZero();
        assertThat(dead.message().address()).isEqualTo(Address.queue("dead"));
        assertThat(dead.message().properties())
                .containsEntry("colour", "red")
                .containsEntry(DeadLetter.REASON, "attempts")
                .containsEntry(DeadLetter.ORIGINAL_ADDRESS, "queue:q")
                .containsEntry(DeadLetter.ORIGINAL_EXPIRATION, broker.nowMs + 1000)
                .containsEntry(DeadLetter.ATTEMPTS, 3)
                .containsEntry(DeadLetter.EXCEPTION, "failure 3");
        assertThat(dead.redelivered()).isFalse();
    }

    @Test
    void oneAttemptBeforeItIsStillThereWithItsAttempts() {
        session.send("q", "m");
        fail(2);
        broker.crash();
        assertThat(all("dead")).isEmpty();
        assertThat(all("q")).extracting(Delivery::deliveryCount).containsExactly(3);
    }

    @Test
    void byDefaultThereAreTenAttempts() {
        with(AddressRules.DEFAULTS);
        session.send("q", "m");
        fail(9);
        assertThat(all("DLQ")).isEmpty();
        fail(1);
        assertThat(all("DLQ")).hasSize(1);
    }

    @Test
    void whatNoApplicationSawOrLostItsConnectionDoesNotCount() {
        session.send("q", "m");
        for (int i = 0; i < 5; i++) {
            assertThat(all("q")).hasSize(1);
        }
        session.subscribe(1, "q", 0);
        for (int i = 0; i < 5; i++) {
            session.settle(next(), i % 2 == 0 ? Outcome.INTERRUPTED : Outcome.RELEASED);
        }
        assertThat(next().deliveryCount()).isEqualTo(2);
    }

    @Test
    void aRejectedMessageGoesThereAtOnce() {
        session.send("q", "m");
        session.subscribe(1, "q", 0);
        session.settle(Settle.one(next(), Outcome.REJECTED).because("x".repeat(2000)));
        Delivery dead = all("dead").get(0);
        assertThat(dead.message().property(DeadLetter.REASON)).isEqualTo("rejected");
        assertThat(dead.message().property(DeadLetter.EXCEPTION)).isEqualTo("x".repeat(1024));
        assertThat(dead.message().property(DeadLetter.ATTEMPTS)).isEqualTo(1);
    }

    @Test
    void aDeadLetterKeepsItsGroupAndWaitsForWhoHasThatThere() {
        session.subscribe(1, "dead", 1);
        for (String text : List.of("a", "b")) {
            session.send(TestSession.text("q", text).group("g", 0).build());
        }
        TestSession failing = broker.session();
        failing.subscribe(1, "q", 2);
        failing.receive().forEach(delivery -> failing.settle(delivery, Outcome.REJECTED));
        assertThat(session.texts()).containsExactly("a");
        TestSession other = broker.session();
        other.subscribe(1, "dead", 10);
        assertThat(other.texts()).isEmpty();
        assertThat(next().message().group()).isEqualTo("g");
    }

    @Test
    void inATransactionARejectedMessageGoesThereWithTheCommit() {
        session.send("q", "a");
        session.send("q", "b");
        session.subscribe(1, "q", 0);
        session.begin(1);
        session.settle(new Settle(1, next().number(), 1, Outcome.REJECTED, 1).because("bad"));
        session.rollback(1);
        assertThat(all("dead")).isEmpty();
        session.begin(2);
        long number = next().number();
        session.settle(new Settle(1, number, number, Outcome.REJECTED, 2).because("bad"));
        assertThat(all("dead")).isEmpty();
        session.commit(2);
        assertThat(all("dead")).extracting(d -> d.message().text()).containsExactly("a");
        assertThat(all("dead").get(0).message().property(DeadLetter.EXCEPTION)).isEqualTo("bad");
        assertThat(all("q")).extracting(d -> d.message().text()).containsExactly("b");
    }

    @Test
    void aRollbackCountsAndMovesWhatHasFailedTooOften() {
        session.send("q", "a");
        session.subscribe(1, "q", 0);
        for (long transaction = 1; transaction <= 3; transaction++) {
            session.begin(transaction);
            session.accept(next(), transaction);
            session.rollback(transaction);
        }
        assertThat(all("dead")).hasSize(1);
    }

    @Test
    void nothingIsMovedOutOfADeadLetterAddress() {
        broker = new TestBroker(AddressRules.DEFAULTS
                .with(">", AddressSetting.MAX_ATTEMPTS, 1)
                .with(">", AddressSetting.DEAD_LETTER, "queue:q"));
        session = broker.session();
        session.send("q", "m");
        fail(3);
        session.settle(next(), Outcome.REJECTED);
        assertThat(all("q")).extracting(Delivery::deliveryCount).containsExactly(5);
    }

    @Test
    void withoutADeadLetterAddressItIsDropped() {
        with(THREE.with("queue:q", AddressSetting.DEAD_LETTER, "none"));
        session.send("q", "a");
        fail(3);
        session.send("q", "b");
        session.settle(next(), Outcome.REJECTED);
        broker.settle();
        assertThat(all("q")).isEmpty();
        assertThat(all("DLQ")).isEmpty();
        assertThat(broker.engine.memoryUsed()).isZero();
    }

    @Test
    void movesKeepTheOrderOfTheSourceAndACrashAmongThemLosesAndDoublesNothing() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.TURN_DELIVERIES, 2), Security.OPEN, THREE);
        session = broker.session();
        for (int i = 1; i <= 5; i++) {
            session.send("q", "m" + i);
        }
        session.subscribe(1, "q", 5);
        session.receive();
        session.port.settle(new Settle(1, 1, 5, Outcome.REJECTED, Session.NO_TRANSACTION), new TestSession.Result());
        session.port.flush();
        broker.engine.drain();
        broker.journal.sync();
        broker.crash();
        assertThat(all("q")).isEmpty();
        assertThat(all("dead")).extracting(d -> d.message().text()).containsExactly("m1", "m2", "m3", "m4", "m5");
        broker.crash();
        assertThat(all("dead")).hasSize(5);
        assertThat(all("q")).isEmpty();
    }

    @Test
    void whatIsToGoGoesAfterACrashThoughItIsInAPageAndNobodyConsumes() {
        Limits small = Limits.DEFAULTS
                .with(Limit.TURN_DELIVERIES, 2)
                .with(Limit.ADDRESS_MEMORY_MAX, 6_000)
                .with(Limit.PAGE_BYTES, 2_000);
        broker = new TestBroker(small, Security.OPEN, THREE.with("queue:q", AddressSetting.MAX_ATTEMPTS, 2));
        session = broker.session();
        for (int i = 1; i <= 60; i++) {
            session.send("q", "m" + i);
            broker.settle();
        }
        broker.crash();
        session = broker.session();
        session.subscribe(1, "q", 44);
        List<Delivery> given = new ArrayList<>();
        while (given.size() < 44) {
            broker.settle();
            given.addAll(session.receive());
        }
        session.port.settle(new Settle(1, 41, 44, Outcome.REJECTED, Session.NO_TRANSACTION), new TestSession.Result());
        session.port.flush();
        broker.engine.drain();
        broker.journal.sync();
        broker.crash();
        assertThat(all("dead")).extracting(d -> d.message().text()).containsExactly("m41", "m42", "m43", "m44");
        assertThat(broker.report().details())
                .anyMatch(report -> report.address().name().equals("q") && report.depth() == 56);
    }

    @Test
    void aMessageExpiresAtItsTimeWithoutAnyConsumer() {
        session.send(TestSession.text("q", "m").expiryMs(broker.nowMs + 100).build());
        session.send(TestSession.text("other", "m").expiryMs(broker.nowMs + 100).build());
        broker.settle();
        assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 100);
        broker.nowMs += 99;
        assertThat(all("expired")).isEmpty();
        broker.nowMs++;
        broker.settle();
        Delivery expired = all("expired").get(0);
        assertThat(expired.message().properties())
                .containsEntry(DeadLetter.REASON, "expired")
                .containsEntry(DeadLetter.ATTEMPTS, 0)
                .containsEntry(DeadLetter.ORIGINAL_EXPIRATION, broker.nowMs);
        assertThat(all("q")).isEmpty();
        assertThat(all("other")).isEmpty();
        broker.nowMs += 1000;
        broker.crash();
        assertThat(all("expired")).hasSize(1);
    }

    @Test
    void whatATransactionMovesIsSeenByNobodyBeforeItsCommitIsDurable() {
        session.send(fleeting("rejected", 0));
        session.subscribe(1, "q", 0);
        Delivery delivery = next();
        TestSession dead = broker.session();
        dead.subscribe(1, "dead", 10);
        TestSession expired = broker.session();
        expired.subscribe(1, "expired", 10);
        broker.settle();
        session.begin(1);
        session.send(TestSession.text("other", "durable").build(), 1);
        session.send(fleeting("expired", broker.nowMs + 1), 1);
        session.settle(new Settle(1, delivery.number(), delivery.number(), Outcome.REJECTED, 1));
        session.commit(1);
        broker.nowMs++;
        broker.run();
        dead.drain();
        expired.drain();
        assertThat(dead.deliveries).isEmpty();
        assertThat(expired.deliveries).isEmpty();
        assertThat(dead.texts()).containsExactly("rejected");
        assertThat(expired.texts()).containsExactly("expired");
    }

    private static Message fleeting(String text, long expiryMs) {
        return TestSession.text("q", text).persistent(false).expiryMs(expiryMs).build();
    }

    @Test
    void whatIsWithAConsumerExpiresWhenItReturns() {
        session.send(TestSession.text("q", "m").expiryMs(broker.nowMs + 100).build());
        session.subscribe(1, "q", 0);
        Delivery delivery = next();
        broker.nowMs += 1000;
        broker.settle();
        assertThat(all("expired")).isEmpty();
        session.settle(delivery, Outcome.RELEASED);
        assertThat(all("expired")).hasSize(1);
        assertThat(all("q")).isEmpty();
    }

    @Test
    void aFailedMessageWaitsLongerEachTimeUpToACeiling() {
        with(AddressRules.DEFAULTS
                .with("queue:q", AddressSetting.REDELIVERY_DELAY_MS, 100)
                .with("queue:q", AddressSetting.REDELIVERY_MULTIPLIER, 3)
                .with("queue:q", AddressSetting.REDELIVERY_DELAY_MAX_MS, 500));
        session.send("q", "a");
        session.send("q", "b");
        session.subscribe(1, "q", 0);
        for (int delayMs : new int[] {100, 300, 500, 500}) {
            Delivery delivery = next();
            assertThat(delivery.message().text()).isEqualTo("a");
            session.settle(delivery, Outcome.MODIFIED);
            broker.nowMs += delayMs - 1;
            broker.settle();
            assertThat(all("q")).extracting(d -> d.message().text()).containsExactly("b");
            assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 1);
            broker.nowMs++;
            broker.settle();
        }
        assertThat(all("q")).extracting(d -> d.message().text()).containsExactly("a", "b");
    }

    @Test
    void newSettingsHoldForQueuesThatExist() {
        session.send("q", "m");
        fail(2);
        broker.engine.configure(AddressRules.DEFAULTS);
        broker.settle();
        fail(1);
        assertThat(all("dead")).isEmpty();
        assertThat(all("q")).hasSize(1);
    }

    /** Whatever protocol gave it: an MQTT client that sends a dead letter on sends its user properties, too. */
    @ParameterizedTest
    @ValueSource(strings = {DedupId.PROPERTY, DedupId.HEADER})
    void aDeadLetterHasNoIdentityOfItsSendersAnyMore(String property) {
        session.send(TestSession.text("q", "m").property(property, "order 1").build());
        fail(3);
        Message dead = all("dead").get(0).message();
        assertThat(dead.property(property)).isNull();
        assertThat(dead.property(DeadLetter.ORIGINAL_DEDUP_ID)).isEqualTo("order 1");
    }
}
