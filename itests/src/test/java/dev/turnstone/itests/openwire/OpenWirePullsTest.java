package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.MessagePull;
import org.apache.activemq.command.ProducerId;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Receives that ask for one message and may wait for it for long: what is over leaves nothing behind. */
@Timeout(60)
final class OpenWirePullsTest {
    private static final int MANY = 300;
    /** Those of the connections themselves. */
    private static final int FEW = 100;

    private static final long HOURS_MS = TimeUnit.HOURS.toMillis(10);
    private static final ActiveMQQueue QUEUE = new ActiveMQQueue("pulls");
    /** A timer of the event loops, in the list of what is alive in this process. */
    private static final Pattern TIMERS =
            Pattern.compile("\\d+:\\s+(\\d+)\\s+\\d+\\s+io\\.netty\\.util\\.concurrent\\.ScheduledFutureTask\\b");

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private static int timers() {
        try {
            Object alive = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            Matcher found = TIMERS.matcher(String.valueOf(alive));
            int count = 0;
            while (found.find()) {
                count += Integer.parseInt(found.group(1));
            }
            return count;
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConsumerInfo consumer(WirePeer peer, int number) throws IOException {
        ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), number));
        consumer.setDestination(QUEUE);
        consumer.setPrefetchSize(0);
        assertThat(peer.ask(consumer).isException()).isFalse();
        return consumer;
    }

    private static void pull(WirePeer peer, ConsumerInfo consumer, long timeoutMs) throws IOException {
        MessagePull pull = new MessagePull();
        pull.setConsumerId(consumer.getConsumerId());
        pull.setTimeout(timeoutMs);
        peer.tell(pull);
    }

    private static void send(WirePeer peer) throws IOException {
        ActiveMQTextMessage message = peer.message(QUEUE, new ProducerId(peer.session(), 1));
        message.setPersistent(false);
        peer.tell(message);
    }

    @Test
    void aPullThatAMessageHasAnsweredHasNoTimerAnyMore() throws IOException {
        int before = timers();
        try (WirePeer peer = new WirePeer(broker.port(), "ID:pulls").login()) {
            ConsumerInfo consumer = consumer(peer, 1);
            for (int i = 0; i < MANY; i++) {
                pull(peer, consumer, HOURS_MS);
                send(peer);
                assertThat(peer.dispatch().getMessage()).isNotNull();
            }
            assertThat(timers()).isLessThan(before + FEW);
        }
    }

    @Test
    void aConsumerThatIsClosedLeavesNoTimer() throws IOException {
        int before = timers();
        try (WirePeer peer = new WirePeer(broker.port(), "ID:pulls").login()) {
            for (int i = 1; i <= MANY; i++) {
                ConsumerInfo consumer = consumer(peer, i);
                pull(peer, consumer, HOURS_MS);
                assertThat(peer.ask(consumer.createRemoveCommand()).isException())
                        .isFalse();
            }
            assertThat(timers()).isLessThan(before + FEW);
        }
    }

    @Test
    void aConnectionThatIsLostLeavesNoTimer() throws IOException {
        int before = timers();
        try (WirePeer peer = new WirePeer(broker.port(), "ID:pulls").login()) {
            for (int i = 1; i <= MANY; i++) {
                pull(peer, consumer(peer, i), HOURS_MS);
            }
            consumer(peer, MANY + 1);
            assertThat(timers()).as("there are timers to be seen").isGreaterThanOrEqualTo(before + MANY);
        }
        Awaitility.await().until(() -> timers() < before + FEW);
    }

    @Test
    void aReceiveOfAMessageThatComesLateIsNotEndedByTheTimeOfAnEarlierOne() throws IOException {
        try (WirePeer peer = new WirePeer(broker.port(), "ID:pulls").login()) {
            ConsumerInfo consumer = consumer(peer, 1);
            pull(peer, consumer, 300);
            send(peer);
            assertThat(peer.dispatch().getMessage()).isNotNull();
            pull(peer, consumer, HOURS_MS);
            Awaitility.await().pollDelay(500, TimeUnit.MILLISECONDS).until(() -> true);
            send(peer);
            assertThat(peer.dispatch().getMessage())
                    .as("not the word that there is none")
                    .isNotNull();
        }
    }
}
