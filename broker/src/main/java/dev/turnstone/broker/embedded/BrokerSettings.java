package dev.turnstone.broker.embedded;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.port.BrokerException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * How to start a broker.
 *
 * @param name appears in thread names and logs
 * @param data the folder of its journal, created if it is missing
 * @param journal the journal provider's name
 * @param journalLimits the journal's named limits
 * @param limits the engine's named limits
 * @param security who may connect and do what, until {@link EmbeddedBroker#secure} replaces it
 * @param addresses the settings of queues and topics, until {@link EmbeddedBroker#configure} replaces them
 * @param bindings where messages go beside their address, until {@link EmbeddedBroker#bind} replaces them
 * @param onFailure called once, on a broker thread, if the broker ends because its journal failed or an invariant broke
 */
public record BrokerSettings(
        String name,
        Path data,
        String journal,
        JournalLimits journalLimits,
        Limits limits,
        Security security,
        AddressRules addresses,
        Bindings bindings,
        Consumer<BrokerException> onFailure) {
    /** The journal provider when none is named. */
    public static final String JOURNAL = "artemis";

    /** A broker that only this machine can reach, without users. */
    public BrokerSettings(
            String name,
            Path data,
            String journal,
            JournalLimits journalLimits,
            Limits limits,
            Consumer<BrokerException> onFailure) {
        this(
                name,
                data,
                journal,
                journalLimits,
                limits,
                Security.LOOPBACK,
                AddressRules.DEFAULTS,
                Bindings.NONE,
                onFailure);
    }

    /** A broker in this folder with everything else as it is by default. */
    public static BrokerSettings in(Path data) {
        return new BrokerSettings("turnstone", data, JOURNAL, JournalLimits.DEFAULTS, Limits.DEFAULTS, cause -> {});
    }

    /** The same with another journal provider. */
    public BrokerSettings withJournal(String other) {
        return new BrokerSettings(name, data, other, journalLimits, limits, security, addresses, bindings, onFailure);
    }

    /** The same with other limits. */
    public BrokerSettings withLimits(Limits other) {
        return new BrokerSettings(name, data, journal, journalLimits, other, security, addresses, bindings, onFailure);
    }

    /** The same with other limits of the journal. */
    public BrokerSettings withJournalLimits(JournalLimits other) {
        return new BrokerSettings(name, data, journal, other, limits, security, addresses, bindings, onFailure);
    }

    /** The same with another hearer of failure. */
    public BrokerSettings withOnFailure(Consumer<BrokerException> other) {
        return new BrokerSettings(name, data, journal, journalLimits, limits, security, addresses, bindings, other);
    }

    /** The same with another security. */
    public BrokerSettings withSecurity(Security other) {
        return new BrokerSettings(name, data, journal, journalLimits, limits, other, addresses, bindings, onFailure);
    }

    /** The same with other settings of queues and topics. */
    public BrokerSettings withAddresses(AddressRules other) {
        return new BrokerSettings(name, data, journal, journalLimits, limits, security, other, bindings, onFailure);
    }

    /** The same with other bindings. */
    public BrokerSettings withBindings(Bindings other) {
        return new BrokerSettings(name, data, journal, journalLimits, limits, security, addresses, other, onFailure);
    }
}
