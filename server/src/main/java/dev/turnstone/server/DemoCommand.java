package dev.turnstone.server;

import dev.turnstone.server.load.Demo;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code turnstone demo}: shows on a broker of its own what is promised, with a figure. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Orders go in over STOMP, a JMS transaction turns each into a result, and the results are"
                + " counted. Exit code 1 if one is missing or there twice. Uses a broker and a folder of its own.")
final class DemoCommand implements Callable<Integer> {
    private static final int ORDERS_MAX = 10_000_000;
    private static final int BAR = 40;

    @Spec
    private CommandSpec spec;

    @Option(names = "--orders", paramLabel = "N", defaultValue = "10000", description = "How many; ${DEFAULT-VALUE}.")
    private int orders;

    @Option(
            names = "--seconds-max",
            paramLabel = "N",
            defaultValue = "300",
            description = "End after so long, whatever is missing; ${DEFAULT-VALUE}.")
    private int secondsMax;

    @Option(names = "--no-bar", description = "No progress bar.")
    private boolean noBar;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        if (orders < 1 || orders > ORDERS_MAX || secondsMax < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--orders is from 1 to " + ORDERS_MAX + ", --seconds-max at least 1");
        }
        try (ScratchBroker scratch = ScratchBroker.start(null, "stomp=127.0.0.1:0")) {
            Demo.Outcome outcome = new Demo(scratch.broker(), orders, secondsMax).run(this::progress);
            say(outcome);
            return outcome.right() ? 0 : Main.FAILED;
        }
    }

    private void progress(int results) {
        int step = Math.max(1, orders / BAR);
        if (!noBar && !json.wanted() && (results % step == 0 || results == orders)) {
            int full = (int) ((long) results * BAR / orders);
            PrintWriter err = spec.commandLine().getErr();
            err.print("\r[" + "#".repeat(full) + " ".repeat(BAR - full) + "] " + results + "/" + orders
                    + (results == orders ? "\n" : ""));
            err.flush();
        }
    }

    private void say(Demo.Outcome outcome) {
        PrintWriter out = spec.commandLine().getOut();
        double perSecond = outcome.results() * 1_000.0 / Math.max(1, outcome.millis());
        if (json.wanted()) {
            out.println(Json.text(writer -> {
                writer.writeStartObject();
                writer.writeNumberField("orders", orders);
                writer.writeNumberField("results", outcome.results());
                writer.writeNumberField("lost", outcome.lost());
                writer.writeNumberField("doubled", outcome.doubled());
                writer.writeNumberField("millis", outcome.millis());
                writer.writeNumberField("ordersPerSecond", Math.round(perSecond));
                writer.writeEndObject();
            }));
        } else {
            out.println(String.format(
                    Locale.ROOT,
                    "%d orders over STOMP, %d results from JMS transactions, %d lost, %d doubled: %.1f s, %.0f"
                            + " a second,"
                            + " each on disk before it was confirmed",
                    orders,
                    outcome.results(),
                    outcome.lost(),
                    outcome.doubled(),
                    outcome.millis() / 1_000.0,
                    perSecond));
        }
    }
}
