package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionFilter.Retained;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages that topics retain. */
final class RetainedTest {
    private static final SubscriptionName NAME = new SubscriptionName("device", "mqtt");
    private static final Address QUEUE = Address.subscription(NAME);

    private TestBroker broker = new TestBroker();
    private TestSession session = device();

    private TestSession device() {
        return broker.session(broker.connect("device"));
    }

    private static MessageBuilder retain(String topic, String text) {
        return MessageBuilder.to(Address.topic(topic)).text(text).retain(true);
    }

    private void change(QueueChange change) {
        TestSession.Result result = new TestSession.Result();
        session.port.changeQueue(change, result);
        session.flushed(result);
        assertThat(result.cause).isNull();
    }

    private void declare(boolean durable) {
        change(new QueueChange.Declare(new SubscriptionQueue(NAME, durable, SubscriptionQueue.FOREVER, 0)));
    }

    private void add(String topic, long options, Retained retained) {
        change(new QueueChange.AddFilter(
                NAME,
                new SubscriptionFilter(Address.pattern(AddressKind.TOPIC, topic), null, false, options, retained)));
    }

    private List<String> seen() {
        return session.receive().stream()
                .map(d -> d.message().text() + d.filters() + (d.message().retained() ? "r" : ""))
                .toList();
    }

    private long records(int type) {
        return broker.disk.values().stream().filter(r -> r.type() == type).count();
    }

    @Test
    void aSubscriberGetsWhatWasRetainedByPatternMarkedAsSuch() {
        session.send(retain("a.b", "old").build());
        session.send(retain("a.b", "ab").build());
        session.send(retain("a.c", "ac").build());
        session.send(retain("b", "b").build());
        declare(false);
        session.subscribe(Subscribe.to(1, QUEUE), 100);
        add("a.>", 1, Retained.ALWAYS);
        add("a.b", 2, Retained.ALWAYS);
        add("b", 3, Retained.NEVER);
        session.send(retain("a.b", "live").build());
        List<Delivery> received = session.receive();
        assertThat(received.stream()
                        .map(d -> d.message().text() + d.filters() + d.message().retained()))
                .containsExactly("ab[1]true", "ac[1]true", "ab[2]true", "live[1, 2]false");
        assertThat(received).allMatch(d -> d.message().retain());
    }

    @Test
    void ifNewAsksOnlyForAFilterThatWasNotThere() {
        session.send(retain("a", "1").build());
        declare(false);
        session.subscribe(Subscribe.to(1, QUEUE), 100);
        add("a", 1, Retained.IF_NEW);
        add("a", 2, Retained.IF_NEW);
        assertThat(seen()).containsExactly("1[1]r");
        add("a", 3, Retained.ALWAYS);
        assertThat(seen()).containsExactly("1[3]r");
    }

    @Test
    void aMessageWithoutBodyEndsIt() {
        session.send(retain("a", "1").build());
        broker.settle();
        assertThat(records(62)).isOne();
        session.send(retain("a", "").build());
        broker.settle();
        assertThat(records(62)).isZero();
        declare(false);
        session.subscribe(Subscribe.to(1, QUEUE), 100);
        add("a", 1, Retained.ALWAYS);
        assertThat(seen()).isEmpty();
        session.send(retain("a", "").build());
        assertThat(seen()).as("those who subscribe get it").containsExactly("[1]");
        assertThat(broker.engine.memoryUsed()).isPositive();
    }

    @Test
    void itSurvivesACrashIfItIsPersistentAlsoFromATransaction() {
        session.send(retain("a", "gone").persistent(false).build());
        session.send(retain("b", "kept").build());
        session.begin(1);
        session.send(retain("c", "committed").build(), 1);
        session.send(retain("b", "later").build(), 1);
        session.commit(1);
        session.begin(2);
        session.send(retain("c", "rolled back").build(), 2);
        session.rollback(2);
        broker.settle();
        broker.crash();
        session = device();
        declare(true);
        session.subscribe(Subscribe.to(1, QUEUE), 100);
        add(">", 1, Retained.ALWAYS);
        assertThat(seen()).containsExactly("later[1]r", "committed[1]r");
    }

