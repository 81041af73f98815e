package dev.turnstone.benchmarks.journal;

import dev.turnstone.benchmarks.journal.JournalSubject.Life;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The journal's records a second and latency beside those of a bare writer, in alternating rounds on one disk, so that
 * a noisy machine hurts both alike; the medians and their ratio are printed. Arguments: seconds a round (1), rounds
 * (9), folder (a temporary one; "" too), numbers in flight (1,16,64,1000), lives of the records (BURST,QUEUE,MIXED).
 */
public final class JournalSpeed {
    private static final int RECORD_BYTES = 1024;

    /** While what lives settles. */
    private static final int SETTLING_IN_FLIGHT = 1000;

    private final Path root;
    private final long nanos;
    private final int rounds;
    private final int[] inFlights;
    private final List<Life> lives;
    private final PrintStream out;

    private JournalSpeed(Path root, long nanos, int rounds, int[] inFlights, List<Life> lives, PrintStream out) {
        this.root = root;
        this.nanos = nanos;
        this.rounds = rounds;
        this.inFlights = inFlights;
        this.lives = lives;
        this.out = out;
    }

    /** Runs it; see the class. */
    public static void main(String[] args) throws IOException {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 1;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 9;
        int[] inFlights = Stream.of((args.length > 3 ? args[3] : "1,16,64,1000").split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
        Path root = args.length > 2 && !args[2].isEmpty()
                ? Files.createDirectories(Path.of(args[2]))
                : Files.createTempDirectory("journal-speed");
        List<Life> lives = args.length > 4
                ? Stream.of(args[4].split(",")).map(Life::valueOf).toList()
                : List.of(Life.values());
        try {
            new JournalSpeed(root, (long) (seconds * 1e9), rounds, inFlights, lives, System.out).run();
        } finally {
            delete(root);
        }
    }

    private void run() throws IOException {
        out.printf(
                Locale.ROOT, "%d-byte records, %d rounds of %.1f s each, medians%n", RECORD_BYTES, rounds, nanos / 1e9);
        round("warm-up", BareWriter::new, 64);
        for (Life life : lives) {
            compare(life);
        }
    }

    private void compare(Life life) throws IOException {
        Subject.Opener opener =
                (folder, recordBytes, durable) -> new JournalSubject(life, folder, recordBytes, durable);
        out.println(
                switch (life) {
                    case BURST -> "adds alone";
                    case QUEUE -> "an add and a delete for each record";
                    case MIXED -> "an add and a delete for each record, some live long: compaction runs";
                });
        out.println("| in flight | bare records/s | journal records/s | ratio "
                + "| bare p50/p99/max µs | journal p50/p99/max µs | p50 ratio |");
        out.println("|---|---|---|---|---|---|---|");
        round("warm-up", opener, 64);
        round("warm-up", opener, 1000);
        for (int inFlight : inFlights) {
            List<Load.Result> bare = new ArrayList<>();
            List<Load.Result> journal = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                bare.add(round("bare-" + i, BareWriter::new, inFlight));
                journal.add(round("journal-" + i, opener, inFlight));
            }
            print(inFlight, bare, journal);
        }
    }

    private Load.Result round(String name, Subject.Opener opener, int inFlight) throws IOException {
        Path folder = Files.createDirectory(root.resolve(name));
        Load load = new Load(Math.max(inFlight, SETTLING_IN_FLIGHT));
        try (Subject subject = opener.open(folder, RECORD_BYTES, load::durable)) {
            // The bare writer's file is there from the start; the journal makes its files as it needs them, then reuses
            // them.
            while (!subject.settled()) {
                load.run(subject, nanos);
            }
            load.keep(inFlight);
            load.run(subject, nanos);
            return load.run(subject, nanos);
        } finally {
            delete(folder);
        }
    }

    private void print(int inFlight, List<Load.Result> bareRounds, List<Load.Result> journalRounds) {
        Load.Result bare = median(bareRounds);
        Load.Result journal = median(journalRounds);
        double[] rates = new double[rounds];
        double[] latencies = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            rates[i] =
                    journalRounds.get(i).recordsPerSecond() / bareRounds.get(i).recordsPerSecond();
            latencies[i] = journalRounds.get(i).p50Micros() / bareRounds.get(i).p50Micros();
        }
        Arrays.sort(rates);
        Arrays.sort(latencies);
        out.printf(
                Locale.ROOT,
                "| %d | %,.0f | %,.0f | %.0f %% | %.0f / %.0f / %.0f | %.0f / %.0f / %.0f | %.2f |%n",
                inFlight,
                bare.recordsPerSecond(),
                journal.recordsPerSecond(),
                100 * middle(rates),
                bare.p50Micros(),
                bare.p99Micros(),
                worst(bareRounds),
                journal.p50Micros(),
                journal.p99Micros(),
                worst(journalRounds),
                middle(latencies));
    }

    private static double worst(List<Load.Result> results) {
        return results.stream().mapToDouble(Load.Result::maxMicros).max().orElse(0);
    }

    private static Load.Result median(List<Load.Result> results) {
        return new Load.Result(
                median(results, Load.Result::recordsPerSecond),
                median(results, Load.Result::p50Micros),
                median(results, Load.Result::p99Micros),
                worst(results));
    }

    private static double median(List<Load.Result> results, ToDoubleFunction<Load.Result> figure) {
        return middle(results.stream().mapToDouble(figure).sorted().toArray());
    }

    private static double middle(double[] sorted) {
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
