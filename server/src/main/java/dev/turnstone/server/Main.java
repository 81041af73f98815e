package dev.turnstone.server;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The program {@code turnstone}. Exit codes: 0 when it did what was asked and after SIGTERM, 1 when the broker could
 * not start or had to stop, 2 when the command line is wrong. Every refusal is one line on the error stream.
 */
public final class Main {
    /** What was asked for could not be done. */
    static final int FAILED = 1;

    private Main() {}

    /** Does what the arguments say, then ends the process with its exit code. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, arguments));
    }

    /** Does what the arguments say; returns the exit code. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        return new CommandLine(new TurnstoneCommand())
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(Main::refuseArguments)
                .setExecutionExceptionHandler(Main::reportFailure)
                .execute(arguments);
    }

    private static int refuseArguments(ParameterException refused, String[] arguments) {
        CommandLine command = refused.getCommandLine();
        command.getErr().println("turnstone: " + Refusal.of(refused));
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int reportFailure(Exception failure, CommandLine command, ParseResult parsed) {
        Refusal.of(failure).lines().forEach(line -> command.getErr().println("turnstone: " + line));
        return FAILED;
    }
}
