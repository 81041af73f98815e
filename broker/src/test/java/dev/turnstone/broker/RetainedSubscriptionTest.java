package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.Subscribe.Mode;
import dev.turnstone.port.SubscriptionName;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscriptions that begin with what their topics retain. */
final class RetainedSubscriptionTest {
    private static final SubscriptionName NAME = new SubscriptionName("c", "s");

    private final TestBroker broker = new TestBroker();

    private static MessageBuilder retain(String topic, String text) {
        return MessageBuilder.to(Address.topic(topic)).text(text).retain(true);
    }

    private static Subscribe ask(String topic, @Nullable SubscriptionName name, Mode mode) {
        return new Subscribe(1, Address.pattern(AddressKind.TOPIC, topic), name, null, false, mode)
                .with(ConsumerOptions.DEFAULTS.retained(true));
    }

    private TestSession client() {
        return broker.session(broker.connect("c"));
    }

    private static List<String> seen(TestSession session) {
        List<Delivery> received = session.receive();
        session.settle(new Settle(1, 1, Long.MAX_VALUE, Outcome.ACCEPTED, Session.NO_TRANSACTION));
        return received.stream()
                .map(d -> d.message().text() + (d.message().retained() ? " retained" : ""))
                .toList();
    }

    private void send(MessageBuilder message) {
        TestSession sender = broker.session();
        assertThat(sender.send(message.build()).cause).isNull();
        broker.settle();
    }

    @Test
    void whoeverAsksGetsThemFirstAndThenWhatIsSent() {
        send(retain("a.b", "old"));
        send(retain("a.b", "b"));
        send(retain("a.c", "c"));
        send(retain("z", "z"));
        TestSession session = client();
        session.subscribe(ask("a.*", null, Mode.CONSUME), 100);
        send(retain("a.b", "live"));
        assertThat(seen(session)).containsExactly("b retained", "c retained", "live");
    }

    @Test
    void whatIsRetainedIsSeenByNobodyBeforeItIsDurable() {
        TestSession sender = broker.session();
        sender.send(retain("t", "durable").build());
        sender.port.send(
                Send.of(retain("u", "fleeting").persistent(false).build())
                        .with(List.of(StateChange.put("sent", "u", new byte[1]))),
                new TestSession.Result());
        sender.flushed(new TestSession.Result());
        TestSession session = client();
        session.subscribe(ask("*", null, Mode.CONSUME), 100);
        assertThat(session.deliveries).isEmpty();
        assertThat(seen(session)).containsExactly("durable retained", "fleeting retained");
    }

    @Test
    void whatIsRetainedFromBeforeWaitsForNothing() {
        send(retain("u", "fleeting").persistent(false));
        send(retain("t", "durable"));
        broker.session().send("q", "is on its way");
        TestSession session = client();
        session.subscribe(ask("*", null, Mode.CONSUME), 100);
        assertThat(session.deliveries).hasSize(2);
    }

    @Test
    void whoDoesNotAskGetsNone() {
        send(retain("t", "1"));
        TestSession session = client();
        session.subscribe(Subscribe.to(1, Address.topic("t")), 100);
        send(retain("t", "2"));
        assertThat(seen(session)).containsExactly("2");
    }

    @Test
    void theSelectorHolds() {
        send(retain("t.1", "1").property("n", 1));
        send(retain("t.2", "2").property("n", 2));
        TestSession session = client();
        session.subscribe(
                new Subscribe(1, Address.pattern(AddressKind.TOPIC, "t.*"), null, "n = 2", false)
                        .with(ConsumerOptions.DEFAULTS.retained(true)),
                100);
        assertThat(seen(session)).containsExactly("2 retained");
    }

    @Test
    void aDurableOneHasThemOnceAndKeepsThemOverACrash() {
        send(retain("t", "1"));
        TestSession session = client();
        session.subscribe(ask("t", NAME, Mode.DURABLE), 0);
        broker.settle();
        broker.crash();
        session = client();
        session.subscribe(ask("t", NAME, Mode.DURABLE), 100);
        assertThat(seen(session)).containsExactly("1 retained");
        broker.settle();
        broker.crash();
        session = client();
        session.subscribe(ask("t", NAME, Mode.DURABLE), 100);
        assertThat(seen(session)).isEmpty();
    }

    @Test
    void moreThanFitAheadComeAsTheyAreTakenAlsoOverACrash() {
        int many = 2_500;
        for (int i = 0; i < many; i++) {
            send(retain("t." + i, "m" + i));
        }
        TestSession session = client();
        session.subscribe(ask("t.>", NAME, Mode.DURABLE), 0);
        broker.settle();
        session.port.credit(1, 1_000);
        session.port.flush();
        assertThat(seen(session)).hasSize(1_000);
        broker.settle();
        broker.crash();
        session = client();
        session.subscribe(ask("t.>", NAME, Mode.DURABLE), many);
        assertThat(seen(session)).hasSize(1_500).doesNotHaveDuplicates();
        assertThat(broker.disk.values().stream().filter(record -> record.type() == RecordType.FILTER.code()))
                .isEmpty();
    }

    @Test
    void onlyTheFirstOfASharedSubscriptionIsAsked() {
        send(retain("t", "1"));
        TestSession first = client();
        first.subscribe(ask("t", new SubscriptionName(null, "s"), Mode.SHARED), 100);
        TestSession second = broker.session();
        second.subscribe(ask("t", new SubscriptionName(null, "s"), Mode.SHARED), 100);
        assertThat(seen(first)).containsExactly("1 retained");
        assertThat(seen(second)).isEmpty();
    }

    @Test
    void deletingItBeforeAllIsThereLeavesNothing() {
        for (int i = 0; i < 1_500; i++) {
            send(retain("t." + i, "m" + i));
        }
        TestSession session = client();
        session.subscribe(ask("t.>", NAME, Mode.DURABLE), 0);
        session.port.unsubscribe(1, 0, new TestSession.Result());
        TestSession.Result deleted = new TestSession.Result();
        session.port.deleteSubscription(NAME, deleted);
        session.port.flush();
        broker.settle();
        session.drain();
        assertThat(deleted.cause).isNull();
        assertThat(broker.disk.values().stream().filter(record -> record.type() == RecordType.FILTER.code()))
                .isEmpty();
        broker.crash();
        session = client();
        session.subscribe(ask("t.>", NAME, Mode.DURABLE), 2_000);
        assertThat(seen(session)).hasSize(1_500);
    }
}