    @Test
    void itExpires() {
        session.send(retain("a", "1").expiryMs(broker.nowMs + 100).build());
        session.send(retain("b", "2").expiryMs(broker.nowMs + 200).build());
        broker.settle();
        assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 100);
        broker.nowMs += 100;
        broker.settle();
        assertThat(records(62)).isOne();
        declare(false);
        session.subscribe(Subscribe.to(1, QUEUE), 100);
        add("*", 1, Retained.ALWAYS);
        assertThat(seen()).containsExactly("2[1]r");
    }

    @Test
    void thereAreOnlySoMany() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.RETAINED_MAX, 1));
        session = device();
        session.send(retain("a", "1").build());
        TestSession.Result second = session.send(retain("b", "1").build());
        TestSession.Result replaced = session.send(retain("a", "2").build());
        session.receive();
        assertThat(second.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(replaced.cause).isNull();
    }

    @Test
    void aHundredThousandReachASlowSubscriberThoughFewWaitAtATime() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.RETAINED_AHEAD, 50).with(Limit.TURN_SCAN, 1000));
        session = device();
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            session.port.send(
                    dev.turnstone.port.Send.of(retain("t." + i % 300 + "." + i, "m" + i)
                            .persistent(false)
                            .build()),
                    new TestSession.Result());
            if (i % 100 == 0) {
                session.port.flush();
                broker.run();
            }
        }
        session.flushed(new TestSession.Result());
        long before = broker.engine.memoryUsed();
        declare(true);
        session.subscribe(Subscribe.to(1, QUEUE), 0);
        add("t.>", 1, Retained.ALWAYS);
        Set<String> seen = new HashSet<>();
        long last = 0;
        while (seen.size() < count) {
            session.port.credit(1, 1000);
            session.flushed(new TestSession.Result());
            List<Delivery> received = session.receive();
            assertThat(received).as("after %d", seen.size()).isNotEmpty();
            received.forEach(d -> assertThat(seen.add(d.message().text())).isTrue());
            last = received.get(received.size() - 1).number();
            assertThat(broker.engine.memoryUsed() - before).isLessThan(1_000_000);
            session.settle(new Settle(1, 1, last, Outcome.ACCEPTED, 0));
        }
        assertThat(last).isEqualTo(count);
    }

    @Test
    void aCrashInBetweenNeitherLosesNorRepeatsThoseOfADurableQueue() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.RETAINED_AHEAD, 10));
        session = device();
        for (int i = 0; i < 100; i++) {
            session.send(retain("t." + i, "m" + i).build());
        }
        declare(true);
        add("t.*", 7, Retained.ALWAYS);
        List<String> texts = new ArrayList<>();
        int crashes = 0;
        while (texts.size() < 100) {
            session.subscribe(Subscribe.to(1, QUEUE), 15);
            List<Delivery> received = session.receive();
            assertThat(received).isNotEmpty().allMatch(d -> d.filters().equals(List.of(7L)));
            received.forEach(d -> {
                texts.add(d.message().text());
                session.settle(d, Outcome.ACCEPTED);
            });
            broker.settle();
            broker.crash();
            crashes++;
            session = device();
        }
        assertThat(texts).doesNotHaveDuplicates().hasSize(100);
        assertThat(crashes).isGreaterThan(5);
        assertThat(records(1)).isZero();
    }

    @Test
    void whatIsRetainedAfterwardsComesOnceAndLive() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.RETAINED_AHEAD, 1));
        session = device();
        for (int i = 0; i < 5; i++) {
            session.send(retain("t." + i, "old" + i).build());
        }
        declare(true);
        add("t.*", 1, Retained.ALWAYS);
        session.send(retain("t.3", "new3").build());
        session.send(retain("t.9", "new9").build());
        session.subscribe(Subscribe.to(1, QUEUE), 100);
        assertThat(seen())
                .containsExactlyInAnyOrder("old0[1]r", "old1[1]r", "old2[1]r", "old4[1]r", "new3[1]", "new9[1]");
    }
}
