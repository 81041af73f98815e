package dev.turnstone.server;

import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Configuration.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which every command finds its settings. One thread. */
final class SettingsOptions {
    /** What is read if it is there and no other file is named. */
    private static final Path USUAL = Path.of("turnstone.yaml");

    private static final String VARIABLE = "TURNSTONE_CONFIG";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings, as YAML; without it the variable TURNSTONE_CONFIG names the file, or it is"
                    + " ./turnstone.yaml, if there is one.")
    private @Nullable Path file;

    @Option(
            names = "-D",
            paramLabel = "NAME=VALUE",
            description = "A setting, by the name that it has in the file; wins over file and environment.")
    private Map<String, String> given = new LinkedHashMap<>();

    /** Reads and checks the settings; {@code options} are those that have an option of their own. */
    Configuration<Settings> read(Map<String, Configuration.Option> options) {
        Map<String, Configuration.Option> all = new LinkedHashMap<>();
        given.forEach((name, text) -> all.put(name, new Configuration.Option(text, "-D " + name)));
        all.putAll(options);
        return Configuration.read(
                Settings.class, new Sources(file(), System.getenv(), texts(System.getProperties()), all));
    }

    /**
     * The settings, if nothing is wrong with them.
     *
     * @throws StartException that names all mistakes
     */
    Settings settings() {
        return checked(read(Map.of()));
    }

    /** The settings of what was read, if nothing is wrong with them. */
    static Settings checked(Configuration<Settings> configuration) {
        Settings settings = configuration.settings();
        if (settings == null) {
            throw new StartException(configuration.problems());
        }
        return settings;
    }

    /** The file that is read, or null for none. */
    @Nullable
    Path file() {
        if (file != null) {
            return file;
        }
        String named = System.getenv(VARIABLE);
        if (named != null && !named.isBlank()) {
            return Path.of(named);
        }
        return Files.exists(USUAL) ? USUAL : null;
    }

    private static Map<String, String> texts(Properties properties) {
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }
}
