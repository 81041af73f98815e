package dev.turnstone.itests.security;

import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.BrokerConnector;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Connects JMS clients to a broker that a test has started with users, by its folder. */
public final class SecuredConnector implements BrokerConnector {
    private static final String SCHEME = "secured";
    private static final Map<String, Broker> BROKERS = new ConcurrentHashMap<>();

    /** Connects to this broker from now on, by its folder. */
    public static void serve(Path folder, Broker broker) {
        BROKERS.put(folder.toString(), broker);
    }

    static void forget(Path folder) {
        BROKERS.remove(folder.toString());
    }

    /** The URL of the broker with this folder. */
    public static String url(Path folder) {
        return SCHEME + "://" + folder;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public CompletionStage<Connection> connect(URI url, Login login, ConnectionListener listener) {
        Broker broker = BROKERS.get(url.getPath());
        if (broker == null) {
            return CompletableFuture.failedStage(
                    new BrokerException(ErrorCode.INVALID_CONFIGURATION, "no broker is served for " + url));
        }
        return broker.connect(
                new Login(login.user(), login.password(), login.clientId(), login.protocol(), Login.SAME_JVM),
                listener);
    }
}
