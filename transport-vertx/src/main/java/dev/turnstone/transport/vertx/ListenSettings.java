package dev.turnstone.transport.vertx;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.Map;
import java.util.Set;
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
