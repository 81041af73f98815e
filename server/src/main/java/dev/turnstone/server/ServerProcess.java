package dev.turnstone.server;

import dev.turnstone.broker.Closing;
import dev.turnstone.broker.embedded.FolderLabel;
import dev.turnstone.port.BrokerException;
import dev.turnstone.server.config.Configuration;
import dev.turnstone.spi.Listener;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker that this process is for: started once, ended by SIGTERM or by a failure of its own. Its threads are
 * daemons; the thread that waits for its end keeps the process alive.
 */
final class ServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
    private static final String NAME = "turnstone";

    private final Turnstone broker;
    private final CompletableFuture<BrokerException> failure;

    private ServerProcess(Turnstone broker, CompletableFuture<BrokerException> failure) {
        this.broker = broker;
        this.failure = failure;
    }

    /**
     * Starts the broker and its listeners, saying each as it comes, and last that it is ready, from when on SIGTERM and
     * SIGHUP are heard.
     *
     * @param reread reads the settings again, at SIGHUP
     * @throws StartException if the settings are wrong
     * @throws BrokerException if the folder or an address cannot be used; what was started is then closed
     */
    static ServerProcess start(
            Configuration<Settings> configuration, Supplier<Configuration<Settings>> reread, PrintWriter out) {
        Transports transports = Transports.onClassPath();
        Settings settings = SettingsChecks.checked(configuration, transports);
        return FolderLabel.during(settings.data(), () -> start(configuration, settings, transports, reread, out));
    }

    private static ServerProcess start(
            Configuration<Settings> configuration,
            Settings settings,
            Transports transports,
            Supplier<Configuration<Settings>> reread,
            PrintWriter out) {
        Logging.apply(settings.log());
        configuration.warnings().forEach(LOG::warn);
        CompletableFuture<BrokerException> failure = new CompletableFuture<>();
        Turnstone broker = Turnstone.open(configuration, settings, failure::complete);
        try {
            out.println("data " + realPath(settings.data()));
        } catch (StartException e) {
            throw new Closing(e).then(broker::close).fault();
        }
        out.println("durability sync=true journal=" + settings.journal().provider());
        for (Listener listener : broker.listen(transports.addresses(settings))) {
            out.println("listening " + listener.protocol() + " " + listener.host() + ":" + listener.port());
        }
        ServerProcess process = new ServerProcess(broker, failure);
        Runtime.getRuntime().addShutdownHook(new Thread(process::end, NAME + "-shutdown"));
        // Whoever reads that it is ready may send one at once, and without this it would end the process.
        Hangup.handle(() -> FolderLabel.run(settings.data(), () -> process.reload(reread)));
        out.println("ready in " + millisecondsSinceStart() + " ms");
        return process;
    }

    private static Path realPath(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            throw new StartException(folder + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static long millisecondsSinceStart() {
        return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    }

    /**
     * Takes over what may change while the broker runs, all or nothing; a mistake is logged. One at a time: each signal
     * has a thread of its own, and what was read last is what holds.
     */
    private synchronized void reload(Supplier<Configuration<Settings>> read) {
        try {
            Configuration<Settings> configuration = read.get();
            Logging.apply(broker.reload(configuration).log());
            configuration.warnings().forEach(LOG::warn);
            LOG.info("the settings were read again, and certificates, and hold");
        } catch (BrokerException | StartException e) {
            LOG.error("nothing has changed: {}", e.getMessage());
        }
    }

    /** Waits until the broker has failed; the exit code for that. A signal ends the process out of this call. */
    int awaitEnd() {
        failure.join();
        return Main.FAILED;
    }

    /** The JVM would answer a signal with 128 and its number; an end in order is a success, so it is halted here. */
    private void end() {
        broker.close();
        Runtime.getRuntime().halt(failure.isDone() ? Main.FAILED : 0);
    }
}
