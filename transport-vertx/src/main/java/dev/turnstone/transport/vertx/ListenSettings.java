package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
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
    private final Map<String, String> settings;
    private final Set<String> known = new TreeSet<>();

    /** The settings of a listener of this protocol. */
    public ListenSettings(String protocol, Map<String, String> settings) {
        this.protocol = protocol;
        this.settings = settings;
    }

    /**
     * A whole number.
     *
     * @param fallback its value if it is not set
     * @param least the smallest value allowed
     * @throws BrokerException INVALID_CONFIGURATION if it is no number, or smaller
     */
    public int number(String name, int fallback, int least) {
        known.add(name);
        String text = settings.get(name);
        if (text == null) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(name, text, least, e);
        }
        throw refused(name, text, least, null);
    }

    /** A file, or null if it is not set. */
    @Nullable
    TlsFile file(String name) {
        List<TlsFile> files = files(name);
        if (files.size() > 1) {
            throw refused(name + " names more than one file");
        }
        return files.isEmpty() ? null : files.get(0);
    }

    /** Files with commas between them; none if it is not set. */
    List<TlsFile> files(String name) {
        known.add(name);
        String text = settings.get(name);
        if (text == null) {
            return List.of();
        }
        return Arrays.stream(text.split(",", -1))
                .map(path -> file(name, path.strip()))
                .toList();
    }

    private TlsFile file(String name, String path) {
        try {
            if (!path.isEmpty()) {
                return new TlsFile(protocol + " listener: " + name, Path.of(path));
            }
        } catch (InvalidPathException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION,
                    protocol + " listener: " + name + ": '" + path + "' is no file name",
                    e);
        }
        throw refused(name + " names no file");
    }

    /**
     * One of several words.
     *
     * @param fallback the word that counts if it is not set
     */
    <T> T choice(String name, String fallback, Map<String, T> words) {
        known.add(name);
        String text = settings.getOrDefault(name, fallback);
        T chosen = words.get(text);
        if (chosen == null) {
            throw refused(name + " must be one of " + new TreeMap<>(words).keySet() + ", not '" + text + "'");
        }
        return chosen;
    }

    /** The refusal of this listener's settings. */
    BrokerException refused(String why) {
        return new BrokerException(ErrorCode.INVALID_CONFIGURATION, protocol + " listener: " + why);
    }

    private BrokerException refused(String name, String text, int least, @Nullable Throwable cause) {
        String message = protocol + " listener: " + name + " must be a whole number of at least " + least + ", not '"
                + text + "'";
        return cause == null
                ? new BrokerException(ErrorCode.INVALID_CONFIGURATION, message)
                : new BrokerException(ErrorCode.INVALID_CONFIGURATION, message, cause);
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
