package dev.turnstone.server;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.server.security.SecuritySettings;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything that a user can set, checked.
 *
 * @param data setting {@code data}: the folder that keeps the messages
 * @param listeners setting {@code listen}: where to listen; empty means every protocol's default port on loopback
 * @param insecure setting {@code insecure}: allows listeners that other machines can reach, although nobody has to log
 *     in
 * @param journalProvider setting {@code journal.provider}: who keeps the journal
 * @param journal the other settings under {@code journal}
 * @param limits the engine's named limits
 * @param security the settings under {@code security}
 * @param addresses the settings under {@code addresses}
 */
record Settings(
        Path data,
        List<ListenAddress> listeners,
        boolean insecure,
        String journalProvider,
        JournalLimits journal,
        Limits limits,
        SecuritySettings security,
        AddressRules addresses) {
    /** What holds without configuration: an embedded store under {@code ./data}. */
    static final Settings DEFAULTS = new Settings(
            Path.of("data"),
            List.of(),
            false,
            BrokerSettings.JOURNAL,
            JournalLimits.DEFAULTS,
            Limits.DEFAULTS,
            SecuritySettings.NONE,
            AddressRules.DEFAULTS);

    Settings {
        listeners = List.copyOf(listeners);
    }

    Settings withData(Path folder) {
        return new Settings(folder, listeners, insecure, journalProvider, journal, limits, security, addresses);
    }

    Settings withListeners(List<ListenAddress> others) {
        return new Settings(data, others, insecure, journalProvider, journal, limits, security, addresses);
    }
}
