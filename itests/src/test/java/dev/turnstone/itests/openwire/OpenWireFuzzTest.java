package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/**
 * Clients whose frames are real ones with damage: in their bytes, or in the bodies and properties within, in every form
 * of the protocol. A command is answered, or the connection ends with a reason in the log; nothing is reported as the
 * broker's own fault, and a neighbour's connection goes on. {@code -Dopenwire.fuzz.seed=} begins with the client that
 * failed, {@code -Dopenwire.fuzz.seconds=} makes it longer.
 */
@Timeout(600)
final class OpenWireFuzzTest {
    private static final int FRAMES_MAX = 20;

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq(Map.of("frameBytesMax", "100000"));

    private final CopyOnWriteArrayList<Throwable> heard = new CopyOnWriteArrayList<>();
    private final Faults log = new Faults();
    private Session neighbour;
    private MessageConsumer consumer;
    private Queue queue;

    /** What the log says. */
    private static final class Faults extends AppenderBase<ILoggingEvent> {
        private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        private final AtomicInteger ended = new AtomicInteger();

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
                faults.add(event.getFormattedMessage());
            } else if (event.getFormattedMessage().contains("connection ended: ")) {
                ended.incrementAndGet();
            }
        }
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

    @BeforeEach
    void open() throws JMSException {
        log.start();
        logger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(log);
        logger("dev.turnstone.transport.openwire").setLevel(Level.INFO);
        Connection connection = broker.connect();
        connection.setExceptionListener(heard::add);
        neighbour = connection.createSession();
        queue = neighbour.createQueue("neighbour");
        consumer = neighbour.createConsumer(queue);
    }

    @AfterEach
    void close() {
        logger(org.slf4j.Logger.ROOT_LOGGER_NAME).detachAppender(log);
        logger("dev.turnstone.transport.openwire").setLevel(null);
    }

    @Test
    void noClientDisturbsTheBrokerOrItsNeighbour() throws IOException, JMSException {
        long seed = Long.getLong("openwire.fuzz.seed", System.nanoTime());
        long until = System.nanoTime()
                + Duration.ofSeconds(Long.getLong("openwire.fuzz.seconds", 2)).toNanos();
        int clients = 0;
        do {
            try {
                misbehave(seed + clients, "ID:fuzz:" + clients);
                ActiveMq.send(neighbour, queue, "m" + clients);
                assertThat(ActiveMq.text(consumer)).isEqualTo("m" + clients);
                assertThat(log.faults).isEmpty();
                assertThat(heard).isEmpty();
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("-Dopenwire.fuzz.seed=" + (seed + clients), e);
            }
            clients++;
        } while (System.nanoTime() < until);
        System.out.println("OpenWire fuzz: " + clients + " clients from -Dopenwire.fuzz.seed=" + seed + ", " + log.ended
                + " ended by the broker");
        drain();
    }

    private void misbehave(long seed, String name) throws IOException {
        Random random = new Random(seed);
        int endedBefore = log.ended.get();
        int version = 9 + random.nextInt(4);
        try (FormPeer peer = new FormPeer(broker.port(), name, version, random.nextBoolean(), random.nextBoolean())) {
            DamagedFrames frames = new DamagedFrames(random, peer);
            peer.raw(frames.beginning());
            for (int i = random.nextInt(FRAMES_MAX); i > 0 && peer.isTaken(frames.next()); i--) {
                // All that it wants to send.
            }
            byte[] last = frames.last();
            peer.isTaken(last);
            if (!peer.saysGoodbye() && DamagedFrames.isWhole(last)) {
                Awaitility.await().untilAsserted(() -> {
                    assertThat(log.faults).isEmpty();
                    assertThat(log.ended).hasValueGreaterThan(endedBefore);
                });
            }
        }
    }

    /** What has been stored comes to a client as whatever it was; that client's connection goes on, too. */
    private void drain() throws JMSException {
        Session session = broker.session();
        MessageConsumer all = session.createConsumer(session.createQueue("fuzz.>"));
        while (all.receive(ActiveMq.A_WHILE_MS) != null) {
            assertThat(log.faults).isEmpty();
        }
        ActiveMq.send(session, session.createQueue("fuzz.q"), "the end");
        assertThat(ActiveMq.text(all)).isEqualTo("the end");
        assertThat(heard).isEmpty();
    }
}
