package dev.turnstone.spi;

import dev.turnstone.port.Broker;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Serves one protocol on listeners. Any thread. */
public interface TransportProvider {
    /** The protocol's name, as in {@code --listen stomp=127.0.0.1:61613}. */
    String protocol();

    /** The port of the default listener. */
    int defaultPort();

    /** The settings of its listeners; none if nobody is told of them. */
    default List<ListenSetting> settings() {
        return List.of();
    }

    /**
     * Checks a listener's settings and the files that they name, and binds nothing.
     *
     * @throws dev.turnstone.port.BrokerException INVALID_CONFIGURATION that says what is wrong
     */
    default void check(ListenRequest request) {}

    /**
     * Binds a listener; the stage completes when it accepts connections, and fails with a
     * {@link dev.turnstone.port.BrokerException} (INVALID_CONFIGURATION) that names the address if it is taken or not
     * this machine's.
     */
    CompletionStage<Listener> listen(ListenRequest request, Broker broker, SharedResources shared);
}
