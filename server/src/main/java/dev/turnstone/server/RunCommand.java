package dev.turnstone.server;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
    private @Nullable Path data;

    @Option(
            names = "--listen",
            paramLabel = "PROTOCOL=HOST:PORT",
            description = "Listen there; may be repeated, and then replaces the default listeners.")
    private @Nullable List<String> listen;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings, as YAML.")
    private @Nullable Path config;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Settings settings = settings();
        out.println("Turnstone " + Version.current());
        ServerProcess process = ServerProcess.start(settings, Transports.onClassPath(), out);
        Hangup.handle(() -> process.reload(this::settings));
        return process.awaitEnd();
    }

    /** The file's settings, or the defaults, under what the command line says. */
    private Settings settings() {
        Settings settings = config == null ? Settings.DEFAULTS : SettingsFile.read(config);
        if (data != null) {
            settings = settings.withData(data);
        }
        if (listen != null) {
            settings = settings.withListeners(
                    listen.stream().map(ListenAddress::parse).toList());
        }
        return settings;
    }
}
