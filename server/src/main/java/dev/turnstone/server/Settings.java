package dev.turnstone.server;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Setting;
import dev.turnstone.server.metrics.MetricsSettings;
import dev.turnstone.server.security.SecuritySettings;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything that a user can set. A component is a setting or a section; a new section is a record, and one component
 * here.
 *
 * @param data the folder that keeps the messages
 * @param listen where to listen; empty means every protocol's default port on loopback
 * @param insecure allows listeners that other machines can reach, although nobody has to log in
 * @param journal how the journal is kept
 * @param disk how full the disk may be
 * @param metrics what is told to Prometheus
 * @param limits the engine's named limits
 * @param security who gets in and may do what
 * @param log what is logged
 * @param addresses what holds for queues and topics, by patterns of their addresses
 * @param bindings where messages go beside, or instead of, their address
 * @param virtualTopics topics whose subscribers are queues by their names
 */
record Settings(
        @Setting(value = "the folder that keeps the messages", standard = "data")
        Path data,

        @Setting(
                value = "a list of `PROTOCOL=HOST:PORT`, or of entries that have this as `at` and settings of the"
                        + " listener beside it; see [listeners](configuration.md#listeners)",
                standardInWords = "every protocol on loopback")
        List<ListenAddress> listen,

        @Setting(
                value = "allows listeners that other machines can reach, although nobody has to log in",
                standard = "false")
        boolean insecure,

        JournalSettings journal,
        DiskSettings disk,
        MetricsSettings metrics,
        Limits limits,
        SecuritySettings security,
        @Setting(value = "what is logged", live = true) LogSettings log,

        @Setting(value = "what holds for queues and topics, by patterns", live = true)
        AddressRules addresses,

        @Setting(value = "where messages go beside, or instead of, their address", live = true)
        List<BindingSettings> bindings,

        @Setting(value = "topics whose subscribers are queues by their names", live = true)
        List<VirtualTopicSettings> virtualTopics) {
    /** What holds without configuration: an embedded store under {@code ./data}. */
    static final Settings DEFAULTS = Configuration.standard(Settings.class);

    /** What the journal is opened with. */
    JournalLimits journalLimits() {
        return new JournalLimits(
                        journal.outstanding(),
                        JournalLimits.DEFAULTS.recordMaxBytes(),
                        journal.fileBytes(),
                        disk.lowWater())
                .withRelaxedSyncMs(journal.relaxedSyncMs());
    }

    /** Keeps copies; checks what concerns several settings. */
    Settings {
        listen = List.copyOf(listen);
        bindings = List.copyOf(bindings);
        virtualTopics = List.copyOf(virtualTopics);
        // A circle is wrong wherever it is.
        routing(bindings, virtualTopics);
    }

    /** Where messages go. */
    Bindings routing() {
        return routing(bindings, virtualTopics);
    }

    private static Bindings routing(List<BindingSettings> bindings, List<VirtualTopicSettings> virtualTopics) {
        return new Bindings(
                bindings.stream().map(BindingSettings::binding).toList(),
                virtualTopics.stream().map(VirtualTopicSettings::virtualTopics).toList());
    }
}
