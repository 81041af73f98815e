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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * What the numbers of {@code /metrics} cost: processor time a message, on all threads together, through a broker that
 * nobody measures and one that is measured, in turns. The messages are not persistent, so that no disk hides it.
 */
final class MetricsCost {
    private static final Address QUEUE = Address.queue("q");
    private static final int MESSAGES = 1_000_000;
    private static final int CREDIT = 1_000;

    private final PrintStream out;
    private final Message message =
            MessageBuilder.to(QUEUE).persistent(false).bytes(new byte[100]).build();

    MetricsCost(PrintStream out) {
        this.out = out;
    }

    void run(int rounds) throws IOException, InterruptedException {
        double[] without = new double[rounds];
        double[] with = new double[rounds];
        pass(BrokerMeter.NONE);
        pass(new Metrics());
        for (int i = 0; i < rounds; i++) {
            // Whichever is first may have the colder machine.
            boolean first = i % 2 == 0;
            if (first) {
                without[i] = pass(BrokerMeter.NONE);
            }
            with[i] = pass(new Metrics());
            if (!first) {
                without[i] = pass(BrokerMeter.NONE);
            }
            out.printf(Locale.ROOT, "%.3f µs without, %.3f with%n", without[i], with[i]);
        }
        Arrays.sort(without);
        Arrays.sort(with);
        double cost = with[rounds / 2] / without[rounds / 2] - 1;
        out.printf(
                Locale.ROOT,
                "medians: %.3f µs of processor time a message without, %.3f with: %.1f %% more%n",
                without[rounds / 2],
                with[rounds / 2],
                100 * cost);
    }

    /** Microseconds of processor time a message. */
    private double pass(BrokerMeter meter) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("metrics-cost");
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(folder), meter)) {
            Client client = new Client(broker.broker(), null);
            client.subscribe(Subscribe.to(1, QUEUE), CREDIT);
            client.pass(message, MESSAGES / 10);
            Duration before = used();
            client.pass(message, MESSAGES);
            double micros = used().minus(before).toNanos() / 1e3 / MESSAGES;
            client.close();
            return micros;
        } finally {
            DepthRun.delete(folder);
        }
    }

    private static Duration used() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
