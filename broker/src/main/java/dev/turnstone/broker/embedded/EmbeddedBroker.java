package dev.turnstone.broker.embedded;

import dev.turnstone.broker.Closing;
import dev.turnstone.broker.Engine;
import dev.turnstone.broker.EngineParts;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.report.BrokerReport;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.spi.Listener;
import dev.turnstone.spi.SharedResources;
import dev.turnstone.spi.TransportProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker that runs in this JVM: an engine with its thread, its journal in a folder, and its listeners. Any thread,
 * except that {@link #close} must not be called on a broker thread.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final long LISTENER_CLOSE_SECONDS = 10;

    private final BrokerSettings settings;
    private final Engine engine;
    private final EngineThread thread;
    private final ExecutorService notifier;
    private final Shared shared;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private EmbeddedBroker(BrokerSettings settings, Engine engine, EngineThread thread, ExecutorService notifier) {
        this.settings = settings;
        this.engine = engine;
        this.thread = thread;
        this.notifier = notifier;
        this.shared = new Shared(settings.name());
    }

    /**
     * Opens the journal, recovers what it holds and starts the engine.
     *
     * @throws BrokerException DATA_LOCKED if another broker uses the folder; DATA_UNUSABLE if it cannot be used;
     *     INVALID_CONFIGURATION for an unknown journal provider
     */
    public static EmbeddedBroker start(BrokerSettings settings) {
        return start(settings, BrokerMeter.NONE);
    }

    /** The same, with somebody who measures it. */
    public static EmbeddedBroker start(BrokerSettings settings, BrokerMeter meter) {
        JournalProvider provider = provider(settings.journal());
        EngineThread thread = new EngineThread(settings, meter);
        ExecutorService notifier =
                Executors.newSingleThreadExecutor(task -> FolderLabel.thread(settings, "notifier", task));
        try {
            Engine engine = Engine.start(
                    new EngineParts(
                            settings.limits(),
                            System::currentTimeMillis,
                            notifier,
                            thread::wake,
                            settings.security(),
                            () -> ThreadLocalRandom.current().nextDouble(),
                            settings.addresses(),
                            settings.bindings()),
                    listener -> provider.open(
                            settings.data(), settings.journalLimits(), new MeteredListener(listener, meter)),
                    pages -> provider.openPages(settings.data(), pages));
            if (meter != BrokerMeter.NONE) {
                engine.meter(meter::delivered);
            }
            return started(settings, engine, thread, notifier);
        } catch (JournalException e) {
            notifier.shutdown();
            throw refusal(e);
        } catch (RuntimeException | Error e) {
            notifier.shutdown();
            throw e;
        }
    }

    /** Without the engine's thread nobody would close the files. */
    private static EmbeddedBroker started(
            BrokerSettings settings, Engine engine, EngineThread thread, ExecutorService notifier) {
        try {
            thread.start(engine);
            return new EmbeddedBroker(settings, engine, thread, notifier);
        } catch (RuntimeException | Error e) {
            throw new Closing(e).then(engine::closeStorage).fault();
        }
    }

    private static BrokerException refusal(JournalException cause) {
        ErrorCode code = cause.kind() == JournalException.Kind.LOCKED ? ErrorCode.DATA_LOCKED : ErrorCode.DATA_UNUSABLE;
        return new BrokerException(code, cause.getMessage(), cause);
    }

    private static JournalProvider provider(String name) {
        TreeSet<String> known = new TreeSet<>();
        for (JournalProvider provider :
                ServiceLoader.load(JournalProvider.class, EmbeddedBroker.class.getClassLoader())) {
            if (provider.name().equals(name)) {
                return provider;
            }
            known.add(provider.name());
        }
        throw new BrokerException(
                ErrorCode.INVALID_CONFIGURATION, "there is no journal '" + name + "'; known are " + known);
    }

    /** The port of this broker. */
    public Broker broker() {
        return engine.broker();
    }

    /** From now until it has ended, {@code vm} URLs of its folder connect to it. */
    public void share() {
        SharedBroker.adopt(this);
    }

    /** What it was started with. */
    public BrokerSettings settings() {
        return settings;
    }

    /**
     * Binds a listener of a protocol and waits until it accepts connections. Whatever the address: who may log in there
     * is for {@link BrokerSettings#security} to say, by default programs of this machine alone.
     *
     * @param port 0 takes a free one, negative the protocol's default
     * @param listenerSettings further settings by name
     * @throws BrokerException INVALID_CONFIGURATION for an unknown protocol or an address that cannot be bound
     */
    public Listener listen(String protocol, String host, int port, Map<String, String> listenerSettings) {
        if (closing.get()) {
            throw new BrokerException(ErrorCode.STOPPED, "the broker has stopped");
        }
        TransportProvider provider = transport(protocol);
        int wanted = port < 0 ? provider.defaultPort() : port;
        ListenRequest request = new ListenRequest(host, wanted, listenerSettings);
        // What the listeners share is made meanwhile, and its threads say for whom they were.
        Listener listener =
                FolderLabel.during(settings.data(), () -> Stages.await(provider.listen(request, broker(), shared)));
        listeners.add(listener);
        return listener;
    }

    private static TransportProvider transport(String protocol) {
        TreeSet<String> known = new TreeSet<>();
        for (TransportProvider provider :
                ServiceLoader.load(TransportProvider.class, EmbeddedBroker.class.getClassLoader())) {
            if (provider.protocol().equals(protocol)) {
                return provider;
            }
            known.add(provider.protocol());
        }
        throw new BrokerException(
                ErrorCode.INVALID_CONFIGURATION, "there is no protocol '" + protocol + "'; known are " + known);
    }

    /** Replaces where messages go beside their address; returns at once, and holds for what is sent after that. */
    public void bind(Bindings bindings) {
        engine.bind(bindings);
    }

    /**
     * Replaces who may connect and do what. Returns at once; soon after, connections that are no longer vouched for
     * have ended, and so have consumers that are no longer allowed.
     */
    public void secure(Security security) {
        engine.secure(security);
    }

    /** What the listeners share; a program that embeds the broker may add to it before it binds them. */
    public SharedResources shared() {
        return shared;
    }

    /**
     * What can be said of the broker now, with details of so many addresses at most. The engine makes it within one of
     * its turns. Fails with STOPPED if the broker has.
     */
    public CompletionStage<BrokerReport> report(int addressesMax) {
        CompletableFuture<BrokerReport> report = new CompletableFuture<>();
        if (!engine.report(addressesMax, report::complete)) {
            report.completeExceptionally(new BrokerException(ErrorCode.STOPPED, "the broker has stopped"));
        }
        return report;
    }

    /** The same, with details of those addresses alone that the user of this connection may manage. */
    public CompletionStage<BrokerReport> report(int addressesMax, Connection connection) {
        CompletableFuture<BrokerReport> report = new CompletableFuture<>();
        if (!engine.report(addressesMax, connection.id(), report::complete)) {
            report.completeExceptionally(new BrokerException(ErrorCode.STOPPED, "the broker has stopped"));
        }
        return report;
    }

    /** Replaces the settings of queues and topics. Returns at once; soon after they hold for what exists, too. */
    public void configure(AddressRules addresses) {
        engine.configure(addresses);
    }

    /** The listeners that are bound. */
    public List<Listener> listeners() {
        return List.copyOf(listeners);
    }

    /** Completes when the broker has ended: after {@link #close}, not after a failure alone. */
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    /**
     * Ends the listeners, then the sessions, whose open transactions are rolled back and whose confirmations still
     * leave, then the journal. Waits for it. Idempotent.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            FolderLabel.run(settings.data(), this::end);
        } else {
            Stages.await(closed);
        }
    }

    private void end() {
        Closing steps = new Closing();
        listeners.forEach(listener -> steps.then(() -> close(listener)));
        steps.then(engine::requestStop)
                .then(this::awaitEngine)
                .then(engine::closeStorage)
                .then(shared::close)
                .then(notifier::shutdown)
                .then(() -> closed.complete(null))
                .end();
    }

    private static void close(Listener listener) {
        try {
            listener.close().toCompletableFuture().get(LISTENER_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn("The listener on {}:{} did not end in time", listener.host(), listener.port());
        } catch (java.util.concurrent.ExecutionException e) {
            LOG.warn("The listener on {}:{} did not end in order", listener.host(), listener.port(), e.getCause());
        } catch (InterruptedException e) {
            // Those that follow are told to close all the same, and not waited for.
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEngine() {
        boolean interrupted = false;
        while (true) {
            try {
                thread.awaitEnd();
                break;
            } catch (InterruptedException e) {
                interrupted = true; // The data folder must be released in any case.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
