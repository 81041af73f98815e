package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionFilter;
import dev.turnstone.port.SubscriptionFilter.Retained;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits in a queue with filters, or is on its way from it: its order, and the options of its filters. */
final class FilteredBacklogTest {
    private static final SubscriptionName NAME = new SubscriptionName("device.1", "mqtt");
    private static final Address QUEUE = Address.subscription(NAME);

    private TestBroker broker = new TestBroker();
    private Connection client = broker.connect("device.1");
    private TestSession device = broker.session(client);

    private static Message message(String topic, String text) {
        return MessageBuilder.to(Address.topic(topic)).text(text).build();
    }

    private void change(QueueChange change) {
        TestSession.Result result = new TestSession.Result();
        device.port.changeQueue(change, result);
        device.flushed(result);
        broker.settle();
        device.drain();
        assertThat(result.cause).isNull();
    }

    private void declare() {
        change(new QueueChange.Declare(new SubscriptionQueue(NAME, true, SubscriptionQueue.FOREVER, 0)));
    }

    private void add(String topic, long options) {
        Address topics = Address.pattern(AddressKind.TOPIC, topic);
        change(new QueueChange.AddFilter(NAME, new SubscriptionFilter(topics, null, false, options, Retained.NEVER)));
    }

    private void remove(String topic) {
        change(new QueueChange.RemoveFilter(NAME, Address.pattern(AddressKind.TOPIC, topic)));
    }

    private void consume() {
        TestSession.Result result = device.subscribe(Subscribe.to(1, QUEUE), 1000);
        assertThat(result.cause).isNull();
    }

    private void unsubscribe() {
        TestSession.Result result = new TestSession.Result();
        device.port.unsubscribe(1, 0, result);
        device.flushed(result);
        assertThat(result.cause).isNull();
        broker.settle();
    }

    private void crash() {
        broker.crash();
        client = broker.connect("device.1");
        device = broker.session(client);
    }

    private static List<String> seen(List<Delivery> deliveries) {
        return deliveries.stream().map(d -> d.message().text() + d.filters()).toList();
    }

    @Test
    void aFilterThatIsAddedAgainAsItIsStaysAsItIs() {
        declare();
        add("a.*", 1);
        device.send(message("a.b", "m"));
        broker.settle();
        long lsn = broker.journal.durableLsn();
        add("a.*", 1);
        broker.settle();
        assertThat(broker.journal.durableLsn()).as("nothing is recorded").isEqualTo(lsn);
        crash();
        consume();
        assertThat(seen(device.receive())).containsExactly("m[1]");
    }

    @Test
    void whatAFilterHasPutIntoTheQueueKeepsItsOptionsOverACrash() {
        declare();
        add("a.*", 1);
        add("a.>", 2);
        device.send(message("a.b", "both"));
        add("a.*", 3);
        device.send(message("a.b", "replaced"));
        remove("a.>");
        device.send(message("a.b", "one"));
        remove("a.*");
        broker.settle();
        crash();
        crash();
        consume();
        List<Delivery> received = device.receive();
        assertThat(seen(received)).containsExactly("both[1, 2]", "replaced[2, 3]", "one[3]");
        device.settle(new Settle(1, 1, 3, Outcome.ACCEPTED, 0));
        broker.settle();
        assertThat(broker.disk.values()).as("filters that ended").noneMatch(r -> r.type() == 61);
    }

    @Test
    void filtersThatEndedAreLimitedWithThoseThatHold() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.FILTERS_MAX, 3));
        client = broker.connect("device.1");
        device = broker.session(client);
        declare();
        for (int options = 1; options <= 5; options++) {
            add("a", options);
            device.send(message("a", "m" + options));
        }
        broker.settle();
        assertThat(broker.disk.values().stream().filter(r -> r.type() == 61)).hasSize(3);
        crash();
        consume();
        assertThat(seen(device.receive())).containsExactly("m1[]", "m2[]", "m3[3]", "m4[4]", "m5[5]");
    }

    @Test
    void whatWasRetainedKeepsTheOptionsOfTheFilterThatAskedOverACrash() {
        device.send(
                MessageBuilder.to(Address.topic("a.b")).text("r").retain(true).build());
        declare();
        for (int level = 1; level <= 2; level++) {
            Address topics = Address.pattern(AddressKind.TOPIC, level == 1 ? "a.>" : "a.*");
            SubscriptionFilter asks = new SubscriptionFilter(topics, null, false, level, Retained.ALWAYS);
            change(new QueueChange.AddFilter(NAME, asks));
            change(new QueueChange.AddFilter(NAME, asks));
        }
        add("a.b", 9);
        broker.settle();
        crash();
        consume();
        assertThat(seen(device.receive())).containsExactly("r[1]", "r[1]", "r[2]", "r[2]");
    }

    @Test
    void messagesComeInTheirOrderWhateverTheirPriorities() {
        declare();
        add("a", 1);
        consume();
        for (int priority : List.of(4, 9, 0)) {
            device.send(MessageBuilder.to(Address.topic("a"))
                    .priority(priority)
                    .text("p" + priority)
                    .build());
        }
        assertThat(device.texts()).containsExactly("p4", "p9", "p0");
        unsubscribe();
        device.send(
                MessageBuilder.to(Address.topic("a")).priority(9).text("later").build());
        client.close();
        broker.settle();
        crash();
        consume();
        List<Delivery> again = device.receive();
        assertThat(seen(again)).containsExactly("p4[1]", "p9[1]", "p0[1]", "later[1]");
        device.settle(new Settle(1, 2, 2, Outcome.ACCEPTED, 0));
        unsubscribe();
        assertThat(device.receive()).isEmpty();
        consume();
        assertThat(device.texts()).containsExactly("p4", "p0", "later");
    }

    /** MQTT-4.4.0-1. */
    @Test
    void whatWasHandedOutComesAgainThoughItsTimeIsOver() {
        declare();
        add("a", 1);
        consume();
        device.send(MessageBuilder.to(Address.topic("a"))
                .expiryMs(broker.nowMs + 100)
                .text("seen")
                .build());
        assertThat(device.texts()).containsExactly("seen");
        client.close();
        broker.settle();
        broker.session()
                .send(MessageBuilder.to(Address.topic("a"))
                        .expiryMs(broker.nowMs + 100)
                        .text("unseen")
                        .build());
        broker.nowMs += 200;
        broker.settle();
        client = broker.connect("device.1");
        device = broker.session(client);
        consume();
        assertThat(device.texts()).containsExactly("seen");
        broker.settle();
        crash();
        consume();
        List<Delivery> again = device.receive();
        assertThat(seen(again)).containsExactly("seen[1]");
        device.settle(again.get(0), Outcome.ACCEPTED);
        broker.settle();
        crash();
        consume();
        assertThat(device.receive()).isEmpty();
    }

    @Test
    void settingsForOthersByPatternDoNotHoldForIt() {
        broker = new TestBroker(AddressRules.DEFAULTS
                .with(">", AddressSetting.MAX_MESSAGES, 1)
                .with("queue:>", AddressSetting.RING_SIZE, 1));
        client = broker.connect("device.1");
        device = broker.session(client);
        declare();
        add("a", 1);
        TestSession other = broker.session();
        assertThat(other.send(message("a", "1")).cause).isNull();
        assertThat(other.send(message("a", "2")).cause).isNull();
        consume();
        assertThat(device.texts()).containsExactly("1", "2");
    }
}
