package dev.turnstone.itests.stomp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.turnstone.testkit.stomp.StompClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Clients that send frames in any order, with any headers, some of them damaged. Whatever comes, a connection ends with
 * ERROR or goes on, nothing is reported as the broker's own fault, and the next client is served.
 * {@code -Dstomp.fuzz.seed=} replays a run, {@code -Dstomp.fuzz.seconds=} makes it longer.
 */
class StompFuzzTest {
    private static final String[] COMMANDS = {
        "SEND",
        "SEND",
        "SEND",
        "SUBSCRIBE",
        "SUBSCRIBE",
        "UNSUBSCRIBE",
        "ACK",
        "NACK",
        "BEGIN",
        "COMMIT",
        "ABORT",
        "DISCONNECT",
        "CONNECT",
        "MESSAGE",
        "nonsense"
    };
    private static final String[] NAMES = {
        "destination",
        "destination",
        "destination",
        "id",
        "id",
        "ack",
        "transaction",
        "receipt",
        "receipt",
        "content-length",
        "content-type",
        "persistent",
        "priority",
        "expires",
        "selector",
        "prefetch-count",
        "reply-to",
        "durable-subscription-name",
        "message-id",
        "subscription",
        "correlation-id",
        "JMSXGroupID",
        "JMSXGroupSeq",
        "k\\c"
    };
    private static final String[] VALUES = {
        "/queue/a",
        "/queue/a",
        "/topic/t",
        "/queue/",
        "/topic/*",
        "1",
        "1-1",
        "2-1",
        "t",
        "client",
        "client-individual",
        "auto",
        "0",
        "5",
        "-1",
        "99999999999999999999",
        "true",
        "false",
        "text/plain",
        "a = 1",
        "a =",
        "",
        "\\n",
        "\\x",
        "\u20ac"
    };

    @TempDir
    Path data;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private StompBroker broker;

    private static Logger rootLogger() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @BeforeEach
    void start() {
        log.start();
        rootLogger().addAppender(log);
        broker = new StompBroker(data);
    }

    @AfterEach
    void stop() {
        broker.close();
        rootLogger().detachAppender(log);
    }

    @Test
    void noClientDisturbsTheBroker() throws IOException {
        long seed = Long.getLong("stomp.fuzz.seed", System.nanoTime());
        long until = System.nanoTime()
                + Duration.ofSeconds(Long.getLong("stomp.fuzz.seconds", 5)).toNanos();
        System.out.println("STOMP fuzz: -Dstomp.fuzz.seed=" + seed);
        Random random = new Random(seed);
        int clients = 0;
        while (System.nanoTime() < until) {
            misbehave(random);
            clients++;
            assertThat(log.list)
                    .as("seed %s", seed)
                    .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.ERROR));
        }
        System.out.println("STOMP fuzz: " + clients + " clients");
        try (StompClient client = broker.connect()) {
            client.sendConfirmed("/queue/after", "x");
            client.subscribe("s", "/queue/after", "auto");
            assertThat(client.message(Duration.ofSeconds(10)).text()).isEqualTo("x");
        }
    }

    private void misbehave(Random random) throws IOException {
        String version = new String[] {"1.0", "1.1", "1.2"}[random.nextInt(3)];
        try (StompClient client =
                broker.connectWith(version, random.nextBoolean() ? new String[] {} : clientId(random))) {
            client.raw("SUBSCRIBE\nid:1\ndestination:/queue/a\nack:client-individual\n\n^@BEGIN\ntransaction:t\n\n^@");
            client.raw(octets(random));
            if (random.nextBoolean()) {
                // What the broker has to say comes to an end, in an orderly way or by a frame that is none.
                client.raw("^@\n\nDISCONNECT\n\n^@");
                client.rest(Duration.ofSeconds(10));
            }
        }
    }

    private static String[] clientId(Random random) {
        return new String[] {"client-id", "c" + random.nextLong()};
    }

    private static byte[] octets(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int frames = 1 + random.nextInt(8);
        for (int i = 0; i < frames; i++) {
            StringBuilder frame = new StringBuilder(pick(random, COMMANDS)).append('\n');
            int headers = random.nextInt(5);
            for (int header = 0; header < headers; header++) {
                frame.append(pick(random, NAMES))
                        .append(':')
                        .append(pick(random, VALUES))
                        .append('\n');
            }
            frame.append('\n').append(random.nextInt(3) == 0 ? "hello" : "").append('\0');
            byte[] octets = frame.toString().getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(10) == 0) {
                octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
            }
            out.writeBytes(octets);
        }
        return out.toByteArray();
    }

    private static String pick(Random random, String[] from) {
        return from[random.nextInt(from.length)];
    }
}
