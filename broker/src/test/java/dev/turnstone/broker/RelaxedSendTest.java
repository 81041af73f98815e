package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import org.junit.jupiter.api.Test;

final class RelaxedSendTest {
    private final TestBroker broker =
            new TestBroker(AddressRules.DEFAULTS.with("quick.>", AddressSetting.RELAXED, true));
    private final TestSession producer = broker.session();

    private TestSession.Result relaxed(String text) {
        return send(Send.of(TestSession.text("q", text).build()).relaxed(true));
    }

    private TestSession.Result send(Send send) {
        TestSession.Result result = new TestSession.Result();
        producer.port.send(send, result);
        return producer.flushed(result);
    }

    private void written() {
        broker.journal.write();
        broker.run();
        producer.drain();
    }

    private void first() {
        // The reservation of identifiers is durable.
        producer.send("first", "a");
        broker.settle();
        producer.drain();
    }

    @Test
    void aRelaxedSendIsConfirmedWhenItIsWrittenAndItsSyncIsPutOff() {
        first();
        TestSession.Result sent = relaxed("a");
        assertThat(sent.done).isFalse();
        assertThat(broker.journal.relaxed()).isTrue();
        written();
        assertThat(sent.done).isTrue();
        assertThat(broker.journal.undurable()).isPositive();
    }

    @Test
    void anOrdinarySendWaitsForTheDiskAndCoversRelaxedOnesBeforeIt() {
        first();
        TestSession.Result sent = relaxed("a");
        TestSession.Result strict = producer.send("q", "b");
        assertThat(broker.journal.relaxed()).isFalse();
        written();
        assertThat(sent.done).isTrue();
        assertThat(strict.done).isFalse();
        broker.settle();
        producer.drain();
        assertThat(strict.done).isTrue();
        broker.crash();
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        assertThat(consumer.texts()).containsExactly("a", "b");
    }

    @Test
    void confirmationsKeepTheOrderOfCommands() {
        first();
        TestSession.Result strict = producer.send("q", "a");
        TestSession.Result sent = relaxed("b");
        written();
        assertThat(strict.done).isFalse();
        assertThat(sent.done).isFalse();
        broker.settle();
        producer.drain();
        assertThat(strict.done).isTrue();
        assertThat(sent.done).isTrue();
    }

    @Test
    void aConsumerSeesOnlyWhatIsOnTheDiskAndTheSyncIsNotPutOffForIt() {
        first();
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        broker.settle();
        relaxed("a");
        assertThat(broker.journal.relaxed()).isFalse();
        written();
        consumer.drain();
        assertThat(consumer.deliveries).isEmpty();
        assertThat(consumer.texts()).containsExactly("a");
    }

    @Test
    void aConsumerThatComesLaterHasTheSyncHurried() {
        first();
        relaxed("a");
        written();
        assertThat(broker.journal.relaxed()).isTrue();
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 10);
        assertThat(broker.journal.relaxed()).isFalse();
        assertThat(consumer.texts()).containsExactly("a");
    }

    @Test
    void whoAsksThatAllBeDurableWaitsForTheDisk() {
        first();
        relaxed("a");
        TestSession.Result synced = new TestSession.Result();
        producer.port.sync(synced);
        producer.flushed(synced);
        written();
        assertThat(synced.done).isFalse();
        assertThat(broker.journal.relaxed()).isFalse();
        broker.settle();
        producer.drain();
        assertThat(synced.done).isTrue();
    }

    @Test
    void aCommitIsNeverRelaxed() {
        first();
        producer.begin(1);
        TestSession.Result sent = send(new Send(TestSession.text("quick.q", "a").build(), 1).relaxed(true));
        TestSession.Result committed = producer.commit(1);
        written();
        assertThat(sent.done).isTrue();
        assertThat(committed.done).isFalse();
        assertThat(broker.journal.relaxed()).isFalse();
    }

    @Test
    void anAddressMayBeRelaxedForAll() {
        first();
        TestSession.Result toQueue = producer.send("quick.q", "a");
        Message published =
                MessageBuilder.to(Address.topic("quick.t")).text("b").build();
        TestSession.Result toTopic = send(Send.of(published));
        written();
        assertThat(toQueue.done).isTrue();
        assertThat(toTopic.done).isTrue();
        assertThat(broker.journal.relaxed()).isTrue();
    }

    @Test
    void aSecondCopyIsConfirmedWhenTheFirstIsDurable() {
        first();
        Send send = new Send(TestSession.text("q", "a").build(), Session.NO_TRANSACTION)
                .with(DedupId.of("x"))
                .relaxed(true);
        TestSession.Result one = send(send);
        written();
        assertThat(one.done).isTrue();
        TestSession.Result two = send(send);
        written();
        assertThat(two.done).isFalse();
        broker.settle();
        producer.drain();
        assertThat(two.done).isTrue();
    }

    /** What says that they were sent is recorded behind them, and need not be on the disk sooner. */
    @Test
    void anIdentityDoesNotHurryARelaxedSend() {
        first();
        TestSession.Result known =
                send(Send.of(TestSession.text("q", "a").build()).relaxed(true).with(DedupId.of("1")));
        TestSession.Result numbered =
                send(Send.of(TestSession.text("q", "b").build()).relaxed(true).with(new DedupId.Sequence("p", 1)));
        assertThat(broker.journal.relaxed()).isTrue();
        written();
        assertThat(known.done).isTrue();
        assertThat(numbered.done).isTrue();
        assertThat(broker.journal.undurable()).isPositive();
    }

    @Test
    void anOrdinarySendInTheSameUnitHurriesAll() {
        first();
        TestSession.Result known = new TestSession.Result();
        producer.port.send(
                Send.of(TestSession.text("q", "a").build()).relaxed(true).with(DedupId.of("1")), known);
        TestSession.Result strict =
                send(Send.of(TestSession.text("q", "b").build()).with(DedupId.of("2")));
        assertThat(broker.journal.relaxed()).isFalse();
        broker.settle();
        producer.drain();
        assertThat(known.done).isTrue();
        assertThat(strict.done).isTrue();
    }
}
