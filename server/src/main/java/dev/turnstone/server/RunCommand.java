package dev.turnstone.server;

import dev.turnstone.server.config.Configuration;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code turnstone run}: a broker in the foreground, until SIGTERM. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Start a broker in the foreground; SIGTERM ends it in order.")
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The folder that keeps the messages; ./data if not given.")
    private @Nullable String data;

    @Option(
            names = "--listen",
            paramLabel = "PROTOCOL=HOST:PORT",
            description = "Listen there; may be repeated, and then replaces the default listeners.")
    private @Nullable List<String> listen;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Configuration<Settings> configuration = configuration();
        if (configuration.settings() != null) {
            out.println("Turnstone " + Version.current());
        }
        return ServerProcess.start(configuration, this::configuration, out).awaitEnd();
    }

    /** What is written in the file and elsewhere, under what the command line says. */
    private Configuration<Settings> configuration() {
        Map<String, Configuration.Option> given = new HashMap<>();
        if (data != null) {
            given.put("data", new Configuration.Option(data, "--data"));
        }
        for (int i = 0; listen != null && i < listen.size(); i++) {
            given.put("listen[" + i + "]", new Configuration.Option(listen.get(i), "--listen"));
        }
        return options.read(given);
    }
}
