package dev.turnstone.server;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code turnstone completion}: what a shell needs to complete commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Print a script for bash and zsh that completes commands and options: source <(turnstone"
                + " completion)")
final class CompletionCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandSpec top = spec.root();
        spec.commandLine().getOut().println(AutoComplete.bash(top.name(), top.commandLine()));
    }
}
