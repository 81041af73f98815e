package dev.turnstone.server;

import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Effective;
import dev.turnstone.server.config.Problem;
import dev.turnstone.server.config.Reference;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code turnstone config}: looks at settings without starting a broker. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description = "Check settings, show those that hold, or print what there is to set.",
        subcommands = {ConfigCommand.Check.class, ConfigCommand.Show.class, ConfigCommand.Docs.class})
final class ConfigCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "what about settings? One of check, show, docs; see --help");
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Check the settings and the files that they name; exit code 1 if anything is wrong.")
    static final class Check implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private SettingsOptions options = new SettingsOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() {
            Configuration<Settings> configuration = options.read(Map.of());
            List<Problem> problems = SettingsChecks.problems(configuration, Transports.onClassPath());
            PrintWriter out = spec.commandLine().getOut();
            if (json.wanted()) {
                out.println(Json.text(writer -> {
                    writer.writeStartObject();
                    Json.array(writer, "problems", problems, (each, problem) -> {
                        each.writeStringField("at", problem.origin().toString());
                        each.writeStringField("message", problem.message());
                    });
                    writer.writeArrayFieldStart("warnings");
                    for (String warning : configuration.warnings()) {
                        writer.writeString(warning);
                    }
                    writer.writeEndArray();
                    writer.writeEndObject();
                }));
            } else {
                problems.forEach(out::println);
                configuration.warnings().forEach(warning -> out.println("warning: " + warning));
                if (problems.isEmpty()) {
                    out.println(options.file() == null ? "nothing is wrong" : options.file() + ": nothing is wrong");
                }
            }
            return problems.isEmpty() ? 0 : Main.FAILED;
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Show every setting that holds and where it comes from; what may be secret is masked.")
    static final class Show implements Runnable {
        @Spec
        private CommandSpec spec;

        @Mixin
        private SettingsOptions options = new SettingsOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public void run() {
            Configuration<Settings> configuration = options.read(Map.of());
            SettingsOptions.checked(configuration);
            PrintWriter out = spec.commandLine().getOut();
            if (json.wanted()) {
                out.println(Json.text(writer -> {
                    writer.writeStartObject();
                    Json.array(writer, "settings", configuration.effective(), (each, setting) -> {
                        each.writeStringField("name", setting.name());
                        each.writeStringField("value", setting.shown());
                        each.writeStringField("from", setting.origin().toString());
                        each.writeBooleanField("live", setting.live());
                    });
                    writer.writeEndObject();
                }));
                return;
            }
            for (Effective setting : configuration.effective()) {
                out.println(setting.name() + ": " + setting.shown() + "  # " + setting.origin());
            }
        }
    }

    @Command(
            name = "docs",
            mixinStandardHelpOptions = true,
            description = "Print the manual's page of all settings, as Markdown.")
    static final class Docs implements Runnable {
        @Spec
        private CommandSpec spec;

        @Option(names = "--names", description = "The names alone, one a line.")
        private boolean names;

        @Override
        public void run() {
            PrintWriter out = spec.commandLine().getOut();
            if (names) {
                Reference.meanings(Settings.class).keySet().forEach(out::println);
            } else {
                out.print(Reference.page(Settings.class));
                out.flush();
            }
        }
    }
}
