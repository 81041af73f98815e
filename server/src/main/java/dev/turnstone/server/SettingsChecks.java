package dev.turnstone.server;

import dev.turnstone.port.BrokerException;
import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Problem;
import dev.turnstone.server.security.ServerSecurity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks of settings beyond one value: what they name, and how they go together. Changes nothing. One thread. */
final class SettingsChecks {
    private static final String DATA = "data";
    private static final String TLS = "tls.";

    private final Configuration<Settings> configuration;
    private final Transports transports;
    private final List<Problem> problems = new ArrayList<>();

    private SettingsChecks(Configuration<Settings> configuration, Transports transports) {
        this.configuration = configuration;
        this.transports = transports;
    }

    /** All that is wrong; empty if a broker may start with these settings. */
    static List<Problem> problems(Configuration<Settings> configuration, Transports transports) {
        Settings settings = configuration.settings();
        if (settings == null) {
            return configuration.problems();
        }
        SettingsChecks checks = new SettingsChecks(configuration, transports);
        checks.check(settings);
        return checks.problems;
    }

    /**
     * The settings, if nothing is wrong with them.
     *
     * @throws StartException that names everything that is wrong
     */
    static Settings checked(Configuration<Settings> configuration, Transports transports) {
        List<Problem> problems = problems(configuration, transports);
        Settings settings = configuration.settings();
        if (settings == null || !problems.isEmpty()) {
            throw new StartException(problems);
        }
        return settings;
    }

    private void check(Settings settings) {
        check(DATA, folderMistake(settings.data()));
        for (int i = 0; i < settings.listen().size(); i++) {
            ListenAddress address = settings.listen().get(i);
            String name = "listen[" + i + "]";
            Map<String, String> unknown = transports.unknown(address);
            unknown.forEach((setting, mistake) -> check(name + "." + setting, mistake));
            if (unknown.isEmpty()) {
                checkListener(name, address, transports.mistake(address, settings));
            }
            for (int before = 0; before < i; before++) {
                if (address.clashesWith(settings.listen().get(before))) {
                    check(name, address.port() + " is the port of listen[" + before + "] already");
                    break;
                }
            }
        }
        ServerSecurity.mistakes(settings.security()).forEach(this::check);
        check("security.audit", fileMistake(settings.security().audit()));
    }

    /** Names the setting of the listener that a mistake is about, as far as the message begins with it. */
    private void checkListener(String name, ListenAddress address, @Nullable String mistake) {
        String begin = address.protocol() + " listener: ";
        if (mistake == null || !mistake.startsWith(begin)) {
            check(name, mistake);
            return;
        }
        String rest = mistake.substring(begin.length());
        String longest = "";
        for (String setting : address.settings().keySet()) {
            boolean about =
                    rest.startsWith(setting) && rest.substring(setting.length()).matches("(?s)(:? |: ).*");
            longest = about && setting.length() > longest.length() ? setting : longest;
        }
        if (!longest.isEmpty()) {
            check(name + "." + longest, rest.substring(longest.length()).replaceFirst("^:? +", ""));
            return;
        }
        // What is missing has no line of its own.
        check(
                rest.regionMatches(true, 0, TLS, 0, TLS.length() - 1)
                        ? address.settings().keySet().stream()
                                .filter(setting -> setting.startsWith(TLS))
                                .sorted()
                                .findFirst()
                                .map(setting -> name + "." + setting)
                                .orElse(name)
                        : name,
                rest);
    }

    private void check(String name, @Nullable String mistake) {
        if (mistake != null) {
            problems.add(configuration.problem(name, mistake));
        }
    }

    /** Of a file that is appended to, and made with its folder if it is not there. */
    private static @Nullable String fileMistake(@Nullable Path file) {
        if (file == null) {
            return null;
        }
        if (!Files.exists(file)) {
            Path folder = file.toAbsolutePath().normalize().getParent();
            return folder == null ? null : folderMistake(folder);
        }
        if (Files.isDirectory(file)) {
            return file + " is a folder";
        }
        return Files.isWritable(file) ? null : "the file " + file + " may not be written";
    }

    private static @Nullable String folderMistake(Path folder) {
        if (Files.exists(folder)) {
            if (!Files.isDirectory(folder)) {
                return folder + " is no folder";
            }
            return Files.isWritable(folder) ? null : "the folder " + folder + " may not be written";
        }
        Path parent = folder.toAbsolutePath().normalize().getParent();
        while (parent != null && !Files.exists(parent)) {
            parent = parent.getParent();
        }
        return parent == null || Files.isDirectory(parent) && Files.isWritable(parent)
                ? null
                : "the folder " + folder + " cannot be made in " + parent;
    }

    /** Runs a check that throws what is wrong. */
    static @Nullable String mistakeOf(Runnable check) {
        try {
            check.run();
            return null;
        } catch (BrokerException | StartException e) {
            return e.getMessage();
        }
    }
}
