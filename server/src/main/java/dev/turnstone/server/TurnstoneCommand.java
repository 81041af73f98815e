package dev.turnstone.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line's top: its options, and the commands below it. */
@Command(
        name = "turnstone",
        mixinStandardHelpOptions = true,
        description = "A Jakarta Messaging provider and broker with exactly-once across protocols.",
        versionProvider = TurnstoneCommand.BuildVersion.class,
        subcommands = {
            RunCommand.class,
            DemoCommand.class,
            PerfCommand.class,
            JournalCommand.class,
            UserCommand.class,
            QueueCommand.class,
            ConfigCommand.class,
            TlsCommand.class,
            CompletionCommand.class
        })
final class TurnstoneCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "nothing to do; try 'turnstone run' or 'turnstone --help'");
    }

    /** Tells picocli the version. */
    static final class BuildVersion implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"Turnstone " + Version.current()};
        }
    }
}
