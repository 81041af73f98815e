package dev.turnstone.server;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.server.security.ServerSecurity;
import dev.turnstone.spi.Listener;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
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

    private final EmbeddedBroker broker;
    private final ServerSecurity security;
    private final CompletableFuture<BrokerException> failure;

    private ServerProcess(EmbeddedBroker broker, ServerSecurity security, CompletableFuture<BrokerException> failure) {
        this.broker = broker;
        this.security = security;
        this.failure = failure;
    }

    /**
     * Starts the broker and its listeners, saying each as it comes, and last that it is ready.
     *
     * @throws StartException if the settings do not go together
     * @throws BrokerException if the folder or an address cannot be used; what was started is then closed
     */
    static ServerProcess start(Settings settings, Transports transports, PrintWriter out) {
        List<ListenAddress> addresses = transports.addresses(settings);
        ServerSecurity security = new ServerSecurity(settings.security(), settings.insecure(), settings.data());
        try {
            return start(settings, addresses, security, out);
        } catch (BrokerException | StartException e) {
            security.close();
            throw e;
        }
    }

    private static ServerProcess start(
            Settings settings, List<ListenAddress> addresses, ServerSecurity security, PrintWriter out) {
        CompletableFuture<BrokerException> failure = new CompletableFuture<>();
        EmbeddedBroker broker = EmbeddedBroker.start(new BrokerSettings(
                NAME,
                settings.data(),
                settings.journal().provider(),
                settings.journalLimits(),
                settings.limits(),
                security.current(),
                settings.addresses(),
                failure::complete));
        try {
            out.println("data " + realPath(settings.data()));
            out.println("durability sync=true journal=" + settings.journal().provider());
            for (ListenAddress address : addresses) {
                Listener listener =
                        broker.listen(address.protocol(), address.host(), address.port(), address.settings());
                out.println("listening " + listener.protocol() + " " + listener.host() + ":" + listener.port());
            }
        } catch (BrokerException | StartException e) {
            broker.close();
            throw e;
        }
        security.follow(broker::secure);
        ServerProcess process = new ServerProcess(broker, security, failure);
        Runtime.getRuntime().addShutdownHook(new Thread(process::end, NAME + "-shutdown"));
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
     * Takes over what may change while the broker runs: users, permissions, settings of addresses and certificates, all
     * or nothing.
     *
     * @param read reads the settings again
     */
    void reload(Supplier<Settings> read) {
        try {
            Settings settings = read.get();
            List<Runnable> certificates =
                    broker.listeners().stream().map(Listener::reread).toList();
            security.reload(settings.security(), broker::secure);
            broker.configure(settings.addresses());
            certificates.forEach(Runnable::run);
            LOG.info("users, permissions, settings of addresses and certificates were read again");
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
        security.close();
        Runtime.getRuntime().halt(failure.isDone() ? Main.FAILED : 0);
    }
}
