package dev.turnstone.benchmarks.depth;

import dev.turnstone.broker.embedded.BrokerMeter;
import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Subscribe;
import dev.turnstone.server.metrics.Metrics;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * What the numbers of {@code /metrics} cost: processor time a message, on the threads of engine and client together,
 * through a broker that nobody measures and one that is measured. Both run in this JVM and take turns of a few
 * milliseconds, so that a machine that slows down slows both; what counts is the difference within a pair of turns. The
 * messages are not persistent, so that no disk hides it.
 */
final class MetricsCost {
    private static final Address QUEUE = Address.queue("q");
    private static final int MESSAGES = 20_000;
    private static final int WARM_UP = 100;
    private static final int CREDIT = 1_000;
    /** Of the normal distribution, for 95 of 100. */
    private static final double NORMAL_95 = 1.96;

    private final PrintStream out;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Message message =
            MessageBuilder.to(QUEUE).persistent(false).bytes(new byte[100]).build();

    MetricsCost(PrintStream out) {
        this.out = out;
    }

    /** So many pairs of turns. */
    void run(int pairs) throws IOException, InterruptedException {
        Path one = Files.createTempDirectory("metrics-cost");
        Path other = Files.createTempDirectory("metrics-cost");
        try (EmbeddedBroker plain = EmbeddedBroker.start(BrokerSettings.in(one), BrokerMeter.NONE);
                EmbeddedBroker measured =
                        EmbeddedBroker.start(BrokerSettings.in(other), new Metrics(() -> 0, () -> false))) {
            Client without = client(plain);
            Client with = client(measured);
            for (int i = 0; i < WARM_UP; i++) {
                turn(without);
                turn(with);
            }
            double[] base = new double[pairs];
            double[] more = new double[pairs];
            for (int i = 0; i < pairs; i++) {
                // Whichever is first may find the caches colder.
                double first = turn(i % 2 == 0 ? without : with);
                double second = turn(i % 2 == 0 ? with : without);
                base[i] = i % 2 == 0 ? first : second;
                more[i] = i % 2 == 0 ? second - first : first - second;
            }
            say(base, more);
            without.close();
            with.close();
        } finally {
            DepthRun.delete(one);
            DepthRun.delete(other);
        }
    }

    private static Client client(EmbeddedBroker broker) {
        Client client = new Client(broker.broker(), null);
        client.subscribe(Subscribe.to(1, QUEUE), CREDIT);
        return client;
    }

    /** Medians, and between which of the ordered differences the true median lies in 95 of 100 cases. */
    private void say(double[] base, double[] more) {
        Arrays.sort(base);
        Arrays.sort(more);
        int pairs = more.length;
        int reach = (int) Math.ceil(NORMAL_95 * Math.sqrt(pairs) / 2);
        double typical = base[pairs / 2];
        out.printf(
                Locale.ROOT,
                "%d pairs: %.4f µs of processor time a message without, %.4f more with: %.2f %%, with 95 %% confidence"
                        + " %.2f to %.2f %%%n",
                pairs,
                typical,
                more[pairs / 2],
                100 * more[pairs / 2] / typical,
                100 * more[Math.max(0, pairs / 2 - reach)] / typical,
                100 * more[Math.min(pairs - 1, pairs / 2 + reach)] / typical);
    }

    /** Microseconds of processor time a message. */
    private double turn(Client client) throws InterruptedException {
        long before = usedNanos();
        client.pass(message, MESSAGES);
        return (usedNanos() - before) / 1e3 / MESSAGES;
    }

    /** Of all threads that run Java: not those of the compiler and the collector. */
    private long usedNanos() {
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            sum += Math.max(0, threads.getThreadCpuTime(id));
        }
        return sum;
    }
}
