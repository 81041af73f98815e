package dev.turnstone.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line's top: its options, and the commands below it. */
@Command(
        name = "turnstone",
        description = "A Jakarta Messaging provider and broker with exactly-once across protocols.",
        versionProvider = TurnstoneCommand.BuildVersion.class)
final class TurnstoneCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--version", versionHelp = true, description = "Print the version and exit.")
    private boolean versionAsked;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help and exit.")
    private boolean helpAsked;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "nothing to do; try 'turnstone --help'");
    }

    /** Tells picocli the version. */
    static final class BuildVersion implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"Turnstone " + Version.current()};
        }
    }
}
