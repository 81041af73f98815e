package dev.turnstone.server;

import dev.turnstone.journal.JournalLimits;
import dev.turnstone.port.PortLimits;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads {@code turnstone.yaml}. What it does not name keeps its default; what is not known is refused. Any thread. */
final class SettingsFile {
    private static final String DATA = "data";
    private static final String LISTEN = "listen";
    private static final String INSECURE = "insecure";
    private static final String JOURNAL_OUTSTANDING = "journal.outstanding";
    private static final String JOURNAL_FILE_BYTES = "journal.fileBytes";
    private static final String MESSAGE_BYTES_MAX = "message.bytesMax";
    private static final String MESSAGE_HEADER_BYTES_MAX = "message.headerBytesMax";

    private static final Set<String> KNOWN = Set.of(
            DATA,
            LISTEN,
            INSECURE,
            JOURNAL_OUTSTANDING,
            JOURNAL_FILE_BYTES,
            MESSAGE_BYTES_MAX,
            MESSAGE_HEADER_BYTES_MAX);

    private final Path file;
    private final SmallRyeConfig config;

    private SettingsFile(Path file, SmallRyeConfig config) {
        this.file = file;
        this.config = config;
    }

    /**
     * Reads and checks a file.
     *
     * @throws StartException if it cannot be read, is not YAML, or holds an unknown name or a wrong value
     */
    static Settings read(Path file) {
        YamlConfigSource source = parse(file, textOf(file));
        SmallRyeConfig config = new SmallRyeConfigBuilder().withSources(source).build();
        refuseUnknown(file, source.getPropertyNames());
        return new SettingsFile(file, config).settings();
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new StartException(file + ": there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new StartException(file + ": may not be read", e);
        } catch (CharacterCodingException e) {
            throw new StartException(file + ": is not UTF-8 text", e);
        } catch (IOException e) {
            throw new StartException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static YamlConfigSource parse(Path file, String text) {
        try {
            return new YamlConfigSource(file.toString(), text);
        } catch (RuntimeException e) {
            // The parser's message has many lines; the first ones say what, the place comes after.
            throw new StartException(
                    file + ": is not YAML: "
                            + String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " "),
                    e);
        }
    }

    private static void refuseUnknown(Path file, Set<String> names) {
        for (String name : new TreeSet<>(names)) {
            String plain = name.replaceFirst("\\[\\d+]$", "");
            boolean known = name.equals(plain) ? KNOWN.contains(name) : plain.equals(LISTEN);
            if (!known) {
                String hint = Spelling.nearest(plain, KNOWN)
                        .map(nearest -> "did you mean '" + nearest + "'?")
                        .orElse("known are: " + String.join(", ", new TreeSet<>(KNOWN)));
                throw new StartException(file + ": unknown setting '" + plain + "'; " + hint);
            }
        }
    }

    private Settings settings() {
        Settings defaults = Settings.DEFAULTS;
        return new Settings(
                value(DATA, Path::of, defaults.data()),
                listeners(),
                value(INSECURE, SettingsFile::yesOrNo, defaults.insecure()),
                journal(defaults.journal()),
                new PortLimits(
                        value(
                                MESSAGE_BYTES_MAX,
                                SettingsFile::bytesInt,
                                defaults.port().messageBytesMax()),
                        value(
                                MESSAGE_HEADER_BYTES_MAX,
                                SettingsFile::bytesInt,
                                defaults.port().headerBytesMax())));
    }

    private JournalLimits journal(JournalLimits defaults) {
        long outstanding = value(JOURNAL_OUTSTANDING, ByteSize::parse, defaults.outstandingBytes());
        int fileBytes = value(JOURNAL_FILE_BYTES, SettingsFile::bytesInt, defaults.fileBytes());
        try {
            return new JournalLimits(outstanding, defaults.recordMaxBytes(), fileBytes);
        } catch (IllegalArgumentException e) {
            throw new StartException(file + ": " + e.getMessage(), e);
        }
    }

    private List<ListenAddress> listeners() {
        List<String> written = config.getOptionalValues(LISTEN, String.class).orElse(List.of());
        try {
            return written.stream().map(ListenAddress::parse).toList();
        } catch (StartException e) {
            throw new StartException(file + ": " + LISTEN + ": " + e.getMessage(), e);
        }
    }

    private <T> T value(String name, Function<String, T> read, T absent) {
        Optional<String> written = config.getOptionalValue(name, String.class);
        try {
            return written.map(read).orElse(absent);
        } catch (IllegalArgumentException e) {
            throw new StartException(file + ": " + name + ": '" + written.orElse("") + "': " + e.getMessage(), e);
        }
    }

    private static boolean yesOrNo(String written) {
        return switch (written) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static int bytesInt(String written) {
        long bytes = ByteSize.parse(written);
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("must be from 1 to " + Integer.MAX_VALUE + " bytes");
        }
        return (int) bytes;
    }
}
