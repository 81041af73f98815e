package dev.turnstone.server;

import dev.turnstone.journal.JournalLimits;
import dev.turnstone.port.PortLimits;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything that a user can set, checked.
 *
 * @param data setting {@code data}: the folder that keeps the messages
 * @param listeners setting {@code listen}: where to listen; empty means every protocol's default port on loopback
 * @param insecure setting {@code insecure}: allows listeners that other machines can reach, although nobody has to log
 *     in
 * @param journal the settings under {@code journal}
 * @param port the settings under {@code message}
 */
record Settings(Path data, List<ListenAddress> listeners, boolean insecure, JournalLimits journal, PortLimits port) {
    /** What holds without configuration: an embedded store under {@code ./data}. */
    static final Settings DEFAULTS =
            new Settings(Path.of("data"), List.of(), false, JournalLimits.DEFAULTS, PortLimits.DEFAULTS);

    Settings {
        listeners = List.copyOf(listeners);
    }

    Settings withData(Path folder) {
        return new Settings(folder, listeners, insecure, journal, port);
    }

    Settings withListeners(List<ListenAddress> others) {
        return new Settings(data, others, insecure, journal, port);
    }
}
