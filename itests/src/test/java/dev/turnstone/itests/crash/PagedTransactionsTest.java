package dev.turnstone.itests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompRefusedException;
import dev.turnstone.testkit.transport.Ports;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Case J17: clients of three kinds (JMS in the broker's JVM, STOMP, ActiveMQ's own) commit fifty large messages at a
 * time to a queue whose messages go to page files, and the broker is killed at random: each transaction is there as a
 * whole or not at all, and what was confirmed is there. {@code -Dcrash.kills=} kills more often.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class PagedTransactionsTest {
    static final String QUEUE = "deep";

    private static final int KILLS = Integer.getInteger("crash.kills", 3);
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
    private static final int MESSAGES = 50;
    private static final int PAUSES_MAX = 40;
    private static final int PATIENCE_MS = 60_000;
    private static final String HOST = "127.0.0.1";
    private static final Set<String> KINDS = Set.of("jms", "stomp", "openwire");

    private final Queue<String> committed = new ConcurrentLinkedQueue<>();

    /** What a transaction of this name sends. */
    static List<String> texts(String transaction) {
        String filling = "x".repeat(5_000);
        return IntStream.range(0, MESSAGES)
                .mapToObj(i -> transaction + "#" + i + "#" + filling)
                .toList();
    }

    @Test
    void j17_eachTransactionIsThereWholeOrNotAtAllWhoeverSentIt(@TempDir Path data) throws Exception {
        int stomp = Ports.free();
        int openWire = Ports.free();
        Random random = new Random(SEED);
        for (int round = 0; round < KILLS; round++) {
            String life = "-" + round + ".";
            try (Child broker = broker(data, stomp, openWire, "jms" + life).awaitReady()) {
                Thread one = started(() -> overStomp(stomp, "stomp" + life));
                Thread other = started(() -> overOpenWire(openWire, "openwire" + life));
                awaitWork(broker, life);
                for (int pauses = random.nextInt(PAUSES_MAX); pauses > 0; pauses--) {
                    Child.pause();
                }
                broker.kill();
                one.join(PATIENCE_MS);
                other.join(PATIENCE_MS);
                committed.addAll(broker.said());
            }
        }
        Map<String, List<Integer>> found = found(data, stomp, openWire);
        System.out.printf(
                "paged transactions, %d kills, -Dcrash.seed=%d: %d confirmed, %d found%n",
                KILLS, SEED, committed.size(), found.size());
        List<Integer> whole = IntStream.range(0, MESSAGES).boxed().toList();
        assertThat(found).allSatisfy((name, numbers) -> assertThat(numbers).isEqualTo(whole));
        assertThat(found.keySet()).containsAll(committed);
        assertThat(KINDS)
                .as("each kind has committed")
                .allMatch(kind -> committed.stream().anyMatch(name -> name.startsWith(kind)));
    }

    /** Each kind has committed in this life. */
    private void awaitWork(Child broker, String life) {
        Awaitility.await()
                .atMost(PATIENCE_MS, TimeUnit.MILLISECONDS)
                .until(() -> KINDS.stream()
                        .allMatch(kind -> Stream.concat(committed.stream(), broker.said().stream())
                                .anyMatch(name -> name.startsWith(kind + life))));
    }

    /** What the queue holds, by transaction, in its order. */
    private static Map<String, List<Integer>> found(Path data, int stomp, int openWire)
            throws IOException, InterruptedException {
        Map<String, List<Integer>> found = new LinkedHashMap<>();
        try (Child broker = broker(data, stomp, openWire).awaitReady()) {
            for (String text : StompWorkers.drain(stomp, QUEUE)) {
                String[] parts = text.split("#");
                found.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(Integer.parseInt(parts[1]));
            }
            broker.kill();
        }
        return found;
    }

    private static Child broker(Path data, int stomp, int openWire, String... prefix) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of(data.toString(), Integer.toString(stomp), Integer.toString(openWire)));
        arguments.addAll(List.of(prefix));
        return new Child(PagedBrokerMain.class, arguments.toArray(String[]::new));
    }

    private static Thread started(Runnable work) {
        Thread thread = new Thread(work, "sender");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Until the connection breaks. */
    private void overStomp(int port, String prefix) {
        try (StompClient client = StompClient.connect(HOST, port)) {
            for (int n = 0; ; n++) {
                String name = prefix + n;
                client.begin(name);
                for (String text : texts(name)) {
                    client.send("/queue/" + QUEUE, text, "transaction", name);
                }
                client.commit(name);
                committed.add(name);
            }
        } catch (StompRefusedException e) {
            throw new IllegalStateException("the broker refused a transaction", e);
        } catch (IOException e) {
            // The broker was killed.
            return;
        }
    }

    /** Until the connection breaks. */
    private void overOpenWire(int port, String prefix) {
        try (Connection connection = new ActiveMQConnectionFactory("tcp://" + HOST + ":" + port).createConnection()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            for (int n = 0; ; n++) {
                String name = prefix + n;
                for (String text : texts(name)) {
                    producer.send(session.createTextMessage(text));
                }
                session.commit();
                committed.add(name);
            }
        } catch (JMSException e) {
            // The broker was killed.
            return;
        }
    }
}
