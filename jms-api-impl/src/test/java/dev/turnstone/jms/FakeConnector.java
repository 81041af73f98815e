package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.BrokerConnector;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Connects {@code fake://NAME} to the fake broker of that name. */
public final class FakeConnector implements BrokerConnector {
    private static final Map<String, FakeBroker> BROKERS = new ConcurrentHashMap<>();

    static void register(String name, FakeBroker broker) {
        BROKERS.put(name, broker);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("fake");
    }

    @Override
    public CompletionStage<Connection> connect(URI url, Login login, ConnectionListener listener) {
        FakeBroker broker = BROKERS.get(url.getHost());
        if (broker == null) {
            return CompletableFuture.failedFuture(
                    new BrokerException(ErrorCode.INVALID_CONFIGURATION, "no fake broker " + url));
        }
        return broker.connect(login, listener);
    }
}
