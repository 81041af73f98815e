package dev.turnstone.spi;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.Login;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Connects a client to a broker by the scheme of a URL: {@code vm} for one in the same JVM. Any thread. */
public interface BrokerConnector {
    /** The schemes that it serves, in lower case. */
    Set<String> schemes();

    /**
     * Connects, after starting what the URL asks for. May block while an embedded broker starts. The stage fails with a
     * {@link BrokerException}: INVALID_CONFIGURATION for an unknown parameter, DATA_LOCKED, DATA_UNUSABLE, or what
     * {@link dev.turnstone.port.Broker#connect} says.
     */
    CompletionStage<Connection> connect(URI url, Login login, ConnectionListener listener);
}
