package dev.turnstone.benchmarks.jms;

import dev.turnstone.benchmarks.journal.BareWriter;
import dev.turnstone.benchmarks.journal.Load;
import dev.turnstone.benchmarks.journal.Subject;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Sends through the API, in this JVM, beside a bare writer on the same disk: rounds alternate, so that a noisy machine
 * hurts both alike, and medians are printed. Arguments: seconds a round (1), rounds (5), folder (a temporary one).
 */
public final class JmsSpeed {
    private static final int BODY_BYTES = 1024;

    private final Path root;
    private final long nanos;
    private final int rounds;
    private final PrintStream out;
    private int folders;

    private JmsSpeed(Path root, long nanos, int rounds, PrintStream out) {
        this.root = root;
        this.nanos = nanos;
        this.rounds = rounds;
        this.out = out;
    }

    /** Runs it; see the class. */
    public static void main(String[] args) throws IOException, JMSException {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 1;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        Path root =
                args.length > 2 ? Files.createDirectories(Path.of(args[2])) : Files.createTempDirectory("jms-speed");
        try {
            new JmsSpeed(root, (long) (seconds * 1e9), rounds, System.out).run();
        } finally {
            delete(root);
        }
    }

    private void run() throws IOException, JMSException {
        out.printf(Locale.ROOT, "%d-byte bodies, medians of %d rounds of %.1f s%n", BODY_BYTES, rounds, nanos / 1e9);
        out.println("| persistent sends of one session | bare records/s | JMS messages/s | ratio "
                + "| bare p50 µs | JMS p50/p99 µs | p50 ratio |");
        out.println("|---|---|---|---|---|---|---|");
        round(BareWriter::new, 64);
        round(JmsSends::asynchronous, 64);
        compare("asynchronous, 64 in flight", JmsSends::asynchronous, 64);
        compare("asynchronous, 1000 in flight", JmsSends::asynchronous, 1000);
        compare("blocking, 1 in flight", JmsSends::blocking, 1);
        double[] flows = new double[rounds];
        double[] processor = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Path folder = folder();
            Flow.Result result = new Flow(BODY_BYTES).run(folder, nanos);
            flows[i] = result.messagesPerSecond();
            processor[i] = result.processorMicros();
            delete(folder);
        }
        out.printf(
                Locale.ROOT,
                "non-persistent, one producer and one consumer (AUTO_ACKNOWLEDGE): %,.0f messages/s, "
                        + "%.1f µs of processor time each%n",
                median(flows),
                median(processor));
    }

    private void compare(String name, Subject.Opener jms, int inFlight) throws IOException {
        Load.Result[] bare = new Load.Result[rounds];
        Load.Result[] sends = new Load.Result[rounds];
        double[] rates = new double[rounds];
        double[] latencies = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            bare[i] = round(BareWriter::new, inFlight);
            sends[i] = round(jms, inFlight);
            rates[i] = sends[i].recordsPerSecond() / bare[i].recordsPerSecond();
            latencies[i] = sends[i].p50Micros() / bare[i].p50Micros();
        }
        out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | %.0f %% | %.0f | %.0f / %.0f | %.2f |%n",
                name,
                median(Stream.of(bare)
                        .mapToDouble(Load.Result::recordsPerSecond)
                        .toArray()),
                median(Stream.of(sends)
                        .mapToDouble(Load.Result::recordsPerSecond)
                        .toArray()),
                100 * median(rates),
                median(Stream.of(bare).mapToDouble(Load.Result::p50Micros).toArray()),
                median(Stream.of(sends).mapToDouble(Load.Result::p50Micros).toArray()),
                median(Stream.of(sends).mapToDouble(Load.Result::p99Micros).toArray()),
                median(latencies));
    }

    private Load.Result round(Subject.Opener opener, int inFlight) throws IOException {
        Path folder = folder();
        Load load = new Load(inFlight);
        try (Subject subject = opener.open(folder, BODY_BYTES, load::durable)) {
            return load.run(subject, nanos);
        } finally {
            delete(folder);
        }
    }

    private Path folder() throws IOException {
        return Files.createDirectory(root.resolve("round" + ++folders));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        java.util.Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
