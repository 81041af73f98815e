package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.ByteSize;
import dev.turnstone.spi.ListenSetting;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a listener's settings and refuses what nobody has read. One thread. */
public final class ListenSettings {
    private final String protocol;
    private final String prefix;
    private final Map<String, String> settings;
    private final Set<String> known;

    private ListenSettings(String protocol, String prefix, Map<String, String> settings, Set<String> known) {
        this.protocol = protocol;
        this.prefix = prefix;
        this.settings = settings;
        this.known = known;
    }

    /** The settings of a listener of this protocol. */
    public ListenSettings(String protocol, Map<String, String> settings) {
        this(protocol, "", settings, new TreeSet<>());
    }

    /** Those whose names begin with a word and a dot, by what follows the dot. */
    public ListenSettings of(String word) {
        return new ListenSettings(protocol, prefix + word + ".", settings, known);
    }

    private @Nullable String given(String name) {
        known.add(prefix + name);
        return settings.get(prefix + name);
    }

    /**
     * A whole number, or an amount of bytes.
     *
     * @param least the smallest value allowed
     * @throws BrokerException INVALID_CONFIGURATION if it is no number, or smaller
     */
    public int number(ListenSetting setting, int least) {
        return number(setting, least, Integer.MAX_VALUE);
    }

    /**
     * A whole number, or an amount of bytes.
     *
     * @param least the smallest value allowed
     * @param most the largest value allowed
     * @throws BrokerException INVALID_CONFIGURATION if it is no number, smaller or larger
     */
    public int number(ListenSetting setting, int least, int most) {
        boolean bytes = setting.unit().equals(ListenSetting.BYTES);
        String given = given(setting.name());
        String text = given == null ? setting.standard() : given;
        String allowed = most == Integer.MAX_VALUE && !bytes ? "of at least " + least : "from " + least + " to " + most;
        String kind = bytes ? "an amount of bytes, such as 65536 or 64KiB, " : "a whole number ";
        String why = setting.name() + " must be " + kind + allowed + ", not '" + text + "'";
        try {
            long number = bytes ? ByteSize.parse(text) : Integer.parseInt(text);
            if (number >= least && number <= most) {
                return (int) number;
            }
        } catch (IllegalArgumentException e) {
            throw new BrokerException(ErrorCode.INVALID_CONFIGURATION, message(why), e);
        }
        throw refused(why);
    }

    /** A file, or null if it is not set. */
    @Nullable
    TlsFile file(ListenSetting setting) {
        List<TlsFile> files = files(setting);
        if (files.size() > 1) {
            throw refused(setting.name() + " names more than one file");
        }
        return files.isEmpty() ? null : files.get(0);
    }

    /** Files with commas between them; none if it is not set. */
    List<TlsFile> files(ListenSetting setting) {
        return texts(setting).stream().map(path -> file(setting.name(), path)).toList();
    }

    /** Texts with commas between them; none if it is not set. */
    public List<String> texts(ListenSetting setting) {
        String text = given(setting.name());
        if (text == null) {
            return List.of();
        }
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /** True or false. */
    public boolean flag(ListenSetting setting) {
        return choice(setting, Map.of("true", true, "false", false));
    }

    private TlsFile file(String name, String path) {
        try {
            if (!path.isEmpty()) {
                return new TlsFile(protocol + " listener: " + prefix + name, Path.of(path));
            }
        } catch (InvalidPathException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION, message(name + ": '" + path + "' is no file name"), e);
        }
        throw refused(name + " names no file");
    }

    /** One of several words. */
    <T> T choice(ListenSetting setting, Map<String, T> words) {
        String set = given(setting.name());
        String text = set == null ? setting.standard() : set;
        T chosen = words.get(text);
        if (chosen == null) {
            throw refused(setting.name() + " must be one of " + new TreeMap<>(words).keySet() + ", not '" + text + "'");
        }
        return chosen;
    }

    /**
     * The refusal of this listener's settings: INVALID_CONFIGURATION.
     *
     * @param why if it is about a single one, begins with its name as it is read here
     */
    public BrokerException refused(String why) {
        return new BrokerException(ErrorCode.INVALID_CONFIGURATION, message(why));
    }

    private String message(String why) {
        return protocol + " listener: " + prefix + why;
    }

    /**
     * Says that all settings have been read.
     *
     * @throws BrokerException INVALID_CONFIGURATION if there are others
     */
    public void end() {
        for (String name : settings.keySet()) {
            if (!known.contains(name)) {
                throw new BrokerException(
                        ErrorCode.INVALID_CONFIGURATION,
                        protocol + " listener: unknown setting '" + name + "'; known are " + String.join(", ", known));
            }
        }
    }
}
