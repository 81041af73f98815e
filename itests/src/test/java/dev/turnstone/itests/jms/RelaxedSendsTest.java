package dev.turnstone.itests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerMeter;
import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.testkit.stomp.StompClient;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends that ask not to wait for the disk, in each way that they can ask; a sync that is put off never comes here. */
final class RelaxedSendsTest {
    private static final int SENDS = 20;

    @TempDir
    private Path folder;

    private final AtomicInteger syncs = new AtomicInteger();
    private EmbeddedBroker broker;
    private JMSContext context;
    private Queue queue;

    @BeforeEach
    void start() {
        open();
        context.createProducer().send(queue, "strict");
    }

    private void open() {
        JournalLimits never = JournalLimits.DEFAULTS.withRelaxedSyncMs(Integer.MAX_VALUE);
        AddressRules rules = AddressRules.DEFAULTS.with("quick", AddressSetting.RELAXED, true);
        broker = EmbeddedBroker.start(
                BrokerSettings.in(folder).withJournalLimits(never).withAddresses(rules), new BrokerMeter() {
                    @Override
                    public void synced(long nanos) {
                        syncs.incrementAndGet();
                    }

                    @Override
                    public void turn(long nanos) {
                        // Of no interest here.
                    }

                    @Override
                    public void confirmed(long nanos) {
                        // Of no interest here.
                    }
                });
        broker.share();
        context = new TurnstoneConnectionFactory("vm://?data=" + folder).createContext();
        queue = context.createQueue("q");
    }

    @AfterEach
    void stop() {
        context.close();
        broker.close();
    }

    private int syncsOf(Runnable sends) {
        int before = syncs.get();
        sends.run();
        return syncs.get() - before;
    }

    @Test
    void withoutBeingAskedEachSendWaitsForTheDisk() {
        assertThat(syncsOf(() -> {
                    for (int i = 0; i < SENDS; i++) {
                        context.createProducer().send(queue, "strict");
                    }
                }))
                .isGreaterThanOrEqualTo(SENDS);
    }

    @Test
    void aProducersPropertyAsksForIt() {
        assertThat(syncsOf(() -> {
                    for (int i = 0; i < SENDS; i++) {
                        context.createProducer()
                                .setProperty("JMS_TURNSTONE_RELAXED", true)
                                .send(queue, "relaxed");
                    }
                }))
                .isZero();
        assertThat(syncsOf(() -> context.createProducer().send(queue, "strict")))
                .as("a send that waits for the disk covers those before it")
                .isPositive();
    }

    @Test
    void anAddressSettingAsksForIt() {
        Queue quick = context.createQueue("quick");
        assertThat(syncsOf(() -> {
                    for (int i = 0; i < SENDS; i++) {
                        context.createProducer().send(quick, "relaxed");
                    }
                }))
                .isZero();
    }

    @Test
    void aStompHeaderAsksForIt() throws Exception {
        int port = broker.listen("stomp", "127.0.0.1", 0, Map.of()).port();
        try (StompClient stomp = StompClient.connect("127.0.0.1", port)) {
            int before = syncs.get();
            for (int i = 0; i < SENDS; i++) {
                stomp.sendConfirmed("/queue/q", "relaxed", "relaxed", "true");
            }
            assertThat(syncs.get() - before).isZero();
            stomp.sendConfirmed("/queue/q", "strict", "relaxed", "false");
            assertThat(syncs.get() - before).isPositive();
        }
    }

    @Test
    void aConsumerGetsThemAtOnceAndAnOrderlyEndKeepsThem() {
        for (int i = 0; i < SENDS; i++) {
            context.createProducer().setProperty("JMS_TURNSTONE_RELAXED", true).send(queue, "n" + i);
        }
        assertThat(context.createConsumer(queue).receiveBody(String.class, 10_000))
                .isEqualTo("strict");
        stop();
        open();
        var consumer = context.createConsumer(queue);
        for (int i = 0; i < SENDS; i++) {
            assertThat(consumer.receiveBody(String.class, 10_000)).isEqualTo("n" + i);
        }
    }
}
