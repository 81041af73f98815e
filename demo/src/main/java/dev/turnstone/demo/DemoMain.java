package dev.turnstone.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code turnstone demo --all}: one message through all doors, exactly once. */
@Command(
        name = "turnstone demo",
        mixinStandardHelpOptions = true,
        description = "Readings go in by MQTT QoS 2; a transaction of Jakarta Transactions takes each, writes it to a"
                + " database (H2) and sends a result; results leave by STOMP, by OpenWire (ActiveMQ's client) and by"
                + " MQTT QoS 2. The process with the broker and the worker is killed (SIGKILL) as often as asked for."
                + " Exit code 1 if one is missing, there twice, or in doubt.")
public final class DemoMain implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--all", required = true, description = "Through all doors.")
    private boolean all;

    @Option(
            names = "--readings",
            paramLabel = "N",
            defaultValue = "500",
            description = "How many at least; they go on while there are kills to come; ${DEFAULT-VALUE}.")
    private int readings;

    @Option(names = "--kills", paramLabel = "N", defaultValue = "0", description = "How many; ${DEFAULT-VALUE}.")
    private int kills;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "What is missing when nothing has happened for so long is lost; ${DEFAULT-VALUE}.")
    private int patienceS;

    @Option(names = "--seed", paramLabel = "N", description = "Draw the same moments again.")
    private long seed = System.nanoTime();

    @Option(names = "--journal", hidden = true, defaultValue = "artemis")
    private String journal;

    /** For the command line. */
    public static void main(String[] args) {
        System.exit(command().execute(args));
    }

    static CommandLine command() {
        return new CommandLine(new DemoMain()).setParameterExceptionHandler(DemoMain::refuseArguments);
    }

    private static int refuseArguments(ParameterException refused, String[] arguments) {
        CommandLine command = refused.getCommandLine();
        command.getErr().println("turnstone: " + refused.getMessage());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!all || readings < 1 || kills < 0 || patienceS < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--readings and --patience are at least 1, --kills at least 0");
        }
        PrintWriter err = spec.commandLine().getErr();
        Path folder = Files.createTempDirectory("turnstone-doors");
        DoorsRun.Outcome outcome = new DoorsRun(
                        new DoorsRun.Settings(
                                WorkerMain.class.getName(), folder, journal, readings, kills, patienceS, seed),
                        line -> {
                            err.println(line);
                            err.flush();
                        })
                .run();
        spec.commandLine().getOut().print(table(outcome));
        spec.commandLine().getOut().flush();
        if (outcome.clean()) {
            delete(folder);
            return 0;
        }
        err.println("--seed=" + seed + "; the data is in " + folder);
        return 1;
    }

    static String table(DoorsRun.Outcome outcome) {
        StringBuilder table = new StringBuilder();
        String row = "%-24s %8s %8s %8s %s%n";
        table.append(String.format(Locale.ROOT, row, "", "count", "lost", "doubled", ""));
        table.append(String.format(Locale.ROOT, row, "sent by MQTT QoS 2", outcome.sent(), "", "", ""));
        table.append(String.format(
                Locale.ROOT,
                row,
                "stored in the database",
                outcome.stored(),
                outcome.sent() - outcome.stored(),
                outcome.storedTwice(),
                ""));
        for (DoorsRun.Received received : outcome.received()) {
            table.append(String.format(
                    Locale.ROOT,
                    row,
                    "received by " + received.door(),
                    received.count(),
                    received.lost(),
                    received.doubled(),
                    received.again() == 0 ? "" : received.again() + " came again after a kill and said so"));
        }
        table.append(String.format(
                Locale.ROOT,
                "lost %d, doubled %d, in doubt %d%n",
                outcome.lost(),
                outcome.doubled(),
                outcome.inDoubt()));
        return table.toString();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : all) {
                Files.delete(file);
            }
        }
    }
}
