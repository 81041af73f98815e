package dev.turnstone.broker.embedded;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.Login;
import dev.turnstone.spi.BrokerConnector;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Connects to the embedded broker of a folder, which it starts for the first connection. Any thread. */
public final class VmConnector implements BrokerConnector {
    @Override
    public Set<String> schemes() {
        return Set.of("vm");
    }

    @Override
    public CompletionStage<Connection> connect(URI url, Login login, ConnectionListener listener) {
        try {
            SharedBroker shared = SharedBroker.join(VmUrl.parse(url));
            return shared.broker().connect(login, listener).handle((connection, refusal) -> {
                if (connection == null) {
                    shared.leave();
                    throw refusal instanceof BrokerException known
                            ? known
                            : new java.util.concurrent.CompletionException(refusal);
                }
                return new VmConnection(connection, shared);
            });
        } catch (BrokerException refusal) {
            return CompletableFuture.failedStage(refusal);
        }
    }
}
