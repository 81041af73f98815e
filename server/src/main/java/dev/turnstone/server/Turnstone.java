package dev.turnstone.server;

import dev.turnstone.broker.Closing;
import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.broker.embedded.FolderLabel;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Effective;
import dev.turnstone.server.metrics.HealthRoutes;
import dev.turnstone.server.metrics.Metrics;
import dev.turnstone.server.security.ServerSecurity;
import dev.turnstone.spi.Listener;
import jakarta.jms.ConnectionFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker in this JVM, with everything that the program {@code turnstone} has: users and permissions, listeners, the
 * settings of its YAML file by the same names and with the same checks.
 *
 * <pre>{@code
 * try (Turnstone broker = Turnstone.builder().data(Path.of("data")).listen("stomp=127.0.0.1:61613").start()) {
 *     ConnectionFactory factory = broker.connectionFactory();
 * }
 * }</pre>
 *
 * <p>It listens only where it is told to, reads neither environment nor properties of the JVM, and leaves logging to
 * the program. Several may run in one JVM, each on a data folder of its own. Its threads are daemons. Any thread,
 * except that {@link #close} must not be called on a thread of the broker's.
 */
public final class Turnstone implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Turnstone.class);

    private final EmbeddedBroker broker;
    private final ServerSecurity security;
    private final HealthRoutes health;
    private Configuration<Settings> configuration;

    private Turnstone(
            EmbeddedBroker broker,
            ServerSecurity security,
            HealthRoutes health,
            Configuration<Settings> configuration) {
        this.health = health;
        this.broker = broker;
        this.security = security;
        this.configuration = configuration;
    }

    /** A broker with every setting at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** What a broker is to be. Not for several threads at once. */
    public static final class Builder {
        private final Map<String, Configuration.Option> options = new LinkedHashMap<>();
        private @Nullable Path file;
        private Consumer<BrokerException> onFailure = cause -> {};

        private Builder() {}

        /** A YAML file with settings; what is set here wins over it. */
        public Builder config(Path yaml) {
            file = yaml;
            return this;
        }

        /** The folder that keeps the messages. */
        public Builder data(Path folder) {
            return set("data", folder.toString());
        }

        /** Where to listen, each as {@code PROTOCOL=HOST:PORT}; port 0 takes a free one. */
        public Builder listen(String... addresses) {
            return set("listen", String.join(",", addresses));
        }

        /** Any setting, by the name and in the form that it has in the YAML file. */
        public Builder set(String name, String value) {
            options.put(name, new Configuration.Option(value, "set(\"" + name + "\")"));
            return this;
        }

        /** Who is told, once and on a thread of the broker's, if it ends because its journal failed. */
        public Builder onFailure(Consumer<BrokerException> hearer) {
            onFailure = hearer;
            return this;
        }

        private Configuration<Settings> read() {
            return Configuration.read(Settings.class, new Configuration.Sources(file, Map.of(), Map.of(), options));
        }

        /**
         * Starts it; it listens when this returns.
         *
         * @throws BrokerException INVALID_CONFIGURATION with a line for each wrong setting, or for an address that
         *     cannot be bound; DATA_LOCKED if another broker uses the folder; DATA_UNUSABLE if it cannot be used
         */
        public Turnstone start() {
            Configuration<Settings> configuration = read();
            try {
                Settings settings = SettingsChecks.checked(configuration, Transports.onClassPath());
                Turnstone started = open(configuration, settings, onFailure);
                started.listen(settings.listen());
                return started;
            } catch (StartException wrong) {
                throw new BrokerException(ErrorCode.INVALID_CONFIGURATION, String.valueOf(wrong.getMessage()), wrong);
            }
        }
    }

    /**
     * Starts a broker that does not yet listen.
     *
     * @throws BrokerException if the folder cannot be used; what was started is then closed, as with any other fault
     */
    static Turnstone open(
            Configuration<Settings> configuration, Settings settings, Consumer<BrokerException> onFailure) {
        return FolderLabel.during(settings.data(), () -> {
            ServerSecurity security = new ServerSecurity(settings.security(), settings.insecure(), settings.data());
            try {
                return open(configuration, settings, onFailure, security);
            } catch (RuntimeException | Error fault) {
                throw new Closing(fault).then(security::close).fault();
            }
        });
    }

    private static Turnstone open(
            Configuration<Settings> configuration,
            Settings settings,
            Consumer<BrokerException> onFailure,
            ServerSecurity security) {
        Metrics metrics = new Metrics(security::refusedLogins, security::auditFailing);
        EmbeddedBroker broker = EmbeddedBroker.start(
                BrokerSettings.in(settings.data())
                        .withJournal(settings.journal().provider())
                        .withJournalLimits(settings.journalLimits())
                        .withLimits(settings.limits())
                        .withSecurity(security.current())
                        .withAddresses(settings.addresses())
                        .withBindings(settings.routing())
                        .withOnFailure(onFailure),
                metrics);
        try {
            HealthRoutes health = HealthRoutes.add(broker, metrics, settings.metrics());
            broker.share();
            security.follow(broker::secure);
            return new Turnstone(broker, security, health, configuration);
        } catch (RuntimeException | Error fault) {
            throw new Closing(fault).then(broker::close).fault();
        }
    }

    /** Binds listeners; if one cannot be, all is closed. */
    List<Listener> listen(List<ListenAddress> addresses) {
        List<Listener> bound = new ArrayList<>();
        try {
            for (ListenAddress address : addresses) {
                bound.add(broker.listen(address.protocol(), address.host(), address.port(), address.settings()));
            }
            health.ready(true);
            return bound;
        } catch (RuntimeException | Error fault) {
            throw new Closing(fault).then(this::close).fault();
        }
    }

    /** The port: how every protocol, and a program without one, uses the broker. */
    public Broker port() {
        return broker.broker();
    }

    /** The listeners that are bound, with their ports. */
    public List<Listener> listeners() {
        return broker.listeners();
    }

    /** JMS connections to this broker, within the JVM. They are logged in as everybody's are. */
    public ConnectionFactory connectionFactory() {
        String data = broker.settings().data().toAbsolutePath().toString();
        return new TurnstoneConnectionFactory(
                "vm://?data=" + URLEncoder.encode(data, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    /**
     * Takes over what another builder says and what may change while a broker runs, all or nothing: users, permissions,
     * settings of addresses. Certificates are read again. What else differs is named in the log.
     *
     * @throws BrokerException INVALID_CONFIGURATION with a line for each wrong setting; nothing has changed then
     */
    public void reload(Builder other) {
        try {
            reload(other.read());
        } catch (StartException wrong) {
            throw new BrokerException(ErrorCode.INVALID_CONFIGURATION, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /**
     * The same of settings that were read.
     *
     * @return the settings, checked
     * @throws StartException or BrokerException if anything is wrong; nothing has changed then
     */
    synchronized Settings reload(Configuration<Settings> other) {
        return FolderLabel.during(broker.settings().data(), () -> changeTo(other));
    }

    private Settings changeTo(Configuration<Settings> other) {
        Settings settings = SettingsChecks.checked(other, Transports.onClassPath());
        List<Runnable> certificates =
                broker.listeners().stream().map(Listener::reread).toList();
        // The last that may refuse.
        security.reload(settings.security(), broker::secure);
        broker.configure(settings.addresses());
        broker.bind(settings.routing());
        certificates.forEach(Runnable::run);
        List<String> fixed = fixedThatDiffer(configuration, other);
        if (!fixed.isEmpty()) {
            LOG.warn("these settings hold from the next start on: {}", String.join(", ", fixed));
        }
        configuration = other;
        return settings;
    }

    private static List<String> fixedThatDiffer(Configuration<Settings> before, Configuration<Settings> now) {
        Map<String, String> texts = new HashMap<>();
        before.effective().forEach(setting -> texts.put(setting.name(), setting.text()));
        List<String> differ = new ArrayList<>();
        for (Effective setting : now.effective()) {
            String text = texts.remove(setting.name());
            if (!setting.live() && !Objects.equals(text, setting.text())) {
                differ.add(setting.name());
            }
        }
        before.effective().stream()
                .filter(setting -> !setting.live() && texts.containsKey(setting.name()))
                .forEach(setting -> differ.add(setting.name()));
        return differ;
    }

    /** Ends it in order and waits for that: listeners, sessions, journal, threads. Idempotent. */
    @Override
    public void close() {
        health.ready(false);
        new Closing().then(broker::close).then(security::close).end();
    }
}
