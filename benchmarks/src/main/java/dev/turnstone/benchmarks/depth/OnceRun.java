package dev.turnstone.benchmarks.depth;

import com.sun.management.OperatingSystemMXBean;
import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Subscribe;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What identities of messages cost, and what a million keys of protocol state take. Used by {@link DepthRun}. */
final class OnceRun {
    private static final Address QUEUE = Address.queue("once");
    private static final int BODY_BYTES = 1024;
    private static final int VALUE_BYTES = 16;

    private final Path folder;
    private final PrintStream out;
    private final OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    OnceRun(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** Sends without identities, with applications' and with producers' numbers, by turns; each round is consumed. */
    void identities(int messages, int rounds) throws InterruptedException {
        Limits limits = Limits.DEFAULTS.with(Limit.DEDUP_IDS_MAX, 4L * messages * (rounds + 1));
        try (EmbeddedBroker broker =
                EmbeddedBroker.start(BrokerSettings.in(folder).withLimits(limits))) {
            String[] names = {"no identity", "an application's", "a producer's number"};
            double[][] rates = new double[names.length][rounds];
            double[][] micros = new double[names.length][rounds];
            Client consumer = new Client(broker.broker(), null);
            consumer.subscribe(Subscribe.to(1, QUEUE), 1_000);
            Client producer = new Client(broker.broker(), null);
            for (int round = -1; round < rounds; round++) {
                for (int kind = 0; kind < names.length; kind++) {
                    producer.identify(numbered(kind, (round + 1) * messages));
                    long before = machine.getProcessCpuTime();
                    double rate = producer.send(i -> QUEUE, messages, new byte[BODY_BYTES], 0);
                    double spent = (machine.getProcessCpuTime() - before) / 1e3 / messages;
                    consumer.receive(messages);
                    // The first round is warm-up.
                    if (round >= 0) {
                        rates[kind][round] = rate;
                        micros[kind][round] = spent;
                    }
                }
            }
            for (int kind = 0; kind < names.length; kind++) {
                out.printf(
                        Locale.ROOT,
                        "%s: %,.0f messages/s, %.2f µs of processor time a message in this JVM%n",
                        names[kind],
                        median(rates[kind]),
                        median(micros[kind]));
            }
        }
    }

    private static IntFunction<@Nullable DedupId> numbered(int kind, int first) {
        return switch (kind) {
            case 0 -> i -> null;
            case 1 -> i -> DedupId.of("order-" + (first + i));
            default -> i -> new DedupId.Sequence("producer-1", (long) first + i);
        };
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Puts so many keys, starts again and lists some. */
    void state(int keys) throws InterruptedException {
        putAll(keys);
        listSome(keys);
    }

    private void putAll(int keys) throws InterruptedException {
        try (EmbeddedBroker broker = start()) {
            long before = heap();
            Client client = new Client(broker.broker(), null);
            double rate = client.put(keys, new byte[VALUE_BYTES]);
            out.printf(
                    Locale.ROOT, "%,d keys: %,.0f/s, %,d bytes of heap each%n", keys, rate, (heap() - before) / keys);
        }
    }

    private void listSome(int keys) throws InterruptedException {
        long start = System.nanoTime();
        try (EmbeddedBroker broker = start()) {
            out.printf(Locale.ROOT, "started in %.2f s%n", Client.seconds(start));
            Client client = new Client(broker.broker(), null);
            long listing = System.nanoTime();
            int found = 0;
            for (int i = 0; i < 1_000; i++) {
                found += client.list((int) ((long) i * keys / 10 / 1_000));
            }
            out.printf(
                    Locale.ROOT,
                    "1,000 listings of %d keys in all: %.0f µs each%n",
                    found,
                    Client.seconds(listing) * 1e6 / 1_000);
        }
    }

    private EmbeddedBroker start() {
        long half = Runtime.getRuntime().maxMemory() / 2;
        return EmbeddedBroker.start(
                BrokerSettings.in(folder).withLimits(Limits.DEFAULTS.with(Limit.STATE_BYTES_MAX, half)));
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
