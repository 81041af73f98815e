package dev.turnstone.server;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.port.BrokerException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Reads {@code turnstone.yaml}. What it does not name keeps its default; what is not known is refused. Any thread. */
final class SettingsFile {
    private static final String DATA = "data";
    private static final String INSECURE = "insecure";
    private static final String JOURNAL_PROVIDER = "journal.provider";
    private static final String JOURNAL_OUTSTANDING = "journal.outstanding";
    private static final String JOURNAL_FILE_BYTES = "journal.fileBytes";
    private static final String DISK_LOW_WATER = "disk.lowWater";
    private static final Set<String> OWN = Set.of(
            DATA,
            ListenSection.LISTEN,
            INSECURE,
            JOURNAL_PROVIDER,
            JOURNAL_OUTSTANDING,
            JOURNAL_FILE_BYTES,
            DISK_LOW_WATER);
    private static final Set<String> LISTS = lists();
    private static final String BYTES = "bytes";

    private final Path file;
    private final Map<String, String> written;
    private final SmallRyeConfig config;

    private SettingsFile(Path file, Map<String, String> written, SmallRyeConfig config) {
        this.file = file;
        this.written = written;
        this.config = config;
    }

    /**
     * Reads and checks a file.
     *
     * @throws StartException if it cannot be read, is not YAML, or holds an unknown name or a wrong value
     */
    static Settings read(Path file) {
        Map<String, String> written = plainNames(file, parse(file, textOf(file)).getProperties());
        refuseUnknown(file, written.keySet());
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(written, file.toString(), ConfigSource.DEFAULT_ORDINAL))
                .build();
        return new SettingsFile(file, written, config).settings();
    }

    /** People write {@code a.b: 1} as well as {@code a: {b: 1}}; the source puts the former in quotes. */
    private static Map<String, String> plainNames(Path file, Map<String, String> properties) {
        Map<String, String> plain = new TreeMap<>();
        properties.forEach((name, value) -> {
            String unquoted = name.replace("\"", "");
            if (plain.put(unquoted, value) != null) {
                throw new StartException(file + ": '" + unquoted + "' is given twice");
            }
        });
        return plain;
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
        Set<String> known = known();
        for (String name : names) {
            String plain = name.replaceAll("\\[\\d+]", "");
            boolean list = name.endsWith("]");
            if (list && known.contains(plain) && !LISTS.contains(plain)) {
                throw new StartException(file + ": " + plain + " takes one value, not a list");
            }
            if (!known.contains(plain) && !AddressSection.owns(plain) && !ListenSection.isListenersOwn(plain)) {
                String hint = Spelling.nearest(plain, known)
                        .map(nearest -> "did you mean '" + nearest + "'?")
                        .orElse("known are: " + String.join(", ", known));
                throw new StartException(file + ": unknown setting '" + plain + "'; " + hint);
            }
        }
    }

    private static Set<String> lists() {
        Set<String> lists = new TreeSet<>(SecuritySection.LISTS);
        lists.add(ListenSection.LISTEN);
        return lists;
    }

    /** The names of all settings, sorted. */
    static Set<String> known() {
        Set<String> known = new TreeSet<>(OWN);
        known.addAll(SecuritySection.KNOWN);
        Arrays.stream(Limit.values()).map(Limit::setting).forEach(known::add);
        return known;
    }

    private Settings settings() {
        Settings defaults = Settings.DEFAULTS;
        return new Settings(
                value(DATA, Path::of).orElse(defaults.data()),
                ListenSection.read(file, written),
                value(INSECURE, SettingsFile::yesOrNo).orElse(defaults.insecure()),
                value(JOURNAL_PROVIDER, Function.identity()).orElse(defaults.journalProvider()),
                journal(defaults.journal()),
                limits(),
                SecuritySection.read(file, written),
                AddressSection.read(file, written));
    }

    private Limits limits() {
        Limits limits = Limits.DEFAULTS;
        for (Limit limit : Limit.values()) {
            Optional<Long> amount =
                    value(limit.setting(), limit.unit().equals(BYTES) ? ByteSize::parse : SettingsFile::wholeNumber);
            try {
                limits = amount.isEmpty() ? limits : limits.with(limit, amount.get());
            } catch (BrokerException e) {
                throw new StartException(file + ": " + e.getMessage(), e);
            }
        }
        return limits;
    }

    private JournalLimits journal(JournalLimits defaults) {
        long outstanding = value(JOURNAL_OUTSTANDING, ByteSize::parse).orElse(defaults.outstandingBytes());
        int fileBytes = value(JOURNAL_FILE_BYTES, SettingsFile::bytesInt).orElse(defaults.fileBytes());
        long lowWater = value(DISK_LOW_WATER, ByteSize::parse).orElse(defaults.diskLowWaterBytes());
        try {
            return new JournalLimits(outstanding, defaults.recordMaxBytes(), fileBytes, lowWater);
        } catch (IllegalArgumentException e) {
            throw new StartException(file + ": " + e.getMessage(), e);
        }
    }

    private <T> Optional<T> value(String name, Function<String, T> read) {
        Optional<String> written = config.getOptionalValue(name, String.class);
        try {
            return written.map(read);
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

    private static long wholeNumber(String written) {
        try {
            return Long.parseLong(written);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a whole number", e);
        }
    }

    private static int bytesInt(String written) {
        long bytes = ByteSize.parse(written);
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("must be from 1 to " + Integer.MAX_VALUE + " bytes");
        }
        return (int) bytes;
    }
}
